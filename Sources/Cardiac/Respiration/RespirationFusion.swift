import Kernels

/// Joins the estimates of several methods for the same window.
///
/// Karlen et al. 2013 (IEEE Trans Biomed Eng 60:1946-1953, "smart fusion"): the rates are averaged where their
/// standard deviation is at most 4 breaths per minute, and there is none where they disagree. Here each rate weighs by
/// its quality, and rates within 2/min of each other outvote one that is not.
///
/// One method alone suffices with a quality of 0.5, or of 0.45 for the level of the pulse, which
/// follows breathing best. The height of the pulse alone never does: vasomotion swings it at 4 to 9/min more than breathing
/// (Allen 2007, Physiol Meas 28:R1-R39). A rate of intervals that lies less than a fifth above
/// `RespirationParameters.lowestIntervalRate` may be the edge of these slow waves: it does not stand alone. Where the height
/// of the pulse swings as slowly, a rate needs the intervals as well, or a level with a quality of 0.8.
public enum RespirationFusion {
    /// Quality of a rate that needs no other.
    private static let sufficient = 0.5
    /// The same for the level of the pulse.
    private static let sufficientLevel = 0.45
    /// Quality of the level of the pulse that needs no support of intervals where the height swings slowly, too.
    private static let certain = 0.8
    /// How far a lone rate of intervals must lie above the slowest that intervals may tell.
    private static let clearOfSlowWaves = 1.2
    /// The largest distance of rates that outvote another one, breaths per minute.
    private static let agreement = 2.0
    /// The weight of a rate that not all methods support.
    private static let doubt = 0.75

    private struct Estimate {
        var method: RespirationMethod
        var rate: Double
        var quality: Double
    }

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
        var fused = RespirationWindow(
            onset: first.onset, duration: first.duration, method: method,
            coverage: estimates.map(\.coverage).max() ?? 0, rate: nil, quality: 0)
        let slow = clearOfSlowWaves * parameters.lowestIntervalRate
        let known = estimates.compactMap { window in
            window.rate.map { Estimate(method: window.method, rate: $0, quality: window.quality) }
        }
        let joined: Result<(rate: Double, quality: Double, of: [Estimate]), RespirationMissing>
        switch known.count {
        case 0: joined = .failure(reason(estimates, known: 0))
        case 1: joined = alone(known[0], estimates, slow: slow)
        default: joined = together(known, limit: parameters.largestDisagreement)
        }
        switch joined {
        case .failure(let reason): fused.missing = reason
        case .success(let (rate, quality, sources)):
            if rate < slow, isVasomotion(rate, sources, estimates, slow: slow) {
                fused.missing = .slowWaves(rate)
            } else {
                (fused.rate, fused.quality) = (rate, quality)
            }
        }
        return fused
    }

    private static func alone(
        _ estimate: Estimate, _ estimates: [RespirationWindow], slow: Double
    ) -> Result<(rate: Double, quality: Double, of: [Estimate]), RespirationMissing> {
        if estimate.method.restsOnIntervals, estimate.rate < slow { return .failure(.slowWaves(estimate.rate)) }
        let needed = estimate.method == .bvpBaseline ? sufficientLevel : sufficient
        guard estimate.method != .bvpAmplitude, estimate.quality >= needed else {
            return .failure(reason(estimates, known: 1))
        }
        return .success((estimate.rate, doubt * estimate.quality, [estimate]))
    }

    private static func together(
        _ known: [Estimate], limit: Double
    ) -> Result<(rate: Double, quality: Double, of: [Estimate]), RespirationMissing> {
        let majority = majority(known)
        let spread = Statistics.standardDeviation(majority.map(\.rate))
        guard spread <= limit else { return .failure(.disagreement(spread, greatest: limit)) }
        let weights = majority.reduce(0) { $0 + $1.quality }
        let rate =
            weights > 0
            ? majority.reduce(0) { $0 + $1.rate * $1.quality } / weights : Statistics.mean(majority.map(\.rate))
        let agreement = limit > 0 ? 1 - 0.5 * spread / limit : 1
        let support = majority.count < known.count ? doubt : 1
        return .success((rate, support * weights / Double(majority.count) * agreement, majority))
    }

    /// The two or more rates within `agreement` of each other that weigh most; all where no two are.
    private static func majority(_ known: [Estimate]) -> [Estimate] {
        let sorted = known.sorted { ($0.rate, $0.method.rawValue) < ($1.rate, $1.method.rawValue) }
        let groups = sorted.indices.map { start in
            sorted[start...].prefix { $0.rate - sorted[start].rate <= agreement }
        }.filter { $0.count > 1 }
        func weight(_ group: ArraySlice<Estimate>) -> Double { group.reduce(0) { $0 + $1.quality } }
        guard let heaviest = groups.max(by: { weight($0) < weight($1) }) else { return known }
        return Array(heaviest)
    }

    /// True for a slow rate that may be that of vasomotion: the height of the pulse swings slowly as well, and neither intervals
    /// nor a level that swings by hardly anything else confirm it.
    private static func isVasomotion(
        _ rate: Double, _ sources: [Estimate], _ estimates: [RespirationWindow], slow: Double
    ) -> Bool {
        let height = estimates.first { $0.method == .bvpAmplitude }
        let swing: Double?
        if let rate = height?.rate {
            swing = rate
        } else if case .slowWaves(let rate) = height?.missing {
            swing = rate
        } else {
            swing = nil
        }
        guard let swing, swing < slow, abs(swing - rate) <= agreement else { return false }
        return !sources.contains { $0.method.restsOnIntervals || $0.method == .bvpBaseline && $0.quality >= certain }
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
