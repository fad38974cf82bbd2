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
    /// The weight of the newest window in the support.
    private static let memory = 0.2

    private let prior: [Double]
    private let decay: Double
    /// Of each rate, 1 over the sum of the weights with which it spreads.
    private let shares: [Double]
    private var belief: [Double]
    private var backward: [Double]
    private var evidence = RateValues()
    private var support: Double?
    /// The index of the rate that is followed; nil before one is likely.
    private var followed: Int?
    /// The latest rate from a window in which the pulse was seen, and the seconds since then in which it was hidden.
    private var lastSeen = 0.0
    private var hiddenFor = 0.0
    /// The share of an oscillation that must be free of the movement for it to be seen.
    private static let free: Float = 0.15

    init() {
        let count = PulseRateEvidence.rateCount
        let heights = (0..<count).map { exp(-pow(log(PulseRateEvidence.rate($0) / 85), 2) / (2 * 0.45 * 0.45)) }
        let total = heights.reduce(0, +)
        prior = heights.map { $0 / total }
        let factor = exp(-1 / Self.change)
        decay = factor
        shares = (0..<count).map { place in
            1 / (0..<count).reduce(0.0) { $0 + pow(factor, Double(abs($1 - place))) }
        }
        belief = prior
        backward = prior
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
        guard let followed, finding.unexplained < 0.1, finding.free(followed) < Self.free else { return false }
        let indices = 0..<PulseRateEvidence.rateCount
        let best = indices.min { finding.left[$0] < finding.left[$1] } ?? followed
        let reach = 12 + 0.4 * (hiddenFor + PulseRateParameters.step)
        let isReachable = abs(PulseRateEvidence.rate(best) - lastSeen) <= reach
        return !isReachable || finding.free(best) < Self.free || 1 - finding.left[best] < 0.4
    }

    /// One window in which the pulse is hidden: the rate goes on, and the belief in it fades.
    mutating func coast() -> Estimate {
        spread()
        let estimate = estimate(isSeen: false)
        followed = Self.index(of: estimate.rate)
        hiddenFor += PulseRateParameters.step
        return estimate
    }

    private static func index(of rate: Double) -> Int {
        max(0, min(PulseRateEvidence.rateCount - 1, Int((rate - PulseRateEvidence.lowest).rounded())))
    }

    /// One window with the shares of power that each rate leaves.
    mutating func take(_ left: RateValues) -> Estimate {
        spread()
        weigh(left)
        let stray = Self.strays / Double(belief.count)
        evidence.lanes.withUnsafeBytes { lanes in
            let evidence = lanes.bindMemory(to: Float.self)
            belief.withUnsafeMutableBufferPointer { belief in
                var sum = 0.0
                for index in belief.indices {
                    belief[index] *= (1 - Self.strays) * Double(evidence[index]) + stray
                    sum += belief[index]
                }
                let factor = 1 / sum
                for index in belief.indices { belief[index] *= factor }
            }
        }
        let estimate = estimate(isSeen: true)
        if estimate.mass > 0.5 {
            (followed, lastSeen, hiddenFor) = (Self.index(of: estimate.rate), estimate.rate, 0)
        }
        return estimate
    }

    /// Makes evidence of a sum of 1. The share that an oscillation leaves counts as half of 50 independent samples do: it
    /// is taken to the power of -25.
    private mutating func weigh(_ left: RateValues) {
        let least = RateValues.Lanes(repeating: left.minimum)
        var total = RateValues.Lanes.zero
        for lane in 0..<RateValues.laneCount {
            let ratio = least / left.lanes[lane]
            let square = ratio * ratio
            let fourth = square * square
            let eighth = fourth * fourth
            var share = eighth * eighth * eighth * ratio
            if lane == RateValues.laneCount - 1 { share[7] = 0 }
            evidence.lanes[lane] = share
            total += share
        }
        let sum = total.sum()
        for lane in 0..<RateValues.laneCount { evidence.lanes[lane] /= sum }
    }

    private mutating func estimate(isSeen: Bool) -> Estimate {
        var peak = 0
        for index in belief.indices where belief[index] > belief[peak] { peak = index }
        var (moment, around) = (0.0, 0.0)
        for index in max(0, peak - 6)...min(belief.count - 1, peak + 6) {
            moment += belief[index] * PulseRateEvidence.rate(index)
            around += belief[index]
        }
        let rate = moment / around
        let mass = Self.indices(within: 5, of: rate).reduce(0) { $0 + belief[$1] }
        if isSeen {
            let near = Self.indices(within: 8, of: rate).reduce(0) { $0 + Double(evidence[$1]) }
            support = support.map { $0 + Self.memory * (near - $0) } ?? near
        }
        return Estimate(rate: rate, mass: mass, support: support ?? 0)
    }

    /// The indices of the rates that differ from `rate` by `distance` at most.
    private static func indices(within distance: Double, of rate: Double) -> ClosedRange<Int> {
        let (first, last) = (rate - distance - PulseRateEvidence.lowest, rate + distance - PulseRateEvidence.lowest)
        let middle = index(of: rate)
        return min(
            middle, max(0, Int(first.rounded(.up))))...max(
                middle, min(PulseRateEvidence.rateCount - 1, Int(last.rounded(.down))))
    }

    /// The belief a window later: each rate's share falls off on both sides as a Laplace distribution does.
    private mutating func spread() {
        let (decay, jumps, count) = (decay, Self.jumps, belief.count)
        belief.withUnsafeMutableBufferPointer { belief in
            backward.withUnsafeMutableBufferPointer { backward in
                shares.withUnsafeBufferPointer { shares in
                    prior.withUnsafeBufferPointer { prior in
                        var (after, before) = (0.0, 0.0)
                        for index in 0..<count {
                            after = decay * after + belief[count - 1 - index] * shares[count - 1 - index]
                            backward[count - 1 - index] = after
                        }
                        for index in 0..<count {
                            let own = belief[index] * shares[index]
                            before = decay * before + own
                            belief[index] =
                                (1 - jumps) * (before + backward[index] - own) + jumps * prior[index]
                        }
                    }
                }
            }
        }
    }
}
