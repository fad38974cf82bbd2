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
    /// What kind of beat ends it; `beat` where nobody has classified it.
    public var kind: BeatKind

    /// The interval of `duration` seconds that ends with the beat at `onset`.
    public init(onset: Seconds, duration: Seconds, isContiguous: Bool, kind: BeatKind = .beat) {
        self.onset = onset
        self.duration = duration
        self.isContiguous = isContiguous
        self.kind = kind
    }
}

/// Joins intervals that were measured one by one, by a device or in a file, into a series.
public struct IBISeries: Sendable {
    private var last: Seconds?

    /// How far apart, in seconds, the end of one interval and the start of the next may be for the two to be
    /// contiguous. Devices and files round times far more coarsely than lengths, and no beat fits into so short a pause.
    public static let tolerance: Seconds = 0.1

    /// A series that has no interval yet.
    public init() {}

    /// The next interval, which ends at `onset`, put on the grid of 0.1 ms that beats lie on; its length stays as it was
    /// measured. Nil for one that is not a positive number or lies at no time: the series is broken there.
    /// - Parameter kind: what kind of beat ends it.
    public mutating func next(endingAt onset: Seconds, duration: Seconds, kind: BeatKind = .beat) -> IBI? {
        guard duration > 0, duration.isPlaceable, onset.isPlaceable else {
            last = nil
            return nil
        }
        let onset = Beat.onGrid(onset)
        let isContiguous = last.map { abs(onset - duration - $0) <= Self.tolerance } ?? false
        last = onset
        return IBI(onset: onset, duration: duration, isContiguous: isContiguous, kind: kind)
    }
}

/// Turns beats into the intervals between them; none spans a break. Lengths are on the grid of 0.1 ms that beats lie on.
public struct IBIStage: Stage {
    private var previous: Seconds?
    private var isContiguous = false

    /// A stage that has seen no beat.
    public init() {}

    /// None: an interval is known with its later beat.
    public var lookAhead: Seconds { 0 }

    /// A run begins: no interval reaches back beyond it.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [IBI]) {
        previous = nil
        isContiguous = false
    }

    /// The next beats, in order of time.
    public mutating func push(_ beats: Span<Beat>, into outputs: inout [IBI]) {
        for index in beats.indices {
            let beat = beats[index]
            if beat.followsBreak {
                previous = nil
                isContiguous = false
            }
            if let previous {
                let duration = Beat.onGrid(beat.onset - previous)
                outputs.append(
                    IBI(onset: beat.onset, duration: duration, isContiguous: isContiguous, kind: beat.kind))
                isContiguous = true
            }
            previous = beat.onset
        }
    }

    /// Nothing is held back.
    public mutating func finish(into outputs: inout [IBI]) {}
}
