import Devices

/// Whether somebody wants the device connected.
extension DeviceConnection {
    /// Asks the device to stop in its own way, then ends the connection; `run` returns soon after.
    /// - Parameter patience: seconds the device may take.
    public func stop(patience: Double = 2) async {
        isStopping = true
        goOn()
        await leave(patience)
    }

    /// Asks the device to stop in its own way, then ends the connection, which is not tried again before `connect`.
    /// - Parameter patience: seconds the device may take.
    public func disconnect(patience: Double = 2) async {
        isHeld = true
        await leave(patience)
    }

    /// Connects the device again after `disconnect`; one that is being waited for is tried at once.
    /// - Returns: whether it can be: not when it was given up, or the session ends.
    public func connect() -> Bool {
        guard !hasEnded, !isStopping else { return false }
        if isHeld { isHeld = false } else { pause?.cancel() }
        // Where the failure is still being told there is no pause yet that could be cut short.
        isHurried = true
        goOn()
        return true
    }

    private func leave(_ patience: Double) async {
        pause?.cancel()
        attempt?.cancel()
        guard let (link, number) = current.map({ ($0.link, $0.number) }) else { return }
        current?.isLeaving = true
        let deadline = Task { [clock] in
            try await clock.sleep(until: clock.now + patience)
            await link.close()
        }
        await request(.stop)
        // A log would only go on, whatever it is told.
        if link.isReplayed { await link.close() }
        // The conversation closes the link when the device has answered; the deadline does when it has not.
        if current?.number == number { await withCheckedContinuation { waitingForEnd.append($0) } }
        deadline.cancel()
    }

    /// Waits until the device is to be connected, or the session ends.
    func untilWanted() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if isWanted || isStopping || Task.isCancelled {
                    continuation.resume()
                } else {
                    waitingForWish = continuation
                }
            }
        } onCancel: {
            Task { await self.goOn() }
        }
    }

    private func goOn() {
        waitingForWish?.resume()
        waitingForWish = nil
    }
}
