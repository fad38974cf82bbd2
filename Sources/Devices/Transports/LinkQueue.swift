import Synchronization

/// What arrived on a link and waits to be taken: bounded, filled from any thread, emptied by one task.
final class LinkQueue: Sendable {
    private struct State {
        var events: [LinkEvent] = []
        var first = 0
        var dropped = 0
        var isEnded = false
        var waiting: CheckedContinuation<LinkEvent?, Never>?

        mutating func take() -> LinkEvent? {
            guard first < events.count else { return nil }
            defer {
                first += 1
                compact()
            }
            return events[first]
        }

        /// Lets go of what was taken or dropped, when it is most of what is held.
        mutating func compact() {
            guard first > 512, first * 2 > events.count else { return }
            events.removeFirst(first)
            first = 0
        }
    }

    private let limit: Int
    private let state = Mutex(State())

    /// A queue that holds at most `limit` events.
    init(limit: Int = 8_192) {
        self.limit = limit
    }

    /// Adds an event; when full, the oldest are dropped and an `overrun` with their count stands in their place.
    func put(_ event: LinkEvent) {
        let waiting: CheckedContinuation<LinkEvent?, Never>? = state.withLock { state in
            guard !state.isEnded else { return nil }
            if case .closed = event { state.isEnded = true }
            if let waiting = state.waiting {
                state.waiting = nil
                return waiting
            }
            state.events.append(event)
            if state.events.count - state.first > limit { Self.dropOldest(&state) }
            return nil
        }
        waiting?.resume(returning: event)
    }

    private static func dropOldest(_ state: inout State) {
        var count = 1
        var moment = 0.0
        if case .overrun(let earlier, _) = state.events[state.first] {
            count += earlier
            state.first += 1
        }
        if case .received(_, _, let at) = state.events[state.first] { moment = at }
        state.events[state.first] = .overrun(count: count, at: moment)
        state.compact()
    }

    /// Whether there is an event to take.
    var hasWaiting: Bool { state.withLock { $0.first < $0.events.count } }

    /// The oldest event, waiting for one; nil after `closed`, or when the waiting task is cancelled.
    func next() async -> LinkEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready: LinkEvent?? = state.withLock { state in
                    if let event = state.take() { return .some(event) }
                    if state.isEnded || Task.isCancelled { return .some(nil) }
                    state.waiting = continuation
                    return nil
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            state.withLock { state in
                defer { state.waiting = nil }
                return state.waiting
            }?.resume(returning: nil)
        }
    }
}
