public import Signals

/// Turns inter-beat intervals into NN intervals, with a line of audit for every interval it changes.
///
/// Nothing is corrected across a break: each run of contiguous intervals stands alone. Only runs of a few intervals that
/// are unlike those around are told by these, and left out (`ShortRuns`). Intervals that are not positive numbers are
/// left out without a trace and break the series.
public struct CorrectionStage: Stage {
    private let method: CorrectionMethod
    // One of them, in its place: taken out of an enumeration it would be copied for every interval.
    private var artefacts: ArtefactCorrector?
    private var threshold: ThresholdCorrector?
    private var quotient: QuotientCorrector?
    private var sink: CorrectionSink
    private var shortRuns: ShortRuns
    private var ready: [(ShortRuns.Entry, ShortRuns.Verdict)] = []
    private var index = 0
    private var isBroken = true

    /// A stage that corrects with these parameters.
    /// - Throws: the first parameter that has no meaning.
    public init(_ parameters: CorrectionParameters = CorrectionParameters()) throws(InvalidParameter) {
        try parameters.validate()
        sink = CorrectionSink(longestInterpolation: parameters.longestInterpolation)
        method = parameters.method
        shortRuns = ShortRuns(parameters)
        switch method {
        case .none: break
        case .lipponenTarvainen: artefacts = ArtefactCorrector(parameters)
        case .threshold: threshold = ThresholdCorrector(parameters)
        case .quotient: quotient = QuotientCorrector(parameters)
        }
    }

    /// How many later intervals may have a say in what becomes of one.
    public var lookAheadIntervals: Int {
        switch method {
        case .none: 0
        case .lipponenTarvainen: ArtefactCorrector.lookAhead + ShortRuns.lookAhead
        case .threshold: ThresholdCorrector.lookAhead + ShortRuns.lookAhead
        case .quotient: QuotientCorrector.lookAhead + 1 + ShortRuns.lookAhead
        }
    }

    /// The time that `lookAheadIntervals` take at 30 beats a minute.
    public var lookAhead: Seconds { Double(lookAheadIntervals) * 2 }

    /// A run begins.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [CorrectionOutput]) {
        isBroken = true
    }

    /// The next intervals.
    public mutating func push(_ intervals: Span<IBI>, into outputs: inout [CorrectionOutput]) {
        for place in intervals.indices { take(intervals[place], into: &outputs) }
    }

    /// Decides about the last intervals and starts anew.
    public mutating func finish(into outputs: inout [CorrectionOutput]) {
        shortRuns.end(into: &ready)
        correctReady(into: &outputs)
        endRun(into: &outputs)
        (index, isBroken) = (0, true)
    }

    private mutating func take(_ ibi: IBI, into outputs: inout [CorrectionOutput]) {
        defer { index += 1 }
        let isInterval = ibi.duration > 0 && ibi.duration < 1e9 && ibi.onset.isPlaceable
        if !ibi.isContiguous || !isInterval { isBroken = true }
        guard isInterval else { return }
        let entry = ShortRuns.Entry(ibi: ibi, index: index, begins: isBroken)
        isBroken = false
        if method == .none { return correct(entry, .belongs, into: &outputs) }
        shortRuns.append(entry, into: &ready)
        correctReady(into: &outputs)
    }

    private mutating func correctReady(into outputs: inout [CorrectionOutput]) {
        for place in ready.indices { correct(ready[place].0, ready[place].1, into: &outputs) }
        ready.removeAll(keepingCapacity: true)
    }

    private mutating func correct(
        _ entry: ShortRuns.Entry, _ verdict: ShortRuns.Verdict, into outputs: inout [CorrectionOutput]
    ) {
        let (ibi, index) = (entry.ibi, entry.index)
        if entry.begins { endRun(into: &outputs) }
        if case .stands(let kind) = verdict {
            return sink.remove(index, ibi.onset, ibi.duration, kind, .apart, into: &outputs)
        }
        switch method {
        case .none:
            sink.keep(index, ibi.onset, ibi.duration, into: &outputs)
            sink.flush(into: &outputs)
        case .lipponenTarvainen: artefacts?.append(ibi, index: index, sink: &sink, into: &outputs)
        case .threshold: threshold?.append(ibi, index: index, sink: &sink, into: &outputs)
        case .quotient: quotient?.append(ibi, index: index, sink: &sink, into: &outputs)
        }
    }

    private mutating func endRun(into outputs: inout [CorrectionOutput]) {
        switch method {
        case .none: sink.breakSeries(into: &outputs)
        case .lipponenTarvainen: artefacts?.end(sink: &sink, into: &outputs)
        case .threshold: threshold?.end(sink: &sink, into: &outputs)
        case .quotient: quotient?.end(sink: &sink, into: &outputs)
        }
    }
}
