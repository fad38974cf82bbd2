import Foundation

/// The belief about the heart rate from window to window: a hidden Markov model, forward in time only.
///
/// From one window to the next the rate changes by a Laplace-distributed amount, or rarely by any. The evidence of
/// a window is tempered, because windows overlap and noise is no white one, and never certain, because a window may hold
/// something else than pulses. Belief propagation over windows: Bieri et al. 2023 (BeliefPPG), Proc UAI 216:176.
struct RateTracker: Sendable {
    /// The rate that the belief is highest around.
    struct Estimate {
        /// Beats per minute.
        var rate: Double
        /// The belief within 5 per minute of it, 0…1.
        var mass: Double
        /// The share of the evidence near it in the last windows, 0…1.
        var support: Double
    }

    /// The mean change of the rate from one window to the next, per minute.
    private static let change = 2.0
    /// The share of windows from which the rate jumps anywhere.
    private static let jumps = 1e-5
    /// The share of windows that hold no pulses.
    private static let strays = 0.2
    /// Half the number of independent samples that the evidence of a window counts as.
    private static let weight = 25.0
    /// The weight of the newest window in the support.
    private static let memory = 0.2

    private let prior: [Double]
    private let decay: Double
    private let norms: [Double]
    private var belief: [Double]
    private var support: Double?
    /// The index of the rate that is followed; nil before one is likely.
    private var followed: Int?
    /// The latest rate from a window in which the pulse was seen, and the seconds since then in which it was hidden.
    private var lastSeen = 0.0
    private var hiddenFor = 0.0
    /// The share of an oscillation that must be free of the movement for it to be seen.
    private static let free = 0.15

    init() {
        let count = PulseRateEvidence.rateCount
        let heights = (0..<count).map { exp(-pow(log(PulseRateEvidence.rate($0) / 85), 2) / (2 * 0.45 * 0.45)) }
        let total = heights.reduce(0, +)
        prior = heights.map { $0 / total }
        let factor = exp(-1 / Self.change)
        decay = factor
        norms = (0..<count).map { place in
            (0..<count).reduce(0.0) { $0 + pow(factor, Double(abs($1 - place))) }
        }
        belief = prior
    }

    /// Forgets all that was known.
    mutating func reset() {
        belief = prior
        support = nil
        (followed, lastSeen, hiddenFor) = (nil, 0, 0)
    }

    /// One window without evidence.
    mutating func skip() { spread() }

    /// True where a movement at the rate of the heart hides the pulse: it explains almost the whole window, and almost
    /// the whole of an oscillation at the rate that is followed. What is left over counts only where it clearly shows a rate
    /// that the heart can have reached since it was seen.
    func isHidden(by finding: PulseRateEvidence.Finding) -> Bool {
        guard let followed, finding.free[followed] < Self.free, finding.unexplained < 0.1 else { return false }
        let best = finding.left.indices.min { finding.left[$0] < finding.left[$1] } ?? followed
        let reach = 12 + 0.4 * (hiddenFor + PulseRateParameters.step)
        let isReachable = abs(PulseRateEvidence.rate(best) - lastSeen) <= reach
        return !isReachable || finding.free[best] < Self.free || 1 - exp(finding.left[best]) < 0.4
    }

    /// One window in which the pulse is hidden: the rate goes on, and the belief in it fades.
    mutating func coast() -> Estimate {
        spread()
        let estimate = estimate(nil)
        followed = Self.index(of: estimate.rate)
        hiddenFor += PulseRateParameters.step
        return estimate
    }

    private static func index(of rate: Double) -> Int {
        max(0, min(PulseRateEvidence.rateCount - 1, Int((rate - PulseRateEvidence.lowest).rounded())))
    }

    /// One window with the logarithms of the shares of power that each rate leaves.
    mutating func take(_ left: [Double]) -> Estimate {
        spread()
        let least = left.min() ?? 0
        var evidence = left.map { exp(Self.weight * (least - $0)) }
        let total = evidence.reduce(0, +)
        let stray = Self.strays / Double(left.count)
        var sum = 0.0
        for index in evidence.indices {
            evidence[index] /= total
            belief[index] *= (1 - Self.strays) * evidence[index] + stray
            sum += belief[index]
        }
        for index in belief.indices { belief[index] /= sum }
        let estimate = estimate(evidence)
        if estimate.mass > 0.5 {
            (followed, lastSeen, hiddenFor) = (Self.index(of: estimate.rate), estimate.rate, 0)
        }
        return estimate
    }

    private mutating func estimate(_ evidence: [Double]?) -> Estimate {
        let peak = belief.indices.max { belief[$0] < belief[$1] } ?? 0
        let around = max(0, peak - 6)...min(belief.count - 1, peak + 6)
        let rate =
            around.reduce(0) { $0 + belief[$1] * PulseRateEvidence.rate($1) } / around.reduce(0) { $0 + belief[$1] }
        let mass = belief.indices.reduce(0) { abs(PulseRateEvidence.rate($1) - rate) <= 5 ? $0 + belief[$1] : $0 }
        if let evidence {
            let near = evidence.indices.reduce(0) {
                abs(PulseRateEvidence.rate($1) - rate) <= 8 ? $0 + evidence[$1] : $0
            }
            support = support.map { $0 + Self.memory * (near - $0) } ?? near
        }
        return Estimate(rate: rate, mass: mass, support: support ?? 0)
    }

    /// The belief a window later: each rate's share falls off on both sides as a Laplace distribution does.
    private mutating func spread() {
        var forward = belief
        for index in forward.indices { forward[index] = belief[index] / norms[index] }
        var backward = forward
        for index in forward.indices.dropFirst() { forward[index] += decay * forward[index - 1] }
        for index in backward.indices.dropLast().reversed() { backward[index] += decay * backward[index + 1] }
        for index in belief.indices {
            let own = belief[index] / norms[index]
            belief[index] = (1 - Self.jumps) * (forward[index] + backward[index] - own) + Self.jumps * prior[index]
        }
    }
}
