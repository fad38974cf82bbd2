import Signals
import Synchronization

/// When a connection is given up: nothing moved for too long, a head or body was too long in coming, or another needs its
/// place.
final class FrontDeadlines: Sendable {
    private enum Part: Equatable { case nothing, head(Int), body(Int), ending }

    /// What is waited for. Those that wait for their clients make room for others, the first of these before the next.
    private enum Wait: Int {
        case request, body, taking, answer, events, leaving

        /// Whether it stays so: nobody can tell where events or a WebSocket end.
        var isFinal: Bool { self == .events || self == .leaving }
    }

    private struct State {
        var silence: Seconds
        var part: Part
        var end: Seconds?
        var isFresh = true
        var wait = Wait.request
        var since: Seconds
        var requests = 0

        mutating func begin(_ next: Wait, at now: Seconds) {
            guard !wait.isFinal else { return }
            (wait, since) = (next, now)
        }
    }

    private let limits: ServiceLimits
    private let state: Mutex<State>

    /// For a connection that has just been taken.
    init(_ limits: ServiceLimits) {
        self.limits = limits
        let now = SystemTime.now
        state = Mutex(
            State(silence: now + limits.patience, part: .head(0), end: now + limits.headPatience, since: now))
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
            note(framing, isAtHead: isAtHead, at: now, in: &state)
            guard part != state.part else { return }
            state.part = part
            state.end = part == .nothing ? nil : now + (isAtHead ? limits.headPatience : limits.bodyPatience)
        }
    }

    /// The server is about to say something, and the client has to take it.
    /// - Parameter isEndless: whether it is the beginning of events, or agrees to a WebSocket.
    func serverMoves(isEndless: Bool) {
        state.withLock { state in
            guard state.wait != .body else { return }
            state.begin(isEndless ? .events : .taking, at: SystemTime.now)
        }
    }

    /// The server said something, and the client took it.
    func serverMoved() {
        let now = SystemTime.now
        state.withLock { state in
            state.silence = now + limits.patience
            if state.wait != .body { state.begin(.request, at: now) }
        }
    }

    /// So many seconds are left.
    func ending(in seconds: Seconds) {
        state.withLock { ($0.part, $0.end, $0.isFresh) = (.ending, SystemTime.now + seconds, false) }
    }

    // MARK: - Room for others

    /// Whether it was told to make room.
    var isLeaving: Bool { state.withLock { $0.wait == .leaving } }

    /// How readily it makes room for another, the least first: by what it waits for, and since when. Nil: not at all.
    var readiness: (order: Int, since: Seconds)? {
        let (wait, since) = state.withLock { ($0.wait, $0.since) }
        return wait.rawValue < Wait.answer.rawValue ? (order: wait.rawValue, since: since) : nil
    }

    /// It makes room.
    func leave() {
        state.withLock { $0.wait = .leaving }
    }

    private func note(_ framing: RequestFraming, isAtHead: Bool, at now: Seconds, in state: inout State) {
        let isWhole = framing.requests > state.requests || state.wait == .body
        state.requests = framing.requests
        if framing.isInFrames {
            state.begin(.events, at: now)
        } else if framing.isInBody {
            // One that dribbles has waited since it began.
            if state.wait != .body { state.begin(.body, at: now) }
        } else if !isAtHead || isWhole {
            state.begin(.answer, at: now)
        }
    }
}
