public import Signals

/// What the rhythm is told from, in order of time: beats or intervals, and, where it is known, whether a beat could have
/// been seen.
///
/// A stretch of signal comes before the beats within it, and says that all beats before it have been given. How a
/// stretch is cut into several makes no difference. Without such stretches beats are taken at their word, but a missing
/// beat cannot be told from a missing signal: a long pause is then unreadable, never asystole.
public enum RhythmInput: Hashable, Codable, Sendable {
    /// A beat; no interval spans the break it may follow.
    case beat(Beat)
    /// An interval that was measured as such, where there are no beats.
    case interval(IBI)
    /// From `from` to `until`, in seconds from the recording's start, the signal was of this use.
    case signal(from: Seconds, until: Seconds, use: SignalUse)

    /// From `from` to `until` beats would have been seen (`isReadable`) or could not have been.
    public static func signal(from: Seconds, until: Seconds, isReadable: Bool) -> RhythmInput {
        .signal(from: from, until: until, use: isReadable ? .readable : .unreadable)
    }

    /// Beats and stretches of signal, each in order of time, in the order the stage takes them.
    public static func merge(
        _ beats: [Beat], signal: [(from: Seconds, until: Seconds, isReadable: Bool)]
    ) -> [RhythmInput] {
        var merged: [RhythmInput] = []
        merged.reserveCapacity(beats.count + signal.count)
        var next = 0
        for beat in beats {
            while next < signal.count, signal[next].from <= beat.onset {
                merged.append(.signal(signal[next]))
                next += 1
            }
            merged.append(.beat(beat))
        }
        for stretch in signal[next...] { merged.append(.signal(stretch)) }
        return merged
    }

    private static func signal(_ stretch: (from: Seconds, until: Seconds, isReadable: Bool)) -> RhythmInput {
        .signal(from: stretch.from, until: stretch.until, isReadable: stretch.isReadable)
    }
}

/// The use of a signal for the rhythm.
public enum SignalUse: String, Codable, Sendable {
    /// Beats and their absence can be relied on.
    case readable
    /// Nothing speaks against the signal but that it has no beats: their absence can be relied on where beats that could be
    /// read came before it, beats within it cannot.
    case silence
    /// Nothing can be relied on.
    case unreadable
}
