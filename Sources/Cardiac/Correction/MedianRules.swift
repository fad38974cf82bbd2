import Signals

/// Finds intervals further than a threshold from the median of the eleven around them, in one run after another.
struct ThresholdCorrector {
    /// Intervals after the one that is decided that may have a say in it.
    static let lookAhead = 11
    private static let half = 5

    private let threshold: Seconds
    private var waiting: [(index: Int, ibi: IBI)] = []
    private var decided = 0

    init(_ parameters: CorrectionParameters) {
        threshold = parameters.threshold
    }

    mutating func append(_ ibi: IBI, index: Int, sink: inout CorrectionSink, into outputs: inout [CorrectionOutput]) {
        waiting.append((index, ibi))
        while max(decided, Self.half) + Self.half < waiting.count - 1 { decide(&sink, into: &outputs) }
        guard decided > 4_096 else { return }
        waiting.removeFirst(decided - 64)
        decided = 64
    }

    mutating func end(sink: inout CorrectionSink, into outputs: inout [CorrectionOutput]) {
        while decided < waiting.count { decide(&sink, into: &outputs) }
        sink.breakSeries(into: &outputs)
        waiting.removeAll(keepingCapacity: true)
        decided = 0
    }

    private mutating func decide(_ sink: inout CorrectionSink, into outputs: inout [CorrectionOutput]) {
        let (index, ibi) = waiting[decided]
        let last = min(max(decided, Self.half) + Self.half, waiting.count - 1)
        let around = waiting[max(0, last - 2 * Self.half)...last].map(\.ibi.duration)
        decided += 1
        let normal = sortedQuantile(around.sorted(), 0.5)
        guard abs(ibi.duration - normal) > threshold else {
            sink.keep(index, ibi.onset, ibi.duration, into: &outputs)
            return
        }
        let before = sink.lastKept?.duration ?? normal
        var after = decided < waiting.count ? waiting[decided].ibi.duration : normal
        if abs(after - normal) > threshold { after = normal }
        sink.estimate(
            index, [ibi.onset], [(before + after) / 2], old: ibi.duration, .longShort, .beyondThreshold,
            into: &outputs)
    }
}

/// Finds intervals that differ by more than a share from the median of the five before and from that of the five after,
/// and leaves them out (Vest et al. 2018): where the rate has just changed, one of the two agrees. At the ends of a run
/// the side that has three intervals decides.
struct QuotientCorrector {
    /// Intervals after the one that is decided that may have a say in it.
    static let lookAhead = 5
    private static let half = 5

    private let quotient: Double
    private var waiting: [(index: Int, ibi: IBI)] = []
    private var decided = 0

    init(_ parameters: CorrectionParameters) {
        quotient = parameters.quotient
    }

    mutating func append(_ ibi: IBI, index: Int, sink: inout CorrectionSink, into outputs: inout [CorrectionOutput]) {
        waiting.append((index, ibi))
        while decided + Self.half < waiting.count { decide(&sink, into: &outputs) }
        guard decided > 4_096 else { return }
        waiting.removeFirst(decided - 64)
        decided = 64
    }

    mutating func end(sink: inout CorrectionSink, into outputs: inout [CorrectionOutput]) {
        while decided < waiting.count { decide(&sink, into: &outputs) }
        sink.breakSeries(into: &outputs)
        waiting.removeAll(keepingCapacity: true)
        decided = 0
    }

    private mutating func decide(_ sink: inout CorrectionSink, into outputs: inout [CorrectionOutput]) {
        let (index, ibi) = waiting[decided]
        let before = max(0, decided - Self.half)..<decided
        let after = decided + 1..<min(decided + 1 + Self.half, waiting.count)
        decided += 1
        let sides = [before, after].filter { $0.count >= 3 }
        if !sides.isEmpty, sides.allSatisfy({ differs(ibi.duration, from: $0) }) {
            sink.remove(index, ibi.onset, ibi.duration, .longShort, .beyondQuotient, into: &outputs)
        } else {
            sink.keep(index, ibi.onset, ibi.duration, into: &outputs)
        }
    }

    private func differs(_ duration: Seconds, from neighbours: Range<Int>) -> Bool {
        let normal = sortedQuantile(waiting[neighbours].map(\.ibi.duration).sorted(), 0.5)
        return abs(duration - normal) > quotient * normal
    }
}
