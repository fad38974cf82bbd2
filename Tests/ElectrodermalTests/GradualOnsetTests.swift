import Electrodermal
import Foundation
import Kernels
import Signals
import TestSupport
import Testing

@Suite struct GradualOnsetTests {
    /// The canonical response of Bach et al., Int J Psychophysiol 75:349–356, 2010, with the constants of PsPM's
    /// `pspm_bf_scrf_f`: a Gaussian convolved with two exponentials, every 10 ms, 1 at its peak.
    static let canonical: [Double] = {
        let gaussian = (0..<700).map { exp(-0.5 * pow((Double($0) / 100 - 3.0745) / 0.7013, 2)) }
        let decay = (0..<4_000).map { exp(-Double($0) / 314.87) + exp(-Double($0) / 1_412.57) }
        let sums = decay.indices.map { place in
            (0...min(place, 699)).reduce(0.0) { $0 + gaussian[$1] * decay[place - $1] }
        }
        let peak = sums.max() ?? 1
        return sums.map { $0 / peak }
    }()
    /// When it has 2 % of its height, and when it is highest, in seconds.
    static let (start, peak) = (1.565, 4.26)

    static func canonical(at age: Double) -> Double {
        guard age > 0, age < 39.9 else { return 0 }
        let place = Int(age * 100)
        return canonical[place] + (age * 100 - Double(place)) * (canonical[place + 1] - canonical[place])
    }

    /// A Bateman function, which begins abruptly, 1 at its peak.
    static func abrupt(at age: Double) -> Double { age > 0 ? (exp(-age / 2) - exp(-age / 0.7)) / 0.36887 : 0 }

    /// 100 s with a response of this form from `onset` on, and a noisy level of this slope per second.
    static func samples(
        rate: Double, noise: Double, slope: Double = 0, height: Double, onset: Double, form: (Double) -> Double
    ) -> [Float] {
        var random = RandomSource(seed: UInt64(onset * 1_000), "onset")
        return (0..<Int(100 * rate)).map { place in
            let time = Double(place) / rate
            return Float(5 + slope * time + height * form(time - onset) + noise * random.gaussian())
        }
    }

    /// The errors of onset, in seconds, and amplitude, as a share, of single responses that begin at different places
    /// between two samples.
    static func errors(
        rate: Double, noise: Double, slope: Double = 0, height: Double, start: Double, form: (Double) -> Double
    ) throws -> [(onset: Double, amplitude: Double)] {
        try (0..<16).compactMap { phase in
            let onset = 50 + Double(phase) / 16 / rate
            let found = try ResponseTests.responses(
                samples(rate: rate, noise: noise, slope: slope, height: height, onset: onset, form: form), rate: rate)
            let errors = found.map { ($0.onset - onset - start, $0.amplitude / height - 1) }
            return errors.min { abs($0.0) < abs($1.0) }
        }
    }

    static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    @Test(arguments: [4.0, 8, 32, 100], [(0.0, 0.05), (0, 2), (0.005, 0.5), (0.02, 2)])
    func `a response that rises smoothly begins where it leaves its level`(
        rate: Double, _ size: (noise: Double, height: Double)
    ) throws {
        let errors = try Self.errors(
            rate: rate, noise: size.noise, height: size.height, start: Self.start, form: Self.canonical(at:))
        try #require(errors.count == 16)
        #expect(abs(Self.median(errors.map(\.onset))) < 0.2, "\(errors)")
        #expect(abs(Self.median(errors.map(\.amplitude))) < 0.03, "\(errors)")
        #expect(errors.allSatisfy { abs($0.onset) < 0.6 && abs($0.amplitude) < 0.06 }, "\(errors)")
    }

    @Test(arguments: [-0.005, 0.01]) func `also on a level that rises or falls`(slope: Double) throws {
        let errors = try Self.errors(
            rate: 4, noise: 0.001, slope: slope, height: 0.5, start: Self.start, form: Self.canonical(at:))
        try #require(errors.count == 16)
        #expect(errors.allSatisfy { abs($0.onset) < 0.3 }, "\(errors)")
        // From onset to peak the level goes on.
        let whole = 1 + slope * (Self.peak - Self.start) / 0.5
        #expect(errors.allSatisfy { abs(1 + $0.amplitude - whole) < 0.05 }, "\(errors)")
    }

