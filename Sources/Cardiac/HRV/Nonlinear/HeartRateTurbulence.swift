import Kernels
public import Signals

/// Heart rate turbulence: how the sinus rhythm answers a ventricular premature beat (Schmidt et al. 1999, Lancet
/// 353:1390-1396; Bauer et al. 2008, J Am Coll Cardiol 52:1353-1365).
///
/// It needs intervals as they were measured, before correction takes the premature beats out. A premature beat is told
/// by its intervals: the one that ends with it at most 80 %, the pause after it at least 120 % of the mean of the five
/// intervals before. It counts where the five intervals before and the fifteen after are sinus intervals: 300 to 2000
/// ms, within 20 % of that mean, no more than 200 ms from one to the next, and no break among them. Intervals cannot tell
/// where a premature beat comes from: where beats are annotated with kinds, other than normal alone, it must be one of the
/// ventricles. A fusion beat is none, as the atria have a part in it.
public struct HeartRateTurbulence: Hashable, Codable, Sendable {
    /// Turbulence onset in percent: by how much the first two intervals after the pause are longer than the last two
    /// before the premature beat, averaged over the beats that count; nil where there are none. Below 0 is normal.
    public var onset: Double?
    /// Turbulence slope in ms per beat: the steepest line of least squares through five successive intervals of the
    /// first fifteen after the pause, in their average over the beats that count. Above 2.5 is normal.
    public var slope: Double?
    /// How many premature beats count. Five and more are recommended.
    public var count = 0

    private static let before = 5
    private static let after = 15

    /// The turbulence of a series of intervals.
    public init(of intervals: [IBI]) {
        var onsets = 0.0
        var average = [Double](repeating: 0, count: Self.after)
        // Detectors that write annotations call every beat normal: that tells no kinds apart.
        let isAnnotated = intervals.contains { $0.kind != .beat && $0.kind != .normal }
        for place in intervals.indices.dropFirst(Self.before) {
            if isAnnotated, intervals[place].kind != .ventricular { continue }
            guard let answer = Self.answer(intervals, place) else { continue }
            let last = intervals[place - 2].milliseconds + intervals[place - 1].milliseconds
            onsets += 100 * (answer[0] + answer[1] - last) / last
            for beat in average.indices { average[beat] += answer[beat] }
            count += 1
        }
        guard count > 0 else { return }
        onset = onsets / Double(count)
        let beats = (0..<5).map(Double.init)
        slope = (0...Self.after - 5).map { start in
            Statistics.linearFit(x: beats, y: average[start..<start + 5].map { $0 / Double(count) }).slope
        }.max()
    }

    /// The fifteen intervals, in ms, after the pause of the premature beat that ends the interval at `place`; nil where
    /// there is no such beat, or something else disturbs the rhythm around it.
    private static func answer(_ intervals: [IBI], _ place: Int) -> [Double]? {
        let end = place + 1 + after
        guard end < intervals.count else { return nil }
        let (early, pause) = (intervals[place].milliseconds, intervals[place + 1].milliseconds)
        let normal = intervals[place - before..<place].reduce(0) { $0 + $1.milliseconds } / Double(before)
        guard early <= 0.8 * normal, pause >= 1.2 * normal else { return nil }
        let preceding = intervals[place - before..<place].map(\.milliseconds)
        let following = intervals[place + 2...end].map(\.milliseconds)
        guard isSinus(preceding, normal), isSinus(following, normal) else { return nil }
        guard intervals[place - before + 1...end].allSatisfy(\.isContiguous) else { return nil }
        return following
    }

    private static func isSinus(_ durations: [Double], _ normal: Double) -> Bool {
        durations.allSatisfy { (300...2_000).contains($0) && abs($0 - normal) <= 0.2 * normal }
            && zip(durations, durations.dropFirst()).allSatisfy { abs($1 - $0) <= 200 }
    }
}

extension HeartRateTurbulence {
    private static let reference =
        "Schmidt et al. 1999, Lancet 353:1390-1396; Bauer et al. 2008, J Am Coll Cardiol 52:1353-1365"
    private static let least =
        "a ventricular premature beat with 5 sinus intervals before and 15 after; 5 and more are recommended"

    /// The columns of `table`.
    public static let columns: [Column] = [
        Column(
            "turbulenceOnset", unit: .percent,
            "By how much the first two intervals after the pause of a premature beat are longer than the last two before "
                + "it, averaged over the premature beats; below 0 is normal", reference: reference, leastData: least),
        Column(
            "turbulenceSlope", unit: Unit("ms/beat"),
            "Steepest line of least squares through five successive of the first fifteen intervals after the pause, in "
                + "their average over the premature beats; above 2.5 is normal", reference: reference, leastData: least),
        Column(
            "nPremature", unit: .dimensionless,
            "Premature beats that count: coupled at 80 % or less and paused for 120 % or more of the five intervals before, "
                + "among undisturbed sinus intervals; of the ventricles (V) alone where beats are annotated with kinds, "
                + "without fusion beats", reference: reference),
    ]

    /// One row.
    public var table: Table {
        Table(columns: Self.columns, rows: [[.optional(onset), .optional(slope), .integer(count)]])
    }
}
