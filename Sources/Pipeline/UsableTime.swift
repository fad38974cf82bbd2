import Quality
import Signals

/// Tells by windows of signal quality which time may be used: a moment may where one window that holds it may.
struct UsableTime {
    /// A stretch of time, all of which may be used or none.
    struct Stretch {
        var range: Range<Seconds>
        var isUsable: Bool
    }

    private let step: Seconds
    private let isUsable: @Sendable (QualityWindow) -> Bool
    /// Up to where it has been told; nil before the first word.
    private(set) var settled: Seconds?

    /// - Parameters:
    ///   - step: seconds between the starts of windows.
    ///   - isUsable: whether a window may be used.
    init(step: Seconds, isUsable: @escaping @Sendable (QualityWindow) -> Bool) {
        (self.step, self.isUsable) = (step, isUsable)
    }

    /// What the next window settles, in order of time: no later one holds what lies before it.
    mutating func take(_ window: QualityWindow) -> [Stretch] {
        var stretches = tell(until: window.onset, false)
        if isUsable(window) { stretches += tell(until: window.onset + window.duration, true) }
        return stretches
    }

    /// The run ends: what is left of it takes the word of its last window.
    mutating func endRun(at end: Seconds) -> [Stretch] {
        guard let told = settled else { return [] }
        return tell(until: end, end - told <= step + 1e-6)
    }

    /// A run begins.
    mutating func begin(at onset: Seconds) {
        if let told = settled, told < onset { settled = onset }
    }

    /// Nothing more comes; what comes after all is another recording.
    mutating func finish() {
        settled = nil
    }

    private mutating func tell(until end: Seconds, _ isUsable: Bool) -> [Stretch] {
        let told = settled ?? end
        settled = max(told, end)
        return end > told ? [Stretch(range: told..<end, isUsable: isUsable)] : []
    }
}
