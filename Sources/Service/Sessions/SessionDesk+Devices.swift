import Acquisition
import Devices
import Sessions

/// Single devices of what runs, a check or a session.
extension SessionDesk {
    /// Connects a device: in a session one of its own that was disconnected, in a check also one more.
    /// - Parameters:
    ///   - device: its name in what runs, or its address, `MODEL@PLACE,option=value`.
    ///   - admit: throws why a device that is none of them yet may not be added.
    /// - Throws: what `admit` throws; `Problem` when nothing runs; `DeviceFailure` when the session has no such device, or it was given up;
    ///   `SessionRefusal`, or what keeps Bluetooth from being used.
    func connect(_ device: String, admit: @Sendable (String) throws -> Void = { _ in }) async throws {
        let running = try findAny()
        guard let name = Self.name(of: device, in: running) else {
            guard running.isCheck else { return try await running.session.obey(.connect(device: device)) }
            try admit(device)
            return try await add(device, to: running)
        }
        try await running.session.obey(.connect(device: name))
        if current?.id == running.id { current?.away.remove(name) }
    }

    /// Disconnects a device, and leaves it so: what a session records of it has a gap, a check goes on without it.
    /// - Parameter device: its name in what runs, or its address.
    /// - Throws: `Problem` when nothing runs, `DeviceFailure` when there is no such device.
    func disconnect(_ device: String) async throws {
        let running = try findAny()
        let name = Self.name(of: device, in: running) ?? device
        if running.isCheck, running.plan.addresses.contains(where: { $0.name == name }) { current?.away.insert(name) }
        try await running.session.obey(.disconnect(device: name))
    }

    private func findAny() throws -> Running {
        guard let current, !isStarting else {
            throw Problem.conflict("notRunning", "neither a check nor a session runs: begin one with the device")
        }
        return current
    }

    /// What a device is called in what runs; nil where it is none of its devices.
    private static func name(of device: String, in running: Running) -> String? {
        let known = running.plan.addresses
        if let named = known.first(where: { $0.name == device }) { return named.name }
        let address = try? DeviceAddress(device)
        return known.first { $0.unnamed == address?.unnamed }?.name
    }

    private func add(_ device: String, to check: Running) async throws {
        var plan = check.plan
        let known = plan.addresses
        guard known.count < Self.mostDevices else {
            throw Problem.conflict("tooMany", "a check has \(Self.mostDevices) devices at most: end it, begin another")
        }
        plan.addresses = try SessionPlan.distinct(known + [SessionPlan.address(device)])
        plan.relay = try relayPorts(plan.addresses)
        current?.plan.addresses = plan.addresses
        // The others are connected already.
        plan.addresses.removeFirst(known.count)
        do {
            for added in try plan.devices() where await !check.session.add(added) {
                throw Problem.conflict("notRunning", "the check is over: begin another")
            }
        } catch {
            if let added = plan.addresses.first { current?.plan.addresses.removeAll { $0 == added } }
            throw error
        }
    }
}
