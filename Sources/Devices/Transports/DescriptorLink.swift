import Foundation
import Signals
import Synchronization

/// A byte stream over a file descriptor: a socket or a terminal. A thread of its own moves the bytes, so that their
/// time of arrival does not wait for a task. When nobody takes them it stops reading, and the peer has to wait.
final class DescriptorLink: Link {
    private let mover: DescriptorMover

    /// Takes over an open descriptor that does not block.
    /// - Parameters:
    ///   - place: where it leads, for messages.
    ///   - loss: what the end of the stream means: nil for an end in order.
    ///   - limit: bytes that wait to be taken before reading stops.
    ///   - restore: run before the descriptor is closed.
    init(
        _ descriptor: CInt, isSocket: Bool, place: String, clock: any HostClock, loss: LinkError? = nil,
        limit: Int = 1 << 20, restore: @escaping @Sendable () -> Void = {}
    ) {
        mover = DescriptorMover(
            descriptor, isSocket: isSocket, place: place, clock: clock, loss: loss, limit: limit, restore: restore)
        let mover = mover
        let thread = Thread { mover.run() }
        thread.name = "link"
        thread.stackSize = 1 << 18
        thread.start()
    }

    deinit {
        mover.close()
    }

    func next() async -> LinkEvent? { await mover.next() }

    var hasWaiting: Bool { mover.hasWaiting }

    func send(_ bytes: [UInt8], to endpoint: Endpoint, acknowledged: Bool) async throws {
        if case .characteristic(let uuid) = endpoint { throw LinkError.missing(uuid) }
        try await withCheckedThrowingContinuation { mover.enqueue(bytes, $0) }
    }

    /// Queues bytes without waiting; false when so many wait that the peer must have stopped reading.
    func enqueue(_ bytes: [UInt8]) -> Bool { mover.enqueue(bytes) }

    func subscribe(_ characteristic: BluetoothUUID) async throws {}

    func read(_ characteristic: BluetoothUUID) async throws { throw LinkError.missing(characteristic) }

    func close() async { mover.close() }

    /// Ends the connection after what is queued was sent.
    func finish() { mover.close() }
}

/// The thread of a `DescriptorLink` and what it shares with the tasks.
final class DescriptorMover: Sendable {
    private struct Outgoing {
        var bytes: [UInt8]
        var sent = 0
        var continuation: CheckedContinuation<Void, any Error>?
    }

    private struct State {
        var outgoing: [Outgoing] = []
        var outgoingBytes = 0
        var waitingBytes = 0
        var waitingEvents = 0
        var isClosing = false
        var end: LinkError?
        var hasEnded = false
    }

    private let descriptor: CInt
    private let isSocket: Bool
    private let place: String
    private let clock: any HostClock
    private let loss: LinkError?
    private let limit: Int
    private let restore: @Sendable () -> Void
    private let wakeup = Interrupt()
    private let queue = LinkQueue()
    private let state = Mutex(State())
    private static let mostOutgoing = 4 << 20
    private static let mostEvents = 4_096

    init(
        _ descriptor: CInt, isSocket: Bool, place: String, clock: any HostClock, loss: LinkError?, limit: Int,
        restore: @escaping @Sendable () -> Void
    ) {
        self.descriptor = descriptor
        self.isSocket = isSocket
        self.place = place
        self.clock = clock
        self.loss = loss
        self.limit = limit
        self.restore = restore
    }

    var hasWaiting: Bool { queue.hasWaiting }

    func next() async -> LinkEvent? {
        let event = await queue.next()
        guard case .received(let bytes, _, _)? = event else { return event }
        let hasRoomAgain = state.withLock { state in
            let wasFull = isFull(state)
            state.waitingBytes -= bytes.count
            state.waitingEvents -= 1
            return wasFull && !isFull(state)
        }
        if hasRoomAgain { wakeup.fire() }
        return event
    }

    private func isFull(_ state: State) -> Bool {
        state.waitingBytes >= limit || state.waitingEvents >= Self.mostEvents
    }

    func enqueue(_ bytes: [UInt8], _ continuation: CheckedContinuation<Void, any Error>) {
        let isGone = state.withLock { state in
            if state.hasEnded || state.isClosing { return true }
            state.outgoing.append(Outgoing(bytes: bytes, continuation: continuation))
            state.outgoingBytes += bytes.count
            return false
        }
        if isGone {
            continuation.resume(throwing: LinkError.lost("The connection to \(place) is closed."))
        } else {
            wakeup.fire()
        }
    }

