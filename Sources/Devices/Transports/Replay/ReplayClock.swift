public import Signals
import Synchronization

/// A clock for sessions of replays alone: it goes on when all that the logs brought so far was taken, and then to the
/// next moment at which one of them goes on or until which somebody sleeps. However fast logs are replayed, what was
/// not looked at yet is no silence, and nobody is ahead of what was said.
public final class ReplayClock: HostClock {
    private let speed: Double?
    private let base = SystemClock()
    private let start: Seconds
    private let wallStart: Timestamp
    private let state: Mutex<State>

    /// Seconds of the computer's time for which a log that was not begun yet is waited for, and one between two
    /// connections.
    private static let patience = (beginning: 2.0, between: 0.25)
    /// The longest that is slept without another look, seconds of the computer's time.
    private static let longestSleep = 0.01
    /// Seconds of the computer's time in which what ran comes to rest before time goes on.
    private static let settling = 0.000_5

    private struct Sleeper {
        var moment: Seconds
        /// The log that goes on then; nil: somebody else.
        var player: Int?
        var continuation: CheckedContinuation<Void, any Error>
    }

    /// How a log stands.
    private enum Standing {
        /// What it brought is being taken.
        case busy
        case waiting
        /// Without a connection; until a moment of the computer's clock it is expected at once.
        case away(until: Seconds)
    }

    private struct State {
        var time: Seconds
        var sleepers: [Int: Sleeper] = [:]
        var players: [Int: Standing] = [:]
        var count = 0
        var isDriven = false
        var isSettled = false
        /// Whether it was no log that went on last.
        var wokeOther = false
        /// The computer's time and this one's when it was found that no log is being played.
        var idle: (base: Seconds, time: Seconds)?
    }

    private enum Step {
        case rest(Double)
        case yield
        case wake(CheckedContinuation<Void, any Error>)
    }

    /// A clock that shows the present.
    /// - Parameter speed: how many times as fast as it happened logs are played; nil: as fast as they are taken.
    /// - Precondition: `speed` is above 0.
    public init(speed: Double? = nil) {
        precondition(speed.map { $0 > 0 } ?? true, "a clock goes forward")
        self.speed = speed
        let present = SystemClock()
        let now = present.now
        start = now
        wallStart = present.wallClock
        state = Mutex(State(time: now))
    }

    /// Seconds; stands while something is being taken.
    public var now: Seconds { state.withLock { $0.time } }

    /// The wall clock, as fast.
    public var wallClock: Timestamp { wallStart + (now - start) }

    /// Waits until `moment` of `now`.
    /// - Throws: `CancellationError`.
    public func sleep(until moment: Seconds) async throws { try await sleep(until: moment, as: nil) }

    /// - Parameter player: the log that waits; what it brings is being taken when this returns.
    fileprivate func sleep(until moment: Seconds, as player: Int?) async throws {
        try Task.checkCancellation()
        let id = state.withLock { state in
            state.count += 1
            return state.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let isOver = state.withLock { state in
                    if Task.isCancelled || moment <= state.time { return true }
                    state.sleepers[id] = Sleeper(moment: moment, player: player, continuation: continuation)
                    if let player { state.players[player] = .waiting }
                    return false
                }
                if isOver { continuation.resume() } else { drive() }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: id)
                if let player = sleeper?.player { state.players[player] = .busy }
                return sleeper?.continuation
            }
            continuation?.resume(throwing: CancellationError())
        }
        try Task.checkCancellation()
    }

    /// One more log that is played by this clock.
    func join() -> ReplayPlayer {
        let end = base.now + Self.patience.beginning
        let id = state.withLock { state in
            state.count += 1
            state.players[state.count] = .away(until: end)
            return state.count
        }
        return ReplayPlayer(clock: self, id: id)
    }

    fileprivate func resume(_ player: Int) { state.withLock { $0.players[player] = .busy } }

    fileprivate func rest(_ player: Int) {
        let end = base.now + Self.patience.between
        state.withLock { $0.players[player] = .away(until: end) }
        drive()
    }

    fileprivate func leave(_ player: Int) {
        state.withLock { $0.players[player] = nil }
        drive()
    }

    /// Lets time go on until something is being taken, or nobody waits for it.
    private func drive() {
        let isDriven = state.withLock { state in
            defer { state.isDriven = true }
            return state.isDriven
        }
        guard !isDriven else { return }
        Task {
            while let next = step() {
                switch next {
                case .rest(let seconds): try? await Task.sleep(for: .seconds(seconds))
                case .yield: for _ in 0..<8 { await Task.yield() }
                case .wake(let continuation): continuation.resume()
                }
            }
        }
    }

    private func step() -> Step? {
        let present = base.now
        return state.withLock { state -> Step? in
            var (isPlayed, isExpected) = (false, false)
            for standing in state.players.values {
                switch standing {
                case .busy:
                    state.isDriven = false
                    return nil
                case .waiting: isPlayed = true
                case .away(let end): if present < end { isExpected = true }
                }
            }
            guard let (id, next) = state.sleepers.min(by: { Self.order($0) < Self.order($1) }) else {
                state.isDriven = false
                return nil
            }
            if isExpected { return .rest(Self.longestSleep / 10) }
            let due: Seconds
            if isPlayed {
                state.idle = nil
                due = speed.map { start + (next.moment - start) / $0 } ?? present
            } else {
                // Nothing is played that time could follow: it goes on as it does elsewhere.
                let idle = state.idle ?? (base: present, time: state.time)
                state.idle = idle
                due = idle.base + next.moment - idle.time
            }
            if due > present { return .rest(min(due - present, Self.longestSleep)) }
            if !state.isSettled {
                // What was woken may want to sleep itself until a moment before that.
                state.isSettled = true
                let isLong = state.wokeOther || next.player == nil || next.moment - state.time > 1
                return isLong ? .rest(Self.settling) : .yield
            }
            (state.isSettled, state.wokeOther) = (false, next.player == nil)
            state.time = max(state.time, next.moment)
            state.sleepers[id] = nil
            if let player = next.player { state.players[player] = .busy }
            return .wake(next.continuation)
        }
    }

    /// What is due at the same moment comes before the logs go on.
    private static func order(_ sleeper: (key: Int, value: Sleeper)) -> (Seconds, Int, Int) {
        (sleeper.value.moment, sleeper.value.player == nil ? 0 : 1, sleeper.key)
    }
}

/// A log among those that a `ReplayClock` follows.
struct ReplayPlayer: Sendable {
    fileprivate let clock: ReplayClock
    fileprivate let id: Int

    /// Seconds of the computer's time in which what somebody is about to ask arrives.
    private static let patience = 0.25

    /// Waits until the clock shows `moment`; what the log brings then is being taken.
    /// - Throws: `CancellationError`.
    func wait(until moment: Seconds) async throws { try await clock.sleep(until: moment, as: id) }

    /// Waits for what is asked now or within `patience` seconds of the clock, a quarter of one at most: there is no
    /// delay on the way but the computer's own.
    /// - Throws: `CancellationError`.
    func linger(_ patience: Seconds) async throws {
        try await Task.sleep(for: .seconds(Self.patience))
        try await wait(until: clock.now + min(patience, Self.patience))
        try await Task.sleep(for: .seconds(Self.patience))
    }

    /// What the log brings is being taken from now on.
    func resume() { clock.resume(id) }

    /// The log has no connection.
    func rest() { clock.rest(id) }

    /// The log is not played any more.
    func leave() { clock.leave(id) }
}
