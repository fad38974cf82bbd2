import Kernels

/// White noise through one-pole low-passes side by side, or the differences of that.
struct PoleBank: Sendable {
    private var poles: [(pole: Double, gain: Double, state: Double)]
    private let differences: Bool
    private var previous = 0.0

    /// Low-passes with corners in cycles per sample (0: none) and weights, scaled to a mean square of 1 and begun in
    /// their steady state.
    init(_ corners: [(corner: Double, weight: Double)], differences: Bool = false, random: inout RandomSource) {
        self.differences = differences
        poles = corners.map { corner, weight in
            let pole = corner == 0 ? 0 : Elementary.exp(-6.283185307179586 * corner)
            return (pole, weight * (1 - pole), 0)
        }
        var power = 0.0
        for a in poles {
            for b in poles {
                // Covariance of two low-passes of the same noise at lag 0, less that at lag 1 for the differences.
                let same = a.gain * b.gain / (1 - a.pole * b.pole)
                power += differences ? same * (2 - a.pole - b.pole) : same
            }
        }
        for index in poles.indices { poles[index].gain /= power.squareRoot() }
        warmUp(&random)
    }

    /// Starts the low-passes as if they had run for ever: their states have the right covariance, which an exact
    /// factorisation gives.
    private mutating func warmUp(_ random: inout RandomSource) {
        let count = poles.count
        var factor = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
        for i in 0..<count {
            for j in 0...i {
                var sum = 1 / (1 - poles[i].pole * poles[j].pole)
                for k in 0..<j { sum -= factor[i][k] * factor[j][k] }
                factor[i][j] = i == j ? Swift.max(sum, 1e-12).squareRoot() : sum / factor[j][j]
            }
        }
        let normal = (0..<count).map { _ in random.gaussian() }
        for i in 0..<count {
            for k in 0...i { poles[i].state += factor[i][k] * normal[k] }
        }
        previous = sum
    }

    private var sum: Double {
        var sum = 0.0
        for pole in poles { sum += pole.gain * pole.state }
        return sum
    }

    mutating func next(_ input: Double) -> Double {
        var sum = 0.0
        for index in poles.indices {
            poles[index].state = poles[index].pole * poles[index].state + input
            sum += poles[index].gain * poles[index].state
        }
        defer { previous = sum }
        return differences ? sum - previous : sum
    }

    /// 1/f: s^(-1/2) is an integral over one-pole low-passes with corners on a logarithmic scale, each weighted by
    /// the inverse square root of its corner.
    static func pink(_ sampleRate: Double, differences: Bool = false, random: inout RandomSource) -> PoleBank {
        var corners: [(Double, Double)] = []
        var corner = 0.02
        while corner < sampleRate * 0.4 {
            corners.append((corner / sampleRate, 1 / corner.squareRoot()))
            corner *= 3
        }
        return PoleBank(corners, differences: differences, random: &random)
    }

    /// A band-limited drift: the difference of two close low-passes falls by 12 dB per octave.
    static func wander(_ sampleRate: Double, random: inout RandomSource) -> PoleBank {
        PoleBank([(0.15 / sampleRate, 0.6 / 0.45), (0.6 / sampleRate, -0.15 / 0.45)], random: &random)
    }
}

/// White noise through a band-pass, swelling and ebbing.
struct MuscleNoise: Sendable {
    private var low1 = 0.0
    private var low2 = 0.0
    private var high1 = 0.0
    private var high2 = 0.0
    private let lowPole: Double
    private let highPole: Double
    private var gain = 1.0
    private var envelope = 0.0
    private let envelopePole: Double

    /// Two-pole high-pass at 20 Hz and two-pole low-pass at 150 Hz or 0.45 of the sample rate.
    init(_ sampleRate: Double) {
        lowPole = Elementary.exp(-6.283185307179586 * Swift.min(150 / sampleRate, 0.45))
        highPole = Elementary.exp(-6.283185307179586 * Swift.min(20 / sampleRate, 0.2))
        envelopePole = Elementary.exp(-6.283185307179586 * 0.3 / sampleRate)
        var probe = self
        var power = 0.0
        for index in 0..<20_000 {
            let response = probe.filter(index == 0 ? 1 : 0)
            power += response * response
        }
        gain = 1 / power.squareRoot()
    }

