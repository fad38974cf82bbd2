import Signals

/// The measurements of a sensor that are due for a restart: the sensor stopped them by itself, or sends no frames of them.
struct PMDRestarts: Sendable {
    /// A measurement that is due for a restart.
    struct Ended: Hashable, Sendable {
        var type: PMDType
        /// True when its frames stopped without a word of the sensor.
        var isSilent: Bool
        /// True when an earlier restart did not help.
        var isRepeated: Bool
    }

    private struct State: Sendable {
        /// The moment at which it counts as silent; nil when its frames do not come all the time.
        var silentAt: Seconds?
        /// The moment of the restart after it stopped.
        var startAt: Seconds?
        /// Attempts in a row that failed.
        var failures = 0
        var wasSilent = false
    }

    private var states: [PMDType: State] = [:]
    private static let longestWait: Seconds = 15

    /// A measurement was started.
    /// - Parameter isWatched: true when its frames come all the time.
    mutating func started(_ type: PMDType, isWatched: Bool, at moment: Seconds) {
        var state = states[type] ?? State()
        state.silentAt = isWatched ? moment + SilenceWatch.limit : nil
        state.startAt = nil
        states[type] = state
    }

    /// A frame of a measurement came.
    mutating func heard(_ type: PMDType, at moment: Seconds) {
        guard states[type] != nil else { return }
        states[type]?.failures = 0
        states[type]?.wasSilent = false
        if states[type]?.silentAt != nil { states[type]?.silentAt = moment + SilenceWatch.limit }
    }

    /// The sensor reports that it stopped a measurement: the restart is due at once, or later after restarts without a frame.
    mutating func stopped(_ type: PMDType, at moment: Seconds) { failed(type, at: moment) }

    /// A restart failed: the wait before the next one grows.
    mutating func failed(_ type: PMDType, at moment: Seconds) {
        var state = states[type] ?? State()
        let wait = state.failures == 0 ? 0 : min(Self.longestWait, Double(1 << min(state.failures - 1, 4)))
        state.failures += 1
        (state.startAt, state.silentAt) = (moment + wait, nil)
        states[type] = state
    }

    /// Returns true when a restart of the measurement was refused before, which was reported then.
    func isRepeated(_ type: PMDType) -> Bool { (states[type]?.failures ?? 0) > 2 }

    /// The moment of the next restart; nil when none is due.
    var due: Seconds? { states.values.flatMap { [$0.silentAt, $0.startAt].compactMap(\.self) }.min() }

    /// Takes the measurements that are due.
    mutating func take(at moment: Seconds) -> [Ended] {
        var ended: [Ended] = []
        for (type, state) in states.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            if let due = state.startAt, due <= moment {
                states[type]?.startAt = nil
                ended.append(Ended(type: type, isSilent: false, isRepeated: false))
            } else if let due = state.silentAt, due <= moment {
                states[type]?.silentAt = nil
                states[type]?.wasSilent = true
                ended.append(Ended(type: type, isSilent: true, isRepeated: state.wasSilent))
            }
        }
        return ended
    }
}