    func enqueue(_ bytes: [UInt8]) -> Bool {
        let isTaken = state.withLock { state in
            guard !state.hasEnded, !state.isClosing, state.outgoingBytes + bytes.count <= Self.mostOutgoing else {
                return false
            }
            state.outgoing.append(Outgoing(bytes: bytes))
            state.outgoingBytes += bytes.count
            return true
        }
        if isTaken { wakeup.fire() }
        return isTaken
    }

    func close() {
        state.withLock { $0.isClosing = true }
        wakeup.fire()
    }
}

/// The thread.
extension DescriptorMover {
    func run() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var closingSince: Seconds?
        while true {
            let (wantsRead, wantsWrite, isClosing) = state.withLock { state in
                (!isFull(state) && !state.isClosing, !state.outgoing.isEmpty, state.isClosing)
            }
            if isClosing {
                let since = closingSince ?? clock.now
                closingSince = since
                // What was sent before the end shall arrive, if the peer takes it within a second.
                if !wantsWrite || clock.now - since > 1 { return end(with: nil) }
            }
            let ready = wait(read: wantsRead, write: wantsWrite, isClosing: isClosing)
            if ready & CInt(POLLOUT) != 0, let problem = writeSome() { return end(with: problem) }
            guard wantsRead, ready & CInt(POLLIN | POLLHUP | POLLERR) != 0 else { continue }
            switch readSome(&buffer) {
            case .some(let problem): return end(with: problem.error)
            case nil: break
            }
        }
    }

    private func wait(read: Bool, write: Bool, isClosing: Bool) -> CInt {
        var events: CInt = 0
        if read { events |= CInt(POLLIN) }
        if write { events |= CInt(POLLOUT) }
        // A descriptor nothing is wanted of is left out: its hang-up would wake without end.
        var descriptors = [
            pollfd(fd: events == 0 ? -1 : descriptor, events: Int16(events), revents: 0),
            pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&descriptors, 2, isClosing ? 100 : -1)
        if descriptors[1].revents != 0 { wakeup.reset() }
        return CInt(descriptors[0].revents)
    }

    private struct Ending { var error: LinkError? }

    /// Reads what there is; the stream's end or failure, or nil to go on.
    private func readSome(_ buffer: inout [UInt8]) -> Ending? {
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        let moment = clock.now
        if count > 0 {
            state.withLock { state in
                state.waitingBytes += count
                state.waitingEvents += 1
            }
            queue.put(.received(Array(buffer[..<count]), from: .stream, at: moment))
            return nil
        }
        if count < 0, errno == EAGAIN || errno == EINTR { return nil }
        if count == 0 { return Ending(error: loss) }
        return Ending(error: loss ?? .lost("The connection to \(place) broke: \(systemError())."))
    }

    /// Writes what can be written; a failure, or nil to go on.
    private func writeSome() -> LinkError? {
        while let (bytes, start) = state.withLock({ $0.outgoing.first.map { ($0.bytes, $0.sent) } }) {
            let count = bytes[start...].withUnsafeBytes { part in
                isSocket
                    ? Glibc.send(descriptor, part.baseAddress, part.count, CInt(MSG_NOSIGNAL))
                    : Glibc.write(descriptor, part.baseAddress, part.count)
            }
            if count < 0 {
                if errno == EAGAIN || errno == EINTR { return nil }
                return .lost("The connection to \(place) broke: \(systemError()).")
            }
            advance(by: count)
        }
        return nil
    }

    private func advance(by count: Int) {
        let finished: CheckedContinuation<Void, any Error>? = state.withLock { state in
            guard !state.outgoing.isEmpty else { return nil }
            state.outgoing[0].sent += count
            state.outgoingBytes -= count
            guard state.outgoing[0].sent == state.outgoing[0].bytes.count else { return nil }
            return state.outgoing.removeFirst().continuation
        }
        finished?.resume()
    }

    private func end(with problem: LinkError?) {
        restore()
        Glibc.close(descriptor)
        let unsent = state.withLock { state in
            state.hasEnded = true
            defer { state.outgoing = [] }
            return state.outgoing.compactMap(\.continuation)
        }
        let error = problem ?? .lost("The connection to \(place) is closed.")
        for continuation in unsent { continuation.resume(throwing: error) }
        queue.put(.closed(problem, at: clock.now))
    }
}