    private mutating func filter(_ input: Double) -> Double {
        low1 += (1 - lowPole) * (input - low1)
        low2 += (1 - lowPole) * (low1 - low2)
        high1 += (1 - highPole) * (low2 - high1)
        let once = low2 - high1
        high2 += (1 - highPole) * (once - high2)
        return once - high2
    }

    mutating func next(_ random: inout RandomSource) -> Double {
        envelope =
            envelopePole * envelope + (1 - envelopePole * envelopePole).squareRoot() * random.gaussian()
        return gain * filter(random.gaussian()) * (0.5 + 0.5 * envelope * envelope).squareRoot()
    }
}

/// A sinusoid with its second, third and fifth harmonics at 10, 25 and 10 % of its amplitude, those below the
/// Nyquist frequency.
struct MainsHum: Sendable {
    private let tones: [(turnsPerSample: Double, amplitude: Double, phase: Double)]
    private var sample = 0

    init(_ frequency: Double, sampleRate: Double, phase: Double) {
        let harmonics = [(1.0, 1.0), (2, 0.1), (3, 0.25), (5, 0.1)].filter { $0.0 * frequency < sampleRate / 2 }
        // Above the Nyquist frequency the mains are seen at their alias.
        let present = harmonics.isEmpty ? [(1.0, 1.0)] : harmonics
        let power = present.map { $0.1 * $0.1 / 2 }.reduce(0, +)
        tones = present.map { ($0.0 * frequency / sampleRate, $0.1 / power.squareRoot(), phase * $0.0) }
    }

    mutating func next() -> Double {
        var sum = 0.0
        for tone in tones {
            sum += tone.amplitude * Elementary.sine(turns: tone.turnsPerSample * Double(sample) + tone.phase)
        }
        sample += 1
        return sum
    }
}

/// A normally distributed level that is drawn anew at random moments.
struct LevelJumps: Sendable {
    private let chance: Double
    private var level: Double

    init(perSample: Double, random: inout RandomSource) {
        chance = perSample
        level = random.gaussian()
    }

    mutating func next(_ random: inout RandomSource) -> Double {
        if random.uniform() < chance { level = random.gaussian() }
        return level
    }
}

/// Transients of random size at random moments, each rising and decaying exponentially (shot noise; its power is
/// Campbell's theorem).
struct ShotNoise: Sendable {
    private let chance: Double
    private let risePole: Double
    private let decayPole: Double
    private let gain: Double
    private var decayState = 0.0
    private var riseState = 0.0

    init(perSecond: Double, rise: Double, decay: Double, _ sampleRate: Double, _ random: inout RandomSource) {
        chance = Swift.min(1, perSecond / sampleRate)
        let a = Elementary.exp(-1 / (rise * sampleRate))
        let b = Elementary.exp(-1 / (decay * sampleRate))
        risePole = a
        decayPole = b
        // Energy of the impulse response of 1/((1 − a/z)(1 − b/z)).
        let energy = (1 + a * b) / ((1 - a * b) * (1 - a * a) * (1 - b * b))
        gain = 1 / (chance * energy).squareRoot()
        for _ in 0..<Int(decay * sampleRate * 10) { _ = next(&random) }
    }

    mutating func next(_ random: inout RandomSource) -> Double {
        let shot = random.uniform() < chance ? random.gaussian() : 0
        decayState = decayPole * decayState + shot
        riseState = risePole * riseState + decayState
        return gain * riseState
    }
}

/// A swinging arm: a fundamental near 1.8 Hz that wanders, and its second harmonic at half the amplitude.
struct ArmSwing: Sendable {
    private let sampleRate: Double
    private let pole: Double
    private var deviation = 0.0
    private var turns = 0.0

    init(_ sampleRate: Double) {
        self.sampleRate = sampleRate
        pole = Elementary.exp(-0.5 / sampleRate)
    }

    mutating func next(_ random: inout RandomSource) -> Double {
        deviation = pole * deviation + (1 - pole * pole).squareRoot() * random.gaussian()
        turns += (1.8 + 0.15 * deviation) / sampleRate
        turns -= turns.rounded(.down)
        let sum = Elementary.sine(turns: turns) + 0.5 * Elementary.sine(turns: 2 * turns + 0.2)
        // The mean square of the two sinusoids is 1/2 + 1/8.
        return sum / 0.625.squareRoot()
    }
}
