import Signals

/// Values of a run of intervals for spectra, in which those that correction estimated, and those that do not fit the rhythm
/// around them, follow from that rhythm.
///
/// An autoregressive model of the other intervals predicts each interval from those on both sides (`AutoregressiveFilling`).
/// A measured interval farther from its prediction than the limits below is bridged like an estimate. Correction
/// misses such intervals where breathing moves intervals about as much as a premature beat does: 0.7 of a
/// long interval is not far from a short one, but far from what its neighbours predict. The limits are lower next to
/// intervals that correction changed: a pause after a premature beat, and the parts of a couplet that correction merged as
/// an extra beat.
struct BridgedValues {
    /// The intervals in ms, those that are bridged as the model predicts them; nil where too few are measured for a model.
    let values: [Double]?
    /// The number of measured intervals that are bridged.
    let setAside: Int

    /// The number of intervals on either side of a changed one that are judged by the lower limits.
    private static let zone = 2
    /// The lower limits: standard deviations of the prediction, and a share of the mean interval.
    private static let besideChanged = Limit(deviations: 3, share: 0.02)
    /// The limits elsewhere.
    private static let elsewhere = Limit(deviations: 5, share: 0.06)
    /// Intervals are set aside and judged again at most this often.
    private static let rounds = 12
    /// The largest share of intervals that is set aside: more are a rhythm of their own.
    private static let mostSetAside = 0.1

    private struct Limit {
        var deviations: Double
        var share: Double

        func value(spread: Double, mean: Double) -> Double { max(deviations * spread, share * mean) }
    }

    init(_ run: ArraySlice<NN>) {
        let intervals = Array(run)
        let measured = intervals.map(\.milliseconds)
        let estimated = intervals.map { $0.status == .interpolated }
        let isEstimated = estimated.contains(true)
        let isJudged = intervals.contains(where: \.isCorrected) || Self.isUneven(measured)
        let known = estimated.count { !$0 }
        guard isEstimated || isJudged, known >= AutoregressiveFilling.fewest else {
            (values, setAside) = (isEstimated ? nil : measured, 0)
            return
        }
        let mean = measured.indices.reduce(0) { $0 + (estimated[$1] ? 0 : measured[$1]) } / Double(known)
        let centred = measured.map { $0 - mean }
        let judged = isJudged ? Self.judged(centred, intervals, estimated, mean) : nil
        guard let filling = judged ?? AutoregressiveFilling(centred, missing: estimated) else {
            (values, setAside) = (isEstimated ? nil : measured, 0)
            return
        }
        values = filling.values.map { $0 + mean }
        setAside = filling.missing.count { $0 } - (measured.count - known)
    }

    /// True where an interval differs from the mean of its neighbours by more than the smallest difference that is judged.
    private static func isUneven(_ values: [Double]) -> Bool {
        guard values.count > 2 else { return false }
        return (1..<values.count - 1).contains { place in
            let beside = values[place - 1] + values[place + 1]
            return abs(2 * values[place] - beside) > elsewhere.share * beside
        }
    }

    /// The filling in which all intervals that are measured fit; nil where too few fit for a model.
    private static func judged(
        _ centred: [Double], _ intervals: [NN], _ estimated: [Bool], _ mean: Double
    ) -> AutoregressiveFilling? {
        let isBeside = intervals.indices.map { place in
            let near = max(0, place - zone)...min(intervals.count - 1, place + zone)
            return near.contains { intervals[$0].isCorrected }
        }
        // Neighbours of what was changed are bridged at first, so that one that does not fit cannot hide another.
        guard var filling = AutoregressiveFilling(centred, missing: zip(estimated, isBeside).map { $0 || $1 })
        else { return nil }
        let most = max(3, Int(mostSetAside * Double(centred.count))) + estimated.count { $0 }
        for _ in 0..<rounds {
            let deviations = filling.deviations(of: centred)
            let sizes = deviations.indices.filter { !filling.missing[$0] }.map { abs(deviations[$0]) }.sorted()
            // The standard deviation of normally distributed deviations with this median size.
            let spread = 1.4826 * sortedQuantile(sizes, 0.5)
            let (low, high) = (
                besideChanged.value(spread: spread, mean: mean), elsewhere.value(spread: spread, mean: mean)
            )
            let missing = centred.indices.map { estimated[$0] || abs(deviations[$0]) > (isBeside[$0] ? low : high) }
            if missing == filling.missing { return filling }
            guard missing.count(where: { $0 }) <= most, let next = AutoregressiveFilling(centred, missing: missing)
            else { return AutoregressiveFilling(centred, missing: estimated) }
            filling = next
        }
        return filling
    }
}
