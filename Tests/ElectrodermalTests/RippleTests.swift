import Electrodermal
import Foundation
import Kernels
import Signals
import TestSupport
import Testing

/// Skin conductance made of responses with known onsets, a drifting level and noise, with and without a ripple of breathing
/// or of the pulse whose rate and height change slowly.
private struct RippledConductance {
    var plain: [Float] = []
    var rippled: [Float] = []
    var onsets: [Double] = []
    var amplitudes: [Double] = []
    let minutes: Double

    /// - Parameters:
    ///   - perMinute: waves a minute.
    ///   - height: of a wave from trough to peak, µS.
    ///   - interval: mean seconds between responses.
    init(
        seed: UInt64, perMinute: Double, height: Double, interval: Double, noise: Double = 0.001, rate: Double = 32,
        minutes: Double = 10
    ) {
        self.minutes = minutes
        var random = RandomSource(seed: seed, "rippled conductance")
        let count = Int(minutes * 60 * rate)
        let (slow, fast) = (random.uniform(200...500), random.uniform(60...120))
        var values = (0..<count).map { k -> Double in
            let time = Double(k) / rate
            return 4 + 0.4 * sin(time / slow) + 0.1 * sin(time / fast) + noise * random.gaussian()
        }
        var time = 5.0
        while true {
            time += 1.5 + random.exponential(mean: interval - 1.5)
            guard time < minutes * 60 - 20 else { break }
            let amplitude = min(max(0.1 * exp(random.gaussian()), 0.01), 1)
            let rise = 0.7 * exp(0.2 * random.gaussian())
            let fall = max(1.3 * rise, 2 * exp(0.2 * random.gaussian()))
            let top = log(fall / rise) * fall * rise / (fall - rise)
            let peak = exp(-top / fall) - exp(-top / rise)
            for k in Int(time * rate) + 1..<min(count, Int((time + 40) * rate)) {
                let age = Double(k) / rate - time
                values[k] += amplitude / peak * (exp(-age / fall) - exp(-age / rise))
            }
            onsets.append(time)
            amplitudes.append(amplitude)
        }
        plain = values.map { Float($0) }
        var phase = random.uniform(0...6)
        var (drift, swell) = (random.uniform(0...6), random.uniform(0...6))
        for k in 0..<count {
            drift += 0.09 / rate
            swell += 0.07 / rate
            phase += 2 * Double.pi * perMinute / 60 * (1 + 0.05 * sin(drift)) / rate
            values[k] += height / 2 * (1 + 0.2 * sin(swell)) * sin(phase)
        }
        rippled = values.map { Float($0) }
    }

    /// The number of responses of 0.05 µS and more that were found within 1.5 s, of those there are, and of others that were
    /// found.
    func score(_ found: [Double]) -> (hits: Int, all: Int, others: Int) {
        var used = Set<Int>()
        var hits = 0
        for (onset, amplitude) in zip(onsets, amplitudes).sorted(by: { $0.1 > $1.1 }) {
            let near = found.indices.filter { !used.contains($0) && abs(found[$0] - onset) <= 1.5 }
            guard let best = near.min(by: { abs(found[$0] - onset) < abs(found[$1] - onset) }) else { continue }
            used.insert(best)
            if amplitude >= 0.05 { hits += 1 }
        }
        return (hits, amplitudes.count { $0 >= 0.05 }, found.count - used.count)
    }
}

@Suite struct RippleTests {
    private static func onsets(_ samples: [Float], rate: Double = 32, largest: Double? = nil) throws -> [Double] {
        var parameters = ElectrodermalParameters()
        if let largest { parameters.responses.largestRipple = largest }
        var stage = try ElectrodermalStage(sampleRate: rate, parameters: parameters, computing: .responses)
        return stage.run(samples, from: SegmentStart(onset: 0, sample: 0, sampleRate: rate)).compactMap {
            if case .response(let response) = $0 { response.onset } else { nil }
        }
    }

    @Test(arguments: [10.0, 12, 15, 18, 20, 72], [0.01, 0.018, 0.025])
    func `a ripple makes no responses and hides none`(perMinute: Double, height: Double) throws {
        for interval in [8.0, 15, 40] {
            var (plain, rippled) = ((hits: 0, all: 0, others: 0), (hits: 0, all: 0, others: 0))
            var minutes = 0.0
            for seed in UInt64(1)...6 {
                let truth = RippledConductance(seed: seed, perMinute: perMinute, height: height, interval: interval)
                let (without, with) = (
                    truth.score(try Self.onsets(truth.plain)), truth.score(try Self.onsets(truth.rippled))
                )
                plain = (plain.hits + without.hits, plain.all + without.all, plain.others + without.others)
                rippled = (rippled.hits + with.hits, rippled.all + with.all, rippled.others + with.others)
                minutes += truth.minutes
            }
            let lost = Double(plain.hits - rippled.hits) / Double(plain.all)
            #expect(Double(rippled.others) / minutes <= 0.2, "every \(interval) s: \(rippled), without \(plain)")
            #expect(lost <= 0.02, "every \(interval) s: \(rippled), without \(plain)")
        }
    }

    @Test(arguments: [4.0, 5, 8, 25, 100])
    func `a ripple makes no responses at any sample rate`(rate: Double) throws {
        let truth = RippledConductance(seed: 3, perMinute: 15, height: 0.025, interval: 20, rate: rate)
        let score = truth.score(try Self.onsets(truth.rippled, rate: rate))
        #expect(Double(score.others) / truth.minutes <= 0.2, "\(score)")
        #expect(Double(score.hits) >= 0.9 * Double(score.all), "\(score)")
    }

    @Test func `largestRipple 0 takes no ripple out`() throws {
        let truth = RippledConductance(seed: 1, perMinute: 15, height: 0.025, interval: 20)
        let others = truth.score(try Self.onsets(truth.rippled, largest: 0)).others
        #expect(Double(others) / truth.minutes > 1)
    }

    /// Stimuli every few seconds make responses as regular as breathing: they only rise.
    @Test(arguments: [4.0, 5, 6, 8], [0.04, 0.1, 0.4])
    func `responses at regular times are no ripple`(interval: Double, amplitude: Double) throws {
        let (rate, seconds) = (4.0, 300.0)
        var random = RandomSource(seed: 9, "regular")
        var values = (0..<Int(seconds * rate)).map { _ in 3 + 0.001 * random.gaussian() }
        for onset in stride(from: 20, to: seconds - 20, by: interval) {
            for k in Int(onset * rate) + 1..<values.count {
                let age = Double(k) / rate - onset
                values[k] += amplitude / 0.36887 * (exp(-age / 2) - exp(-age / 0.7))
            }
        }
        let samples = values.map { Float($0) }
        let found = try Self.onsets(samples, rate: rate)
        let before = try Self.onsets(samples, rate: rate, largest: 0)
        #expect(found.count >= before.count - 1, "\(found.count) of \(before.count)")
    }

    @Test(arguments: [7, 100, 1_001])
    func `the chunks do not matter where there is a ripple`(seed: Int) throws {
        let truth = RippledConductance(
            seed: UInt64(seed), perMinute: 15, height: 0.025, interval: 15, rate: 4, minutes: 4)
        let stage = try ElectrodermalStage(sampleRate: 4)
        assertChunkInvariant(
            stage, [(SegmentStart(onset: 3, sample: 0, sampleRate: 4), truth.rippled)], cuts: 4, seed: UInt64(seed))
    }
}
