public import Signals

/// Tells the rhythm from beats or intervals: what it is, and each time it changes.
///
/// **No diagnosis**: see `RhythmKind`. At any time there is one rhythm, the first that holds of asystole (no beats, of a
/// pulse wave), unreadable, undetermined, irregular, a run of fast beats, ectopy, tachycardia or bradycardia, regular. Each has bounds of its own for beginning and for ending, so
/// that none flickers, and a rhythm that goes on is told once. Nothing is carried over a stretch in which nothing can
/// be said, asystole or the start of a run: what was irregular before it has to show so again after it.
///
/// Memory is bounded: some hundred intervals.
public struct RhythmStage: Stage {
    private let parameters: RhythmParameters
    private let silence: RhythmKind
    private var timeline: RhythmTimeline
    private var run: RhythmRun
    private var joiner = RhythmJoiner()
    /// The hole since the last interval or silence, if any, and whether it has been told already.
    private var hole: (start: Seconds, end: Seconds)?
    private var isHoleTold = false
    private var isContiguous = false
    private var pieces: [RhythmPiece] = []
    private var isBroken = true

    /// A stage that tells rhythms apart by these parameters.
    /// - Parameter isPulse: whether the beats are those of a pulse wave, whose absence is `noBeats` rather than `asystole`.
    /// - Throws: the first parameter that has no meaning.
    public init(
        _ parameters: RhythmParameters = RhythmParameters(), ofPulse isPulse: Bool = false
    ) throws(InvalidParameter) {
        try parameters.validate()
        self.parameters = parameters
        silence = isPulse ? .noBeats : .asystole
        timeline = RhythmTimeline(limit: parameters.asystole)
        run = RhythmRun(parameters)
    }

    /// How many later intervals may have a say in the rhythm of one.
    public var lookAheadIntervals: Int { run.lookAhead }

    /// The longest time those intervals may take, short holes between them included. As a rule a change is known after
    /// half a minute to a minute; asystole and what is unreadable are known as soon as they have lasted long enough.
    public var lookAhead: Seconds {
        Double(lookAheadIntervals + 1) * (parameters.asystole + parameters.shortestUnreadable)
    }

    /// A run begins; the time since what was known of the one before is unreadable.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [RhythmOutput]) {
        fill { timeline, emit in timeline.begin(at: segment.onset, emit) }
        take(into: &outputs)
        isBroken = true
    }

    /// The next beats, intervals and stretches of signal, in order of time.
    public mutating func push(_ inputs: Span<RhythmInput>, into outputs: inout [RhythmOutput]) {
        for index in inputs.indices {
            switch inputs[index] {
            case .beat(let beat): push(beat)
            case .interval(let ibi): push(ibi)
            case .signal(let from, let until, let use):
                fill { timeline, emit in timeline.signal(from: from, until: until, use: use, emit) }
            }
            take(into: &outputs)
        }
    }

    /// Ends the last rhythm and starts anew.
    public mutating func finish(into outputs: inout [RhythmOutput]) {
        fill { timeline, emit in timeline.finish(emit) }
        take(into: &outputs)
        endRun(into: &outputs)
        joiner.finish(into: &outputs)
        (joiner, hole, isHoleTold, isContiguous, isBroken) = (RhythmJoiner(), nil, false, false, true)
    }

    private mutating func push(_ beat: Beat) {
        let isBroken = isBroken || beat.followsBreak
        fill { timeline, emit in timeline.beat(at: beat.onset, isBroken: isBroken, emit) }
        self.isBroken = false
    }

    private mutating func push(_ ibi: IBI) {
        guard ibi.duration > 0, ibi.duration < 1e9 else {
            isBroken = true
            return
        }
        if isBroken || !ibi.isContiguous {
            fill { timeline, emit in timeline.beat(at: ibi.onset - ibi.duration, isBroken: true, emit) }
        }
        fill { timeline, emit in timeline.beat(at: ibi.onset, isBroken: false, measured: ibi.duration, emit) }
        isBroken = false
    }

    private mutating func fill(_ body: (inout RhythmTimeline, (RhythmPiece) -> Void) -> Void) {
        var pieces = pieces
        self.pieces = []
        body(&timeline) { pieces.append($0) }
        self.pieces = pieces
    }

    private mutating func take(into outputs: inout [RhythmOutput]) {
        for piece in pieces {
            switch piece.kind {
            case .interval(let duration): takeInterval(piece, duration, into: &outputs)
            case .silence:
                endRun(into: &outputs)
                joiner.add(RhythmState(silence), from: piece.start, to: piece.end, into: &outputs)
            case .hole: takeHole(piece, into: &outputs)
            }
        }
        pieces.removeAll(keepingCapacity: true)
    }

    private mutating func takeInterval(
        _ piece: RhythmPiece, _ duration: Seconds, into outputs: inout [RhythmOutput]
    ) {
        let start = isHoleTold ? piece.start : hole?.start ?? piece.start
        let interval = RhythmInterval(start: start, end: piece.end, duration: duration, isContiguous: isContiguous)
        hole = nil
        isHoleTold = false
        isContiguous = true
        run.append(interval) { joiner.add($0, $1, into: &outputs) }
    }

    private mutating func takeHole(_ piece: RhythmPiece, into outputs: inout [RhythmOutput]) {
        isContiguous = false
        let start = hole?.start ?? piece.start
        hole = (start, piece.end)
        if isHoleTold {
            joiner.add(RhythmState(.unreadable), from: piece.start, to: piece.end, into: &outputs)
        } else if piece.end - start >= parameters.shortestUnreadable {
            run.end { joiner.add($0, $1, into: &outputs) }
            joiner.add(RhythmState(.unreadable), from: start, to: piece.end, into: &outputs)
            isHoleTold = true
        }
    }

    /// What ends the run is no hole: a short hole before it belongs to the run, if there is one.
    private mutating func endRun(into outputs: inout [RhythmOutput]) {
        if let hole, !isHoleTold, !run.isEmpty { run.extend(to: hole.end) }
        let isAlone = run.isEmpty
        run.end { joiner.add($0, $1, into: &outputs) }
        if let hole, !isHoleTold, isAlone {
            joiner.add(RhythmState(.unreadable), from: hole.start, to: hole.end, into: &outputs)
        }
        (hole, isHoleTold, isContiguous) = (nil, false, false)
    }
}

extension RhythmJoiner {
    mutating func add(_ interval: RhythmInterval, _ state: RhythmState, into outputs: inout [RhythmOutput]) {
        add(state, from: interval.start, to: interval.end, intervals: 1, length: interval.duration, into: &outputs)
    }
}
