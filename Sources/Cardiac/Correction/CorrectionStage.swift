public import Signals

/// Turns inter-beat intervals into NN intervals, with a line of audit for every interval it changes.
///
/// Nothing is judged or corrected across a break: each run of contiguous intervals stands alone. Intervals that are
/// not positive numbers are left out without a trace and break the series.
public struct CorrectionStage: Stage {
    private let method: CorrectionMethod
    // One of them, in its place: taken out of an enumeration it would be copied for every interval.
    private var artefacts: ArtefactCorrector?
    private var threshold: ThresholdCorrector?
    private var quotient: QuotientCorrector?
    private var sink: CorrectionSink
    private var index = 0

    /// A stage that corrects with these parameters.
    /// - Throws: the first parameter that has no meaning.
    public init(_ parameters: CorrectionParameters = CorrectionParameters()) throws(InvalidParameter) {
        try parameters.validate()
        sink = CorrectionSink(longestInterpolation: parameters.longestInterpolation)
        method = parameters.method
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
        case .lipponenTarvainen: ArtefactCorrector.lookAhead
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
