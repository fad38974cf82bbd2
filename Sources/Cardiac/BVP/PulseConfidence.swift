import Foundation

/// How sure a decided pulse is, from its rhythm, its likeness to its neighbours and to the mean shape, from what had
/// to be passed over beside it, and from how sure the pulses before it were.
///
/// Two logistic models, one for the pulse alone and one for it in the light of the pulses before. Their weights were
/// fitted once to pulses judged by simultaneous ECG, with motion noise added and without, and to noise alone.
struct PulseConfidence {
    private var template = PulseTemplate()
    /// Running mean of the confidence in single pulses.
    private(set) var context: Float = 0.5
    private let rate: Double

    /// A judge of pulses at `rate` Hz.
    init(rate: Double) {
        self.rate = rate
    }

    /// Forgets the run so far.
    mutating func reset() {
        template.reset()
        context = 0.5
    }

    /// The confidence, 0…1, of a pulse in `wave`; `doubt`, in log-odds, is what motion makes of it.
    mutating func judge(
        _ decision: PulsePath.Decision, in wave: borrowing PulseWave, sign: Float, doubt: Float
    ) -> Float {
        let pulse = decision.upstroke
        let likeness = template.correlation(of: wave, at: pulse.position, sign: sign, scale: exp(-pulse.logSlope))
        let period = decision.previous?.period ?? pulse.period
        var evidence = 6.4 * likeness - 3
        evidence -= 2.9 * offBeat(decision.previous, pulse, period) + 2.6 * offBeat(pulse, decision.next, period)
        evidence -= 0.6 * (change(decision.previous, pulse) + change(pulse, decision.next))
        evidence -= 0.46 * max(-3, min(1.5, decision.rejected - pulse.logSlope))
        evidence -= doubt
        let confidence = logistic(0.52 * evidence + 7 * context - 3.9)
        context += 0.25 * (logistic(evidence) - context)
        template.learn(confidence > 0.6 ? 0.15 : 0.05)
        return confidence
    }

    /// How far the interval between two pulses is from the running period, as a ratio, at most 1.
    private func offBeat(_ a: Upstroke?, _ b: Upstroke?, _ period: Float) -> Float {
        guard let a, let b else { return 0.5 }
        let interval = Float((b.position - a.position) / rate)
        return min(1, abs(2 * (interval - period) / (interval + period)))
    }

    /// Logarithm of the ratio of two pulses' steepness, at most 1.5 either way.
    private func change(_ a: Upstroke?, _ b: Upstroke?) -> Float {
        guard let a, let b else { return 0.5 }
        return min(1.5, abs(b.logSlope - a.logSlope))
    }

    private func logistic(_ x: Float) -> Float {
        1 / (1 + exp(-max(-20, min(20, x))))
    }
}
