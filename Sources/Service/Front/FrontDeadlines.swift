import Signals
import Synchronization

/// When a connection is given up: nothing moved for too long, or a head or body was too long in coming.
final class FrontDeadlines: Sendable {
    private enum Part: Equatable { case nothing, head(Int), body(Int), ending }

    private struct State {
        var silence: Seconds
        var part: Part
        var end: Seconds?
        var isFresh = true
    }

    private let limits: ServiceLimits
    private let state: Mutex<State>

    /// For a connection that has just been taken.
    init(_ limits: ServiceLimits) {
        self.limits = limits
        let now = SystemTime.now
        state = Mutex(State(silence: now + limits.patience, part: .head(0), end: now + limits.headPatience))
    }

    /// Whether nothing was let on yet, so that a refusal meets nobody in the midst of another answer.
    var isFresh: Bool { state.withLock(\.isFresh) }

    /// Whether the connection's time is over.
    func areOver(at now: Seconds) -> Bool {
        state.withLock { now > $0.silence || $0.end.map { now > $0 } ?? false }
    }

    /// The client sent something.
    func clientMoved(_ framing: RequestFraming) {
        let now = SystemTime.now
        let isAtHead = framing.isInHead || framing.requests == 0
        let part: Part =
            isAtHead ? .head(framing.requests) : framing.isInBody ? .body(framing.requests) : .nothing
        state.withLock { state in
            // An answer may take longer than anything else.
            state.silence = now + max(limits.patience, limits.answer)
            state.isFresh = framing.requests == 0
            guard part != state.part else { return }
            state.part = part
            state.end = part == .nothing ? nil : now + (isAtHead ? limits.headPatience : limits.bodyPatience)
        }
    }

    /// The server said something, and the client took it.
    func serverMoved() {
        state.withLock { $0.silence = SystemTime.now + limits.patience }
    }

    /// So many seconds are left.
    func ending(in seconds: Seconds) {
        state.withLock { ($0.part, $0.end, $0.isFresh) = (.ending, SystemTime.now + seconds, false) }
    }
}