    @Test(arguments: [4.0, 8, 32], [(0.0, 0.0), (0.005, 0), (0.02, 0), (0, 0.02), (0.005, -0.01)])
    func `one that rises abruptly begins where it did, whatever the noise and the level`(
        rate: Double, _ level: (noise: Double, slope: Double)
    ) throws {
        for height in [0.2, 1] {
            let errors = try Self.errors(
                rate: rate, noise: level.noise, slope: level.slope, height: height, start: 0, form: Self.abrupt(at:))
            #expect(errors.count == 16 && abs(Self.median(errors.map(\.onset))) < 0.15)
            #expect(errors.allSatisfy { abs($0.onset) < 0.5 }, "\(errors)")
        }
    }

    /// Half of it is left 5.28 s after its peak, of the part that rises steeply 1.2 s sooner.
    @Test func `its recovery is told of the whole response`() throws {
        let half = try #require(Self.canonical.lastIndex { $0 >= 0.5 })
        let samples = Self.samples(rate: 4, noise: 0, height: 0.5, onset: 50, form: Self.canonical(at:))
        let found = try ResponseTests.responses(samples)
        try #require(found.count == 1)
        #expect(abs(found[0].peak - 50 - Self.peak) < 0.2)
        #expect(abs((found[0].halfRecovery ?? 0) - (Double(half) / 100 - Self.peak)) < 0.4)
    }

    @Test(arguments: [4.0, 5, 6], [0.5, 1, 2])
    func `on the recovery of another it begins after its peak`(interval: Double, ratio: Double) throws {
        let samples = Self.samples(rate: 4, noise: 0.001, height: 0.5, onset: 50) {
            Self.canonical(at: $0) + ratio * Self.canonical(at: $0 - interval)
        }
        let found = try ResponseTests.responses(samples)
        try #require(found.count == 2)
        #expect(abs(found[0].onset - 50 - Self.start) < 0.3 && abs(found[0].amplitude / 0.5 - 1) < 0.05)
        #expect(found[1].onset >= found[0].peak && abs(found[1].onset - 50 - Self.start - interval) < 0.7)
        #expect(abs(found[1].amplitude / (0.5 * ratio) - 1) < 0.2)
    }

    @Test func `what an artefact hides is no part of it`() throws {
        var samples = Self.samples(rate: 4, noise: 0, height: 0.5, onset: 50, form: Self.canonical(at:))
        for place in 190..<196 { samples[place] = 0 }
        // What is marked reaches until 2 s after 48.75 s.
        let found = try ResponseTests.responses(samples).filter { $0.onset > 51 }
        #expect(found.count == 1 && found.allSatisfy { !$0.isDoubtful && $0.onset > 51 })
    }

    @Test(arguments: [4.0, 10]) func `it comes in time and does not depend on the cut`(rate: Double) throws {
        var random = RandomSource(seed: 3, "gradual")
        let onsets = (0..<60).map { 8 * Double($0) + 4 * random.uniform() }
        let samples = (0..<Int(480 * rate)).map { place -> Float in
            let time = Double(place) / rate
            return Float(4 + 0.002 * random.gaussian() + onsets.reduce(0) { $0 + 0.3 * Self.canonical(at: time - $1) })
        }
        let stage = try ElectrodermalStage(sampleRate: rate, computing: .responses)
        assertChunkInvariant(stage, [(ElectrodermalStageTests.start(rate: rate), samples)], cuts: 4)
        var (live, outputs) = (stage, [ElectrodermalOutput]())
        live.begin(ElectrodermalStageTests.start(rate: rate), into: &outputs)
        for place in samples.indices {
            let known = outputs.count
            live.push(samples.span.extracting(place..<place + 1), into: &outputs)
            for case .response(let response) in outputs[known...] {
                #expect(Double(place) / rate <= response.onset + stage.lookAhead)
            }
        }
        let found = outputs.compactMap { if case .response(let response) = $0 { response } else { nil } }
        #expect(found.count > 40 && zip(found, found.dropFirst()).allSatisfy { $0.peak <= $1.onset })
    }
}
