import Signals

/// Writes corrected intervals and their audit in the order of the series.
///
/// One kept interval is held back, as an extra beat may yet join it to the next one. Estimated lengths are only given
/// for a bounded number of intervals in a row; longer stretches are left out, and the series is broken there.
struct CorrectionSink {
    let longestInterpolation: Int
    private var held: (index: Int, interval: NN)?
    private var isBroken = true
    private var stretch = 0

    init(longestInterpolation: Int) {
        self.longestInterpolation = longestInterpolation
    }

    /// The last interval, where it was kept and what follows continues it.
    var lastKept: NN? { isBroken ? nil : held?.interval }

    /// Nothing that follows continues what came before.
    mutating func breakSeries(into outputs: inout [CorrectionOutput]) {
        flush(into: &outputs)
        isBroken = true
        stretch = 0
    }

    mutating func flush(into outputs: inout [CorrectionOutput]) {
        if let held { outputs.append(.interval(held.interval)) }
        held = nil
    }

    mutating func keep(_ index: Int, _ onset: Seconds, _ duration: Seconds, into outputs: inout [CorrectionOutput]) {
        flush(into: &outputs)
        held = (index, NN(onset: onset, duration: duration, isContiguous: !isBroken))
        isBroken = false
        stretch = 0
    }

    /// Leaves an interval out and breaks the series.
    mutating func remove(
        _ index: Int, _ onset: Seconds, _ old: Seconds, _ kind: CorrectionClass, _ reason: CorrectionReason,
        into outputs: inout [CorrectionOutput]
    ) {
        flush(into: &outputs)
        outputs.append(
            .row(CorrectionRow(index: index, onset: onset, kind: kind, old: old, new: nil, reason: reason)))
        isBroken = true
    }

    /// Puts estimated intervals, of which `onsets` are the ends, in the place of one.
    mutating func estimate(
        _ index: Int, _ onsets: [Seconds], _ durations: [Seconds], old: Seconds, _ kind: CorrectionClass,
        _ reason: CorrectionReason, into outputs: inout [CorrectionOutput]
    ) {
        stretch += durations.count
        guard stretch <= longestInterpolation else {
            remove(index, onsets[onsets.count - 1], old, kind, .longStretch, into: &outputs)
            return
        }
        flush(into: &outputs)
        for place in durations.indices {
            let (onset, new) = (onsets[place], durations[place])
            outputs.append(
                .row(
                    CorrectionRow(
                        index: index, onset: onset, kind: kind, old: place == 0 ? old : nil, new: new, reason: reason)))
            outputs.append(
                .interval(NN(onset: onset, duration: new, isContiguous: !isBroken, status: .interpolated)))
            isBroken = false
        }
    }

    /// Joins an interval to the one after it.
    mutating func merge(
        _ index: Int, _ onset: Seconds, _ old: Seconds, next: (onset: Seconds, duration: Seconds),
        into outputs: inout [CorrectionOutput]
    ) {
        flush(into: &outputs)
        appendMerge(index, onset, old, next, into: &outputs)
    }

    /// Joins an interval to the one before it, which was kept.
    mutating func mergeWithLast(
        onset: Seconds, duration: Seconds, into outputs: inout [CorrectionOutput]
    ) {
        guard let last = held else { return }
        held = nil
        if !last.interval.isContiguous { isBroken = true }
        appendMerge(
            last.index, last.interval.onset, last.interval.duration, (onset, duration), into: &outputs)
    }

    private mutating func appendMerge(
        _ index: Int, _ onset: Seconds, _ old: Seconds, _ next: (onset: Seconds, duration: Seconds),
        into outputs: inout [CorrectionOutput]
    ) {
        let sum = old + next.duration
        outputs.append(
            .row(
                CorrectionRow(index: index, onset: onset, kind: .extra, old: old, new: nil, reason: .sumIsNormal)))
        outputs.append(
            .row(
                CorrectionRow(
                    index: index + 1, onset: next.onset, kind: .extra, old: next.duration, new: sum,
                    reason: .sumIsNormal)))
        outputs.append(.interval(NN(onset: next.onset, duration: sum, isContiguous: !isBroken, status: .merged)))
        isBroken = false
        stretch = 0
    }
}
