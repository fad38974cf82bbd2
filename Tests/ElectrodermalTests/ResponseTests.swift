import Electrodermal
import Foundation
import Kernels
import Signals
import TestSupport
import Testing

@Suite struct ResponseTests {
    static func responses(
        _ samples: [Float], rate: Double = 4, onset: Double = 0
    ) throws -> [SkinConductanceResponse] {
        var stage = try ElectrodermalStage(sampleRate: rate, computing: .responses)
        return stage.run(samples, from: SegmentStart(onset: onset, sample: 0, sampleRate: rate)).compactMap {
            if case .response(let response) = $0 { response } else { nil }
        }
    }

    @Test(arguments: [(0.7, 2.0), (0.75, 2), (0.5, 1.5), (1, 4)], [6.0, 12, 40])
    func `responses with known onsets are found`(shape: (fast: Double, slow: Double), interval: Double) throws {
        for seed in UInt64(1)...3 {
            let truth = SimulatedConductance(interval: interval, fast: shape.fast, slow: shape.slow, seed: seed)
            let found = try Self.responses(truth.samples)
            #expect(truth.score(found.map(\.onset)).f1 >= 0.94, "\(shape) every \(interval) s")
        }
    }

    /// Converters of ten bits over 25 µS and coarser ones: a slow rise is a staircase, whose steps are no responses.
    @Test(arguments: [0.0244, 0.03, 0.05], [10.0, 32, 100])
    func `the steps of a coarse converter are no responses`(step: Double, rate: Double) throws {
        var random = RandomSource(seed: 5, "coarse")
        let samples = (0..<Int(600 * rate)).map { place -> Float in
            let level = 3 + 0.4 * sin(2 * Double.pi * Double(place) / rate / 240) + 0.002 * random.gaussian()
            return Float((level / step).rounded() * step)
        }
        #expect(try Self.responses(samples, rate: rate).count <= 1)
    }

    @Test(arguments: [10.0, 32, 100])
    func `responses of several steps are found all the same`(rate: Double) throws {
        var truth = SimulatedConductance(hours: 0.5, sampleRate: rate)
        truth.samples = truth.samples.map { Float((Double($0) / 0.0244).rounded() * 0.0244) }
        #expect(truth.score(try Self.responses(truth.samples, rate: rate).map(\.onset)).f1 >= 0.9)
    }

    @Test(arguments: [4.0, 5, 8, 15, 32, 100, 1_000])
    func `at any sample rate`(rate: Double) throws {
        let truth = SimulatedConductance(hours: rate > 100 ? 0.1 : 0.5, sampleRate: rate)
        #expect(truth.score(try Self.responses(truth.samples, rate: rate).map(\.onset)).f1 >= 0.94)
    }

    /// A response rises in 0.7 s, so that one sample a second says least of when.
    @Test(arguments: [1.0, 2], 1...3)
    func `at rates as low as one sample a second`(rate: Double, seed: UInt64) throws {
        let truth = SimulatedConductance(hours: 1, sampleRate: rate, seed: seed)
        #expect(truth.score(try Self.responses(truth.samples, rate: rate).map(\.onset)).f1 >= 0.9)
    }

    @Test func `amplitude, rise and half recovery are those of the form`() throws {
        var truth = SimulatedConductance(noise: 0)
        truth.samples = (0..<1_200).map { k in
            let age = Double(k) / 4 - 100
            return Float(3 + (age > 0 ? 0.5 / 0.36887 * (exp(-age / 2) - exp(-age / 0.7)) : 0))
        }
        let found = try Self.responses(truth.samples)
        try #require(found.count == 1)
        #expect(abs(found[0].onset - 100) < 0.3)
        #expect(abs(found[0].amplitude - 0.5) < 0.01)
        #expect(abs(found[0].level - 3) < 0.05)
        // The form is highest after 1.13 s and halved 1.87 s later.
        #expect(abs(found[0].peak - 101.13) < 0.2)
        #expect(abs((found[0].halfRecovery ?? 0) - 1.87) < 0.4)
        #expect(!found[0].isDoubtful)
    }

    @Test(arguments: [4.0, 5, 8, 16, 32, 128])
    func `the amplitude is that of the form wherever the response begins between samples`(rate: Double) throws {
        for phase in 0..<16 {
            let onset = 60 + Double(phase) / 16 / rate
            let samples = (0..<Int(120 * rate)).map { k in
                let age = Double(k) / rate - onset
                return Float(3 + (age > 0 ? 0.5 / 0.36887 * (exp(-age / 2) - exp(-age / 0.7)) : 0))
            }
            let found = try Self.responses(samples, rate: rate)
            try #require(found.count == 1)
            #expect(abs(found[0].amplitude / 0.5 - 1) < 0.01, "\(phase)")
            #expect(abs(found[0].level - 3) < 0.005, "\(phase)")
        }
    }

    @Test func `a response on the recovery of another is as high as it is`() throws {
        func form(_ age: Double) -> Double { age > 0 ? (exp(-age / 2) - exp(-age / 0.7)) / 0.36887 : 0 }
        let samples = (0..<800).map { Float(2 + form(Double($0) / 4 - 100) + 0.5 * form(Double($0) / 4 - 103)) }
        let found = try Self.responses(samples)
        try #require(found.count == 2)
        #expect(abs(found[1].amplitude - 0.5) < 0.1)
        #expect(found[0].halfRecovery != nil || found[0].peak + 2 > found[1].onset)
    }

