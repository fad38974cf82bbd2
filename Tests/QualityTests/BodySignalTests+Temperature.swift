import Formats
import Foundation
import Kernels
import Quality
import Signals
import Simulation
import TestSupport
import Testing

/// Skin temperature: sensors that come off, and those that tell seldom.
extension BodySignalTests {
    @Test func `a sensor that comes off is off`() {
        var samples = Self.temperature(1_200)
        for k in 2_400..<4_800 { samples[k] = 21 + (samples[k] - 21) * Float(exp(-Double(k - 2_400) / 4 / 60)) }
        let windows = Self.judge(samples, .temperature, rate: 4)
        #expect(windows.filter { $0.onset > 600 && $0.onset < 640 }.flagged([.offBody]) >= 0.95)
        #expect(windows.filter { $0.onset > 700 }.flagged([.offBody]) >= 0.95)
        #expect(windows.filter { $0.onset < 590 }.flagged() == 0)
    }

    /// Skin, and from 300 s to 1200 s a sensor that cools towards a room's temperature with a time constant.
    static func removed(room: Double, constant: Seconds, seed: UInt64 = 1) -> [Float] {
        var random = RandomSource(seed: seed, "off")
        return (0..<6_000).map { k -> Float in
            let time = Double(k) / 4
            let skin = 33 + 0.1 * sin(time / 50) + 0.005 * random.gaussian()
            let isOff = (300..<1_200).contains(time)
            return Float(isOff ? room + (skin - room) * exp(-(time - 300) / constant) : skin)
        }
    }

    @Test(arguments: [(22.0, 20.0), (22, 40), (22, 90), (22, 180), (22, 300), (26, 20), (26, 90)])
    func `a sensor that came off is off until it warms again`(room: Double, constant: Seconds) {
        let windows = Self.judge(Self.removed(room: room, constant: constant), .temperature, rate: 4)
        let within = windows.filter { $0.onset >= 300 && $0.onset + $0.duration <= 1_200 }
        let outside = windows.filter { $0.onset + $0.duration <= 300 || $0.onset >= 1_200 }
        #expect(within.flagged([.offBody]) >= 0.95, "\(within.flagged([.offBody]))")
        #expect(outside.flagged() <= 0.05, "\(outside.flagged())")
    }

    @Test(arguments: [(1.0, 120.0), (2, 180), (3, 300), (4, 600)])
    func `skin that cools is not a sensor off the body`(degrees: Double, time: Seconds) {
        var random = RandomSource(seed: 8, "cold")
        let samples = (0..<6_000).map { k -> Float in
            let share = min(max(Double(k) / 4 - 300, 0) / time, 1)
            return Float(33 - degrees * (1 - cos(.pi * share)) / 2 + 0.005 * random.gaussian())
        }
        #expect(Self.judge(samples, .temperature, rate: 4).flagged() == 0)
    }

    @Test func `what is known of a sensor that came off does not depend on the cut, nor goes over a long gap`() {
        var samples = Self.removed(room: 26, constant: 40)
        for k in 1_240..<1_300 { samples[k] = .nan }
        let runs = [
            (start: Self.start(2.3, rate: 4), samples: Array(samples.prefix(2_400))),
            (start: Self.start(700, rate: 4), samples: Array(samples[2_400..<4_000])),
        ]
        let windows = assertChunkInvariant(BodySignalAssessor(.temperature), runs, cuts: 4)
        #expect(windows.filter { $0.onset > 320 && $0.onset < 590 }.flagged([.offBody]) == 1)
        #expect(windows.filter { $0.onset > 710 }.flagged([.offBody]) == 0)
    }

