import Synchronization

/// What a signal to stop does while a verb has something to bring to an end: asked once, the verb ends in order; asked
/// again, the program ends at once.
///
/// One wish may come as several signals: a terminal that is closed and the shell in it both send SIGHUP, and `timeout` sends
/// SIGTERM to the program and to its group. What comes within a second of the first is the same wish.
enum StopRequest {
    /// What a signal asks for.
    enum Wish {
        case endInOrder(@Sendable () -> Void)
        case same
        case endAtOnce
    }

    private struct State {
        var handler: (@Sendable () -> Void)?
        var first: ContinuousClock.Instant?
    }

    private static let state = Mutex(State())

    /// From now on the first signal calls `body` instead of ending the program.
    static func handle(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0 = State(handler: body) }
    }

    /// What a signal that comes now asks for.
    static func take() -> Wish {
        let now = ContinuousClock.now
        return state.withLock { state in
            if let handler = state.handler {
                state = State(first: now)
                return .endInOrder(handler)
            }
            return state.first.map { now - $0 < .seconds(1) } ?? false ? .same : .endAtOnce
        }
    }
}
