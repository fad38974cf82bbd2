import Kernels

/// Makes noise of one kind, sample after sample, with an expected mean square of 1.
public struct NoiseSource: Sendable {
    private var random: RandomSource
    private var process: Process

    /// The noise that belongs to `seed` and `label`, at `sampleRate` Hz.
    public init(_ kind: NoiseKind, sampleRate: Double, seed: UInt64, label: String = "") {
        random = RandomSource(seed: seed, "noise \(kind.rawValue) \(label)")
        process = Process(kind, sampleRate: sampleRate, random: &random)
    }

    /// The root mean square of a noise `snr` dB below a signal whose beats measure `peakToPeak` from their lowest to
    /// their highest point (QRS complex in ECG, foot to systolic peak in BVP).
    ///
    /// SNR = 10 log10(S/N), where N is the noise's mean square and S = peakToPeak²/8, the power of a sinusoid of that
    /// size: the definition of the MIT-BIH Noise Stress Test Database (Moody, Muldrow & Mark, Computers in Cardiology
    /// 11:381, 1984), without its weighting of frequencies.
    public static func rms(snr: Double, peakToPeak: Double) -> Double {
        (peakToPeak * peakToPeak / 8).squareRoot() * Elementary.exp(-snr * 0.11512925464970229)
    }

    /// Adds the next samples, times `scale`, to `samples`.
    public mutating func add(to samples: inout [Double], scale: Double) {
        switch process {
        case .white:
            for index in samples.indices { samples[index] += scale * random.gaussian() }
        case .bank(var bank):
            for index in samples.indices { samples[index] += scale * bank.next(random.gaussian()) }
            process = .bank(bank)
        case .muscle(var muscle):
            for index in samples.indices { samples[index] += scale * muscle.next(&random) }
            process = .muscle(muscle)
        case .mains(var mains):
            for index in samples.indices { samples[index] += scale * mains.next() }
            process = .mains(mains)
        case .jumps(var jumps):
            for index in samples.indices { samples[index] += scale * jumps.next(&random) }
            process = .jumps(jumps)
        case .shots(var shots):
            for index in samples.indices { samples[index] += scale * shots.next(&random) }
            process = .shots(shots)
        case .swing(var swing, var shots):
            for index in samples.indices {
                samples[index] += scale * (0.8 * swing.next(&random) + 0.6 * shots.next(&random))
            }
            process = .swing(swing, shots)
        }
    }

    /// `count` samples with an expected mean square of 1.
    public mutating func samples(_ count: Int) -> [Double] {
        var samples = [Double](repeating: 0, count: count)
        add(to: &samples, scale: 1)
        return samples
    }
}

/// The process behind each kind of noise.
private enum Process: Sendable {
    case white
    case bank(PoleBank)
    case muscle(MuscleNoise)
    case mains(MainsHum)
    case jumps(LevelJumps)
    case shots(ShotNoise)
    case swing(ArmSwing, ShotNoise)

    init(_ kind: NoiseKind, sampleRate: Double, random: inout RandomSource) {
        switch kind {
        case .white: self = .white
        case .pink: self = .bank(.pink(sampleRate, random: &random))
        case .blue: self = .bank(.pink(sampleRate, differences: true, random: &random))
        case .violet: self = .bank(PoleBank([(0, 1)], differences: true, random: &random))
        case .brown: self = .bank(PoleBank([(0.05 / sampleRate, 1)], random: &random))
        case .baselineWander: self = .bank(.wander(sampleRate, random: &random))
        case .muscle: self = .muscle(MuscleNoise(sampleRate))
        case .mains50: self = .mains(MainsHum(50, sampleRate: sampleRate, phase: random.uniform()))
        case .mains60: self = .mains(MainsHum(60, sampleRate: sampleRate, phase: random.uniform()))
        case .steps: self = .jumps(LevelJumps(perSample: 2 / sampleRate, random: &random))
        case .electrodeMotion: self = .shots(ShotNoise(perSecond: 2, rise: 0.02, decay: 0.12, sampleRate, &random))
        case .motion:
            self = .swing(
                ArmSwing(sampleRate), ShotNoise(perSecond: 1, rise: 0.05, decay: 0.2, sampleRate, &random))
        }
    }
}
