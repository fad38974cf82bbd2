import Foundation
import Kernels
import Quality
import Signals
import Simulation
import Testing

/// Noise is never taken for a good signal, and is called by its name.
@Suite struct NoiseHonestyTests {
    static let hiding: Set<QualityReason> = [.noise, .lowTemplateCorrelation, .detectorsDisagree, .noBeats]

    static func reasons(_ kind: NoiseKind) -> Set<QualityReason> {
        switch kind {
        case .white, .pink, .blue, .violet, .muscle: [.noise]
        case .brown, .baselineWander: [.baselineWander, .motion, .lowTemplateCorrelation, .detectorsDisagree, .noBeats]
        case .electrodeMotion, .motion:
            [.baselineWander, .electrodePop, .lowTemplateCorrelation, .detectorsDisagree, .noBeats]
        case .mains50, .mains60: [.mains, .noise]
        case .steps: [.flat, .baselineWander, .lowTemplateCorrelation, .electrodePop]
        }
    }

    @Test(arguments: NoiseKind.allCases, [125.0, 250, 360, 500])
    func `pure noise is no ECG`(kind: NoiseKind, rate: Double) {
        for seed in UInt64(1)...4 {
            var source = NoiseSource(kind, sampleRate: rate, seed: seed)
            let windows = judge(source.samples(Int(300 * rate)).map { Float($0) }, .ecg, rate: rate)
            #expect(windows.flagged(Self.reasons(kind)) >= 0.95, "\(kind) at \(rate) Hz")
        }
    }

    /// Left out: arm swing. It has a pulse's rate, regularity and form, and without a pulse before it to compare with nothing
    /// in the signal itself tells them apart; an accelerometer does.
    static let notPulselike = NoiseKind.allCases.filter { $0 != .motion }

    @Test(arguments: notPulselike, [32.0, 50, 64, 100, 125])
    func `pure noise is no pulse`(kind: NoiseKind, rate: Double) {
        for seed in UInt64(1)...4 {
            var source = NoiseSource(kind, sampleRate: rate, seed: seed)
            let windows = judge(source.samples(Int(300 * rate)).map { Float($0 * 40) }, .bvp, rate: rate)
            #expect(windows.flagged() >= 0.95, "\(kind) at \(rate) Hz")
        }
    }

    @Test(arguments: SignalAssessor.Modality.allCases)
    func `random walks are no signal`(modality: SignalAssessor.Modality) {
        var random = RandomSource(seed: 8)
        var level: Float = 0
        let samples = (0..<60_000).map { _ -> Float in
            level += Float(random.gaussian()) * 0.02
            return level
        }
        #expect(judge(samples, modality, rate: 125).flagged() >= 0.95)
    }

    @Test(arguments: SignalAssessor.Modality.allCases, [Float(0), 0.25, -512, 1e9])
    func `flat lines are flat`(modality: SignalAssessor.Modality, level: Float) {
        let windows = judge([Float](repeating: level, count: 15_000), modality, rate: 250)
        #expect(windows.count == 51)
        #expect(windows.allSatisfy { $0.quality < 0.01 && $0.reasons.contains(.flat) && $0.coverage == 1 })
    }

    @Test(arguments: SignalAssessor.Modality.allCases)
    func `an unplugged input with the converter's own noise is no signal`(modality: SignalAssessor.Modality) {
        var random = RandomSource(seed: 3)
        let samples = (0..<50_000).map { _ in (Float(random.gaussian()) * 0.8).rounded() * 0.005 }
        #expect(judge(samples, modality, rate: 250).flagged() >= 0.95)
    }
}
