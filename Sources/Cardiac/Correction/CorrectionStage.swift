public import Signals

/// Turns inter-beat intervals into NN intervals, with a line of audit for every interval it changes.
///
/// Nothing is judged or corrected across a break: each run of contiguous intervals stands alone. Intervals that are
/// not positive numbers are left out without a trace and break the series.
public struct CorrectionStage: Stage {
    private enum Rule {
        case keep
        case artefacts(ArtefactCorrector)
        case threshold(ThresholdCorrector)
        case quotient(QuotientCorrector)
    }

    private var rule: Rule
    private var sink: CorrectionSink
    private var index = 0

    /// A stage that corrects with these parameters.
    /// - Throws: the first parameter that has no meaning.
    public init(_ parameters: CorrectionParameters = CorrectionParameters()) throws(InvalidParameter) {
        try parameters.validate()
        sink = CorrectionSink(longestInterpolation: parameters.longestInterpolation)
        switch parameters.method {
        case .none: rule = .keep
        case .lipponenTarvainen: rule = .artefacts(ArtefactCorrector(parameters))
        case .threshold: rule = .threshold(ThresholdCorrector(parameters))
        case .quotient: rule = .quotient(QuotientCorrector(parameters))
        }
    }

    /// How many later intervals may have a say in what becomes of one.
    public var lookAheadIntervals: Int {
        switch rule {
        case .keep: 0
        case .artefacts: ArtefactCorrector.lookAhead
        case .threshold: ThresholdCorrector.lookAhead
        case .quotient: QuotientCorrector.lookAhead + 1
        }
    }

    /// The time that `lookAheadIntervals` take at 30 beats a minute.
    public var lookAhead: Seconds { Double(lookAheadIntervals) * 2 }

    /// A run begins: the previous one is decided to its end.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [CorrectionOutput]) {
        endRun(into: &outputs)
    }

    /// The next intervals.
    public mutating func push(_ intervals: Span<IBI>, into outputs: inout [CorrectionOutput]) {
        for place in intervals.indices { take(intervals[place], into: &outputs) }
    }

    /// Decides about the last intervals and starts anew.
    public mutating func finish(into outputs: inout [CorrectionOutput]) {
        endRun(into: &outputs)
        index = 0
    }

    private mutating func take(_ ibi: IBI, into outputs: inout [CorrectionOutput]) {
        defer { index += 1 }
        let isInterval = ibi.duration > 0 && ibi.duration < 1e9 && ibi.onset.isPlaceable
        if !ibi.isContiguous || !isInterval { endRun(into: &outputs) }
        guard isInterval else { return }
        switch rule {
        case .keep:
            sink.keep(index, ibi.onset, ibi.duration, into: &outputs)
            sink.flush(into: &outputs)
        case .artefacts(var corrector):
            rule = .keep
            corrector.append(ibi, index: index, sink: &sink, into: &outputs)
            rule = .artefacts(corrector)
        case .threshold(var corrector):
            rule = .keep
            corrector.append(ibi, index: index, sink: &sink, into: &outputs)
            rule = .threshold(corrector)
        case .quotient(var corrector):
            rule = .keep
            corrector.append(ibi, index: index, sink: &sink, into: &outputs)
            rule = .quotient(corrector)
        }
    }

    private mutating func endRun(into outputs: inout [CorrectionOutput]) {
        switch rule {
        case .keep: sink.breakSeries(into: &outputs)
        case .artefacts(var corrector):
            rule = .keep
            corrector.end(sink: &sink, into: &outputs)
            rule = .artefacts(corrector)
        case .threshold(var corrector):
            rule = .keep
            corrector.end(sink: &sink, into: &outputs)
            rule = .threshold(corrector)
        case .quotient(var corrector):
            rule = .keep
            corrector.end(sink: &sink, into: &outputs)
            rule = .quotient(corrector)
        }
    }
}
