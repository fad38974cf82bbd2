public import Signals

/// A stretch of one rhythm.
public struct RhythmSegment: Hashable, Codable, Sendable {
    /// When it begins, in seconds from the recording's start: with a beat, except at a gap or an edge of the recording.
    public var onset: Seconds
    /// Seconds it lasts.
    public var duration: Seconds
    /// Which rhythm it is, its order and its rate apart.
    public var state: RhythmState
    /// Which rhythm it is, in one word.
    public var kind: RhythmKind { state.kind }
    /// How many intervals lie in it.
    public var intervals: Int
    /// 60 over the mean of its intervals, in beats per minute; nil where it has none.
    public var heartRate: Double?

    /// A stretch of `state` from `onset` on.
    public init(onset: Seconds, duration: Seconds, state: RhythmState, intervals: Int, heartRate: Double?) {
        self.onset = onset
        self.duration = duration
        self.state = state
        self.intervals = intervals
        self.heartRate = heartRate
    }

    /// When it ends, in seconds from the recording's start.
    public var end: Seconds { onset + duration }
}

/// A rhythm began, and another one ended, if any.
public struct RhythmChange: Hashable, Codable, Sendable {
    /// When, in seconds from the recording's start.
    public var onset: Seconds
    /// What began, its order and its rate apart.
    public var state: RhythmState
    /// What began, in one word.
    public var kind: RhythmKind { state.kind }
    /// What ended; nil for the first rhythm of a recording. The same as `kind` where another part of the state changed.
    public var previous: RhythmKind?

    /// A rhythm of which the word alone is known began at `onset` and ended `previous`.
    public init(onset: Seconds, kind: RhythmKind, previous: RhythmKind?) {
        self.init(onset: onset, state: RhythmState(kind), previous: previous)
    }

    /// `state` began at `onset` and ended `previous`.
    public init(onset: Seconds, state: RhythmState, previous: RhythmKind?) {
        self.onset = onset
        self.state = state
        self.previous = previous
    }
}

/// An output of `RhythmStage`. In order of time changes and segments alternate: a rhythm begins, and is a segment once
/// it has ended.
public enum RhythmOutput: Hashable, Sendable {
    /// A rhythm has begun; it is not told again while it goes on.
    case change(RhythmChange)
    /// A rhythm has ended.
    case segment(RhythmSegment)
}

/// Joins labelled stretches that follow each other into segments.
struct RhythmJoiner: Sendable {
    private var open: RhythmSegment?
    private var length: Seconds = 0

    /// The stretch from `start` to `end` is `state` and holds `intervals` intervals that last `length` seconds in all.
    mutating func add(
        _ state: RhythmState, from start: Seconds, to end: Seconds, intervals: Int = 0, length added: Seconds = 0,
        into outputs: inout [RhythmOutput]
    ) {
        if open?.state != state {
            let previous = open?.kind
            close(at: start, into: &outputs)
            open = RhythmSegment(onset: start, duration: 0, state: state, intervals: 0, heartRate: nil)
            outputs.append(.change(RhythmChange(onset: start, state: state, previous: previous)))
        }
        if let onset = open?.onset { open?.duration = end - onset }
        open?.intervals += intervals
        length += added
    }

    /// Nothing more comes.
    mutating func finish(into outputs: inout [RhythmOutput]) {
        guard let open else { return }
        close(at: open.end, into: &outputs)
    }

    private mutating func close(at end: Seconds, into outputs: inout [RhythmOutput]) {
        guard var segment = open else { return }
        if segment.intervals > 0 { segment.heartRate = 60 * Double(segment.intervals) / length }
        segment.duration = end - segment.onset
        outputs.append(.segment(segment))
        open = nil
        length = 0
    }
}
