import Cardiac
import Foundation
import Pipeline
import Quality
import Signals
import Simulation
import TestSupport
import Testing

/// Faults that move no beat cost no interval, and one artefact costs the intervals that it touches.
struct HarmlessFaultTests {
    private static let rate = 250.0

    private static func simulated(_ kind: StreamKind, seed: UInt64, snr: Double = 30) -> [Float] {
        var parameters = SimulationParameters()
        parameters.duration = 180
        parameters.seed = seed
        parameters.ecgNoise = [NoiseLevel(.pink, snr: snr)]
        let stream = SimulatedSession(parameters).recording().streams.first { $0.header.kind == kind }
        return stream?.segments.first?.block.channel(0) ?? []
    }

    private func ecg(_ samples: [Float]) throws -> CardiacResult {
        try CardiacResults.ofECG(samples, rate: Self.rate, chunk: 5_000, computing: [.quality, .intervals])
    }

    private func dropped(_ result: CardiacResult) -> Double {
        Double(result.droppedIntervals) / Double(max(1, result.intervals.count))
    }

    @Test(arguments: [0.2, 0.4, 0.6, 0.8], 1...3 as ClosedRange<UInt64>)
    func `a cut S wave costs nothing`(depth: Float, seed: UInt64) throws {
        let samples = Self.simulated(.ecg, seed: seed, snr: 60)
        let lowest = samples.min() ?? 0
        let result = try ecg(samples.map { max($0, depth * lowest) })
        #expect(dropped(result) < 0.01)
        #expect(result.quality.goodShare > 0.99)
    }

    @Test(arguments: [0.5, 0.7], 1...3 as ClosedRange<UInt64>)
    func `cut R waves are saturated`(height: Float, seed: UInt64) throws {
        let samples = Self.simulated(.ecg, seed: seed, snr: 60)
        let highest = samples.max() ?? 0
        let result = try ecg(samples.map { min($0, height * highest) })
        #expect(result.quality.goodShare < 0.1)
        #expect(dropped(result) > 0.75)
    }

    /// One ventricular beat in each ten seconds, as tall as this many sinus beats.
    @Test(arguments: [2.0, 4, 6, 8, 10], 1...2 as ClosedRange<UInt64>)
    func `a tall ventricular beat is no electrode pop`(height: Double, seed: UInt64) throws {
        var samples = Self.simulated(.ecg, seed: seed)
        var random = SplitMix64(seed: seed)
        let beats = try ecg(samples).beats.map(\.onset)
        let size = Double(samples.max() ?? 1)
        for start in stride(from: 8.0, to: 170, by: 10) {
            let target = start + Double.random(in: 0...4, using: &random)
            guard let next = beats.firstIndex(where: { $0 > target }), next + 1 < beats.count else { continue }
            let middle = beats[next] + 0.55 * (beats[next + 1] - beats[next])
            for place in Int((middle - 0.4) * Self.rate)..<Int((middle + 0.8) * Self.rate) {
                let lag = Double(place) / Self.rate - middle
                let wave = exp(-(lag / 0.05) * (lag / 0.05)) - 0.3 * exp(-((lag - 0.28) / 0.08) * ((lag - 0.28) / 0.08))
                samples[place] += Float(height * size * wave)
            }
        }
        let result = try ecg(samples)
        #expect(result.quality.flagged([.electrodePop]) < 0.02)
        #expect(dropped(result) < 0.1)
    }

    /// Every second or third beat ventricular and larger than the others: two forms, each like itself.
    @Test(arguments: [2, 3], [1.5])
    func `beats of two forms are good`(period: Int, height: Double) throws {
        var samples = [Float](repeating: 0, count: Int(180 * Self.rate))
        var random = SplitMix64(seed: UInt64(10 * period) + UInt64(height * 2))
        func add(_ time: Double, _ height: Double, _ width: Double) {
            let first = max(0, Int((time - 5 * width) * Self.rate))
            for place in first..<min(samples.count, Int((time + 5 * width) * Self.rate)) {
                let lag = (Double(place) / Self.rate - time) / width
                samples[place] += Float(height * exp(-lag * lag / 2))
            }
        }
        var time = 1.0
        var beat = 0
        while time < 178 {
            beat += 1
            if beat % period == 0 {
                time += 0.5
                for (lag, share, width) in [(0, 1, 0.03), (0.25, -0.3, 0.06)] { add(time + lag, share * height, width) }
                time += 1.05
            } else {
                for (lag, size, width) in [(-0.15, 0.1, 0.02), (0, 1, 0.01), (0.03, -0.2, 0.01), (0.25, 0.2, 0.04)] {
                    add(time + lag, size, width)
                }
                if (beat + 1) % period != 0 { time += 0.8 + Double.random(in: -0.03...0.03, using: &random) }
            }
        }
        for place in samples.indices { samples[place] += 0.01 * Float.random(in: -1...1, using: &random) }
        let result = try ecg(samples)
        #expect(result.quality.goodShare > 0.97)
        #expect(dropped(result) < 0.02)
    }

