public import Signals

/// An inter-beat interval: the time from one beat to the next.
public struct IBI: Hashable, Codable, Sendable {
    /// When the later of its two beats was, in seconds from the recording's start.
    public var onset: Seconds
    /// Its length in seconds.
    public var duration: Seconds
    /// Whether the interval before it in the series ends where this one begins. False for the first interval, after a
    /// gap and after a removed beat: a successive difference may only be taken where it is true.
    public var isContiguous: Bool

    /// The interval of `duration` seconds that ends with the beat at `onset`.
    public init(onset: Seconds, duration: Seconds, isContiguous: Bool) {
        self.onset = onset
        self.duration = duration
        self.isContiguous = isContiguous
    }
}

/// Turns beats into the intervals between them; none spans a break.
public struct IBIStage: Stage {
    private var previous: Seconds?
    private var isContiguous = false

    /// A stage that has seen no beat.
    public init() {}

    public var lookAhead: Seconds { 0 }

    public mutating func begin(_ segment: SegmentStart, into outputs: inout [IBI]) {
        previous = nil
        isContiguous = false
    }

    public mutating func push(_ beats: Span<Beat>, into outputs: inout [IBI]) {
        for index in beats.indices {
            let beat = beats[index]
            if beat.followsBreak {
                previous = nil
                isContiguous = false
            }
            if let previous {
                outputs.append(IBI(onset: beat.onset, duration: beat.onset - previous, isContiguous: isContiguous))
                isContiguous = true
            }
            previous = beat.onset
        }
    }

    public mutating func finish(into outputs: inout [IBI]) {}
}