    @Test(arguments: [306, 400], [1, 3, 20, 55])
    func `a sensor that came off stays so over a short gap`(onset: Int, length: Int) {
        let samples = Self.removed(room: 26, constant: 40)
        let runs = [
            (start: Self.start(rate: 4), samples: Array(samples[..<(4 * onset)])),
            (start: Self.start(Double(onset + length), rate: 4), samples: Array(samples[(4 * (onset + length))...])),
        ]
        let windows = assertChunkInvariant(BodySignalAssessor(.temperature), runs, cuts: 4)
        let within = windows.filter { $0.onset > 320 && $0.onset + $0.duration <= 1_200 && $0.coverage > 0 }
        let outside = windows.filter { $0.onset + $0.duration <= 300 || $0.onset >= 1_230 }
        #expect(within.count > 750 && within.flagged([.offBody]) >= 0.98, "\(within.flagged([.offBody]))")
        #expect(outside.count > 500 && outside.flagged([.offBody]) == 0)
    }

    @Test(arguments: [4, 1, 0.25, 0.1, 0.0333, 0.0167])
    func `slow waves of skin temperature are good however seldom it is sampled`(rate: Double) {
        let samples = (0..<Int(7_200 * rate)).map { k -> Float in
            let time = Double(k) / rate
            return Float(33 + 0.3 * sin(2 * .pi * time / 300) + 0.2 * sin(2 * .pi * time / 437))
        }
        let windows = assertChunkInvariant(
            BodySignalAssessor(.temperature), [(Self.start(rate: rate), samples)], cuts: 2, sampleBySample: false)
        #expect(windows.flagged() == 0)
        // Windows lie where their samples do, up to the last one.
        #expect(windows.first?.onset == 0)
        let end = windows.last.map { $0.onset + $0.duration } ?? 0
        let least = 7_200 - 2 * max(1 / rate, 1)
        #expect(end > least)
    }

    @Test(arguments: [0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 1, 2, 4])
    func `a worn sensor's own noise is good and nothing is missing however seldom it is sampled`(rate: Double) {
        var random = RandomSource(seed: 10, "seldom")
        let samples = (0..<Int(7_200 * rate)).map { k -> Float in
            Float(33 + 0.3 * sin(Double(k) / rate / 900) + 0.02 * random.gaussian())
        }
        let windows = Self.judge(samples, .temperature, rate: rate)
        #expect(windows.count > 700 && windows.flagged() <= 0.05, "\(windows.flagged())")
        let isWhole: Bool = windows.allSatisfy { $0.coverage == 1 && !$0.reasons.contains(.gap) }
        #expect(isWhole)
    }

    @Test(arguments: [0.3, 0.4, 0.7])
    func `every sample that is missing counts where steps are no whole number of samples long`(rate: Double) {
        let count = Int(1_200 * rate)
        let samples = (0..<count).map { k -> Float in k % 20 == 9 ? .nan : 33 + 0.001 * Float(k % 20) }
        let windows = Self.judge(samples, .temperature, rate: rate)
        #expect(windows.count > 100)
        for window in windows {
            // The samples whose times lie in the window.
            let end = window.onset + window.duration
            let first = Int((window.onset * rate - 1e-6).rounded(.up))
            let places = first..<Int((end * rate - 1e-6).rounded(.up))
            let present: Int = places.count { $0 % 20 != 9 }
            let share = Double(present) / Double(places.count)
            #expect(abs(window.coverage - share) < 1e-9, "\(window.onset)")
        }
    }

    @Test(arguments: [1.0, 1.5, 2], [0.5, 1])
    func `noise of half a degree is no skin temperature where samples come seldom`(rate: Double, degrees: Double) {
        for kind in [NoiseKind.white, .brown, .violet] {
            var source = NoiseSource(kind, sampleRate: rate, seed: 4)
            let samples = source.samples(Int(1_800 * rate)).map { Float(33 + degrees * $0) }
            #expect(Self.judge(samples, .temperature, rate: rate).flagged() >= 0.95, "\(kind)")
        }
    }

    @Test func `samples a minute apart make windows of a minute`() {
        let samples = (0..<40).map { 33 + 0.01 * Float($0) }
        let windows = Self.judge(samples, .temperature, rate: 1.0 / 60)
        let onsets = (0..<40).map { (k: Int) -> Seconds in 60 * Seconds(k) }
        #expect(windows.map(\.onset) == onsets)
        #expect(windows.allSatisfy { $0.duration == 60 && $0.coverage == 1 && $0.isGood })
    }
}