    @Test(arguments: [(0.002, 0), (0.005, 3), (0.01, 20)])
    func `three hours of drift and noise bring hardly any`(noise: Double, most: Int) throws {
        let truth = SimulatedConductance(hours: 3, interval: 1e6, noise: noise)
        #expect(try Self.responses(truth.samples).count <= most)
    }

    @Test func `what touches an artefact is doubtful`() throws {
        var truth = SimulatedConductance(hours: 0.2, noise: 0.002)
        for k in 800..<810 { truth.samples[k] += 20 }
        let found = try Self.responses(truth.samples).filter(\.isDoubtful)
        #expect(!found.isEmpty && found.allSatisfy { abs($0.onset - 201) < 8 })
    }

    /// Conductance at 4 Hz for 300 s: 5 µS, rising from 60 to 180 s, and responses of 0.5 µS.
    static func conductance(_ onsets: [Double], rising slope: Double = 0) -> [Float] {
        func form(_ age: Double) -> Double { age > 0 ? (exp(-age / 2) - exp(-age / 0.7)) / 0.36887 : 0 }
        return (0..<1_200).map { k -> Float in
            let time = Double(k) / 4
            return Float(5 + slope * min(max(time - 60, 0), 120) + onsets.reduce(0) { $0 + 0.5 * form(time - $1) })
        }
    }

    @Test(arguments: [4.0, 5, 6, 8], [0.0, 0.01, 0.02])
    func `responses in a train are as high as they are, on a level that rises`(interval: Double, slope: Double) throws {
        let onsets = Array(stride(from: 60, to: 180, by: interval))
        let found = try Self.responses(Self.conductance(onsets, rising: slope))
        #expect(found.count == onsets.count)
        #expect(found.allSatisfy { abs($0.amplitude - 0.5) < 0.075 }, "\(found.map(\.amplitude))")
    }

    /// What a level does without any response, by name: conductance in µS at a time in seconds.
    static let levels: [(name: String, level: @Sendable (Double) -> Double)] = [
        ("rising by 0.015 µS/s", { 4 + 0.015 * $0 }), ("rising by 0.02 µS/s", { 4 + 0.02 * $0 }),
        ("rising by 0.05 µS/s", { 4 + 0.05 * $0 }), ("falling by 0.02 µS/s", { 20 - 0.02 * $0 }),
        ("a sensor warming up", { 2 + 4 * (1 - exp(-$0 / 120)) }),
        ("a sensor warming up fast", { 2 + 4 * (1 - exp(-$0 / 40)) }),
        ("swinging in 5 min", { 6 + 3 * sin(2 * .pi * $0 / 300) }),
        ("swinging in 3 min", { 6 + sin(2 * .pi * $0 / 200) }),
        ("rising for 2 min", { 4 + 0.04 * min(max($0 - 120, 0), 120) }),
    ]

    @Test(arguments: levels.indices, [0.0, 0.001, 0.002])
    func `a level that rises brings hardly any responses`(place: Int, noise: Double) throws {
        for rate in [4.0, 8] {
            var random = RandomSource(seed: 7, "level")
            let samples = (0..<Int(600 * rate)).map { k in
                Float(Self.levels[place].level(Double(k) / rate) + noise * random.gaussian())
            }
            let found = try Self.responses(samples, rate: rate)
            #expect(found.count <= 1, "\(Self.levels[place].name) at \(rate) Hz: \(found.map(\.onset))")
        }
    }

    @Test(arguments: [0.02, 0.05], [4.0, 8, 20])
    func `responses stand out from a noisy level that rises`(slope: Double, interval: Double) throws {
        var random = RandomSource(seed: 5, "level")
        let onsets = Array(stride(from: 62, to: 176, by: interval))
        let samples = Self.conductance(onsets, rising: slope).map { $0 + Float(0.002 * random.gaussian()) }
        let found = try Self.responses(samples)
        let right = found.filter { response in onsets.contains { abs($0 - response.onset) < 1 } }
        #expect(right.count == onsets.count && found.count <= onsets.count + 1, "\(found.map(\.onset))")
        #expect(right.allSatisfy { abs($0.amplitude - 0.5) < 0.08 + 3 * slope }, "\(right.map(\.amplitude))")
    }

    @Test(arguments: [0.5, 0.75, 1, 1.25]) func `a response that the data's end cuts is doubtful`(after: Double) throws
    {
        let samples = Self.conductance([110]).prefix(Int(4 * (110 + after)) + 1)
        #expect(try Self.responses(Array(samples)).allSatisfy(\.isDoubtful))
    }

    @Test func `conductance rises from every onset to its peak`() throws {
        let truth = SimulatedConductance(interval: 6, fast: 1, slow: 4)
        for response in try Self.responses(truth.samples) {
            let (place, peak) = (response.onset * 4, Int((response.peak * 4).rounded()))
            let (before, after) = (Double(truth.samples[Int(place)]), Double(truth.samples[Int(place) + 1]))
            #expect(Double(truth.samples[peak]) > before + (place - place.rounded(.down)) * (after - before))
        }
    }

    @Test func `a sensor that was off does not make the next response larger`() throws {
        var samples = Self.conductance([110])
        for k in 400..<420 { samples[k] = 0.01 }
        let found = try Self.responses(samples).filter { !$0.isDoubtful }
        #expect(found.count == 1 && abs(found[0].amplitude - 0.5) < 0.05)
    }
}
