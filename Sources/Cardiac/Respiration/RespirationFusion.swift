import Kernels

/// Joins what several methods say of the same window.
///
/// Karlen et al. 2013 (IEEE Trans Biomed Eng 60:1946-1953, "smart fusion"): the rates are averaged where their
/// standard deviation is at most 4 breaths per minute, and there is none where they disagree. Here each rate weighs as
/// much as its peak stands out, and two rates suffice, or one that stands out with a quality of 0.5. A rate told from
/// intervals that lies less than a fifth above `RespirationParameters.lowestIntervalRate` may be the edge of the slow
/// waves below: it does not stand alone.
public enum RespirationFusion {
    /// Quality of a rate that needs no other.
    private static let sufficient = 0.5
    /// How far a lone rate of intervals must lie above the slowest that intervals may tell.
    private static let clearOfSlowWaves = 1.2

    /// The fused window of estimates for one window by different methods.
    /// - Parameters:
    ///   - estimates: all of the same onset and duration; nil is returned for none.
    ///   - method: what the fused window is called.
    ///   - parameters: say how far the rates may differ.
    public static func fuse(
        _ estimates: [RespirationWindow], as method: RespirationMethod = .fusion,
        parameters: RespirationParameters = RespirationParameters()
    ) -> RespirationWindow? {
        guard let first = estimates.first else { return nil }
        let known = estimates.compactMap { window in
            window.rate.map { (rate: $0, quality: window.quality, restsOnIntervals: window.method.restsOnIntervals) }
        }
        var fused = RespirationWindow(
            onset: first.onset, duration: first.duration, method: method,
            coverage: estimates.map(\.coverage).max() ?? 0, rate: nil, quality: 0)
        if known.count == 1, known[0].restsOnIntervals,
            known[0].rate < clearOfSlowWaves * parameters.lowestIntervalRate
        {
            fused.missing = .slowWaves(known[0].rate)
            return fused
        }
        if known.count == 1, known[0].quality >= sufficient {
            (fused.rate, fused.quality) = (known[0].rate, 0.75 * known[0].quality)
            return fused
        }
        guard known.count > 1 else {
            fused.missing = reason(estimates, known: known.count)
            return fused
        }
        let spread = Statistics.standardDeviation(known.map(\.rate))
        let limit = parameters.largestDisagreement
        guard spread <= limit else {
            fused.missing = .disagreement(spread, greatest: limit)
            return fused
        }
        let weights = known.reduce(0) { $0 + $1.quality }
        fused.rate =
            weights > 0
            ? known.reduce(0) { $0 + $1.rate * $1.quality } / weights : Statistics.mean(known.map(\.rate))
        fused.quality = weights / Double(known.count) * (limit > 0 ? 1 - 0.5 * spread / limit : 1)
        return fused
    }

    /// Too little data where no method had enough.
    private static func reason(_ estimates: [RespirationWindow], known: Int) -> RespirationMissing {
        let lacking = estimates.compactMap { window -> RespirationMissing? in
            switch window.missing {
            case .lowCoverage, .tooFewBeats: window.missing
            default: nil
            }
        }
        if let reason = lacking.first, lacking.count == estimates.count { return reason }
        return .tooFewEstimates(known)
    }
}