    /// A few large beats whose tops are clipped do not change the others.
    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func `a cut beat among others costs no window`(seed: UInt64) throws {
        var samples = Self.simulated(.ecg, seed: seed, snr: 60)
        let beats = try ecg(samples).beats.map(\.onset)
        let highest = samples.max() ?? 0
        for place in stride(from: 3, to: beats.count, by: 3) {
            let first = max(0, Int((beats[place] - 0.05) * Self.rate))
            for sample in first..<min(samples.count, Int((beats[place] + 0.05) * Self.rate)) {
                samples[sample] = min(5 * samples[sample], 1.1 * highest)
            }
        }
        #expect(try ecg(samples).quality.goodShare > 0.98)
    }

    /// A step that comes back after some time is no wave of the heart.
    @Test(arguments: [0.3, 0.6, 1.5], 1...2 as ClosedRange<UInt64>)
    func `a step that returns is an electrode pop`(length: Double, seed: UInt64) throws {
        var samples = Self.simulated(.ecg, seed: seed)
        let size = samples.max() ?? 1
        for start in stride(from: 8.0, to: 170, by: 10) {
            for place in Int(start * Self.rate)..<Int((start + length) * Self.rate) { samples[place] += 6 * size }
        }
        let result = try ecg(samples)
        #expect(result.quality.flagged() > 0.9)
    }

    /// A short artefact anywhere, on a beat or between two, costs the intervals that it touches and at most one on either side.
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `an artefact costs the intervals it touches`(seed: UInt64) throws {
        var samples = Self.simulated(.ecg, seed: seed)
        var random = SplitMix64(seed: seed)
        let size = samples.max() ?? 1
        var places: [Range<Double>] = []
        for start in stride(from: 8.0, to: 165, by: 8) {
            let at = start + Double.random(in: 0...4, using: &random)
            let length = Double.random(in: 0.4...1.5, using: &random)
            for place in Int(at * Self.rate)..<Int((at + length) * Self.rate) {
                samples[place] += 6 * size
            }
            places.append(at..<at + length)
        }
        let result = try ecg(samples)
        let kept = Set(result.nn.map { ($0.onset * 1e4).rounded() })
        var (clean, lost, touched, left) = (0, 0, 0, 0)
        for interval in result.intervals {
            let whole = interval.onset - interval.duration..<interval.onset
            if places.contains(where: { $0.overlaps(whole) }) {
                touched += 1
                if kept.contains((interval.onset * 1e4).rounded()) { left += 1 }
            }
            let range = interval.onset - interval.duration - 0.8..<interval.onset + 0.8
            guard !places.contains(where: { $0.overlaps(range) }) else { continue }
            clean += 1
            if !kept.contains((interval.onset * 1e4).rounded()) { lost += 1 }
        }
        #expect(clean > 50)
        #expect(Double(lost) <= 0.1 * Double(clean), "\(lost) of \(clean)")
        #expect(Double(left) <= 0.1 * Double(touched), "\(left) of \(touched)")
    }

    /// Light that wanders slowly moves the level by many pulses.
    @Test(arguments: [2.0, 5, 10], [0.03, 0.08, 0.15])
    func `slow wander of light is no motion`(size: Double, frequency: Double) throws {
        var samples = Self.simulated(.bvp, seed: 3)
        let rate = 64.0
        let pulse = Double((samples.max() ?? 1) - (samples.min() ?? 0))
        for place in samples.indices {
            samples[place] += Float(size * pulse / 2 * sin(2 * .pi * frequency * Double(place) / rate))
        }
        let result = try CardiacResults.ofPulse(samples, rate: rate, chunk: 3_000)
        #expect(result.quality.flagged([.motion]) < 0.02)
        #expect(dropped(result) < 0.05)
    }

    @Test(arguments: [31, 1_000, 45_000]) func `chunks do not change which intervals are kept`(chunk: Int) throws {
        var samples = Self.simulated(.ecg, seed: 2)
        let size = samples.max() ?? 1
        for start in stride(from: 8.0, to: 170, by: 7) {
            for place in Int(start * Self.rate)..<Int((start + 0.7) * Self.rate) { samples[place] += 6 * size }
        }
        for window in [10.0, 4] {
            func result(_ chunk: Int) throws -> CardiacResult {
                try CardiacResults.ofECG(
                    samples, rate: Self.rate, chunk: chunk, computing: [.quality, .intervals], window: window)
            }
            let (whole, pieces) = (try result(5_000), try result(chunk))
            #expect(whole.nn == pieces.nn && whole.quality == pieces.quality && whole.beats == pieces.beats)
        }
    }
}

extension [QualityWindow] {
    /// Share of the windows that may not be used, and that give one of these reasons.
    fileprivate func flagged(_ reasons: Set<QualityReason> = Set(QualityReason.allCases)) -> Double {
        guard !isEmpty else { return 0 }
        return Double(count { !$0.isGood && !reasons.isDisjoint(with: $0.reasons) }) / Double(count)
    }
}
