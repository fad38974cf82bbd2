import Signals

/// The runs of a table's rows, a sample each, between which samples were lost.
struct SampleRuns {
    /// Rows without a loss.
    struct Run: Hashable {
        var firstRow: Int
        /// Samples that were lost before it, since the table's beginning.
        var lost: Int
        /// Why those just before it are missing.
        var reason = Gap.Reason.deviceLost
    }

    private(set) var runs = [Run(firstRow: 0, lost: 0)]

    /// Samples that were lost, and at how many places.
    var lost: Int { runs[runs.count - 1].lost }
    var places: Int { runs.count - 1 }

    /// Notes that samples were lost before a row, which comes after all that were noted before it.
    mutating func lose(_ count: Int, before row: Int, reason: Gap.Reason = .deviceLost) {
        guard count > 0 else { return }
        runs.append(Run(firstRow: row, lost: lost + count, reason: reason))
    }

    /// Samples that were lost before a row, since the table's beginning.
    func lost(before row: Int) -> Int { runs[max(0, runs.partitioningIndex { $0.firstRow > row } - 1)].lost }

    /// Where a run begins in a stream of this rate.
    func start(of run: Int, sampleRate: Double) -> SegmentStart {
        let begun = runs[run]
        let onset = Double(begun.firstRow + begun.lost) / sampleRate
        var gap: Gap?
        if run > 0 {
            let end = Double(begun.firstRow + runs[run - 1].lost) / sampleRate
            gap = Gap(onset: end, duration: onset - end, reason: begun.reason)
        }
        return SegmentStart(onset: onset, sample: begun.firstRow, sampleRate: sampleRate, gap: gap)
    }

    /// `13 samples … at 2 places`, for a note; `what` stands between.
    func told(_ what: String) -> String {
        let samples = lost == 1 ? "1 sample" : "\(lost) samples"
        return "\(samples) \(what) at \(places == 1 ? "1 place" : "\(places) places")"
    }
}
