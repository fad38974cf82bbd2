import Cardiac
import Signals
import TestSupport
import Testing

/// Breaths where samples were lost.
@Suite struct BreathLossTests {
    private let rate = 25.0

    /// Windows of a belt at `breaths` per minute that misses `length` seconds every `period`.
    private func windows(
        breaths: Double, variation: Double = 0.1, losing length: Seconds, every period: Seconds
    ) throws -> [RespirationWindow] {
        let onsets = RespirationSamples.onsets(breaths: breaths, for: 300, variation: variation)
        var samples = RespirationSamples.belt(onsets: onsets, rate: rate, duration: 300, noise: 0.02)
        lose(length, every: period, of: &samples, rate: rate)
        var stage = try BeltRespirationStage(sampleRate: rate)
        return stage.run(samples, from: RespirationSamples.start(rate))
    }

    private func lose(_ length: Seconds, every period: Seconds, of samples: inout [Float], rate: Double) {
        for start in stride(from: 2.5, to: Double(samples.count) / rate - length, by: period) {
            for index in Int(start * rate)..<Int((start + length) * rate) { samples[index] = .nan }
        }
    }

    @Test(arguments: [5.0, 6, 8, 10, 15])
    func `lost fifths of a second leave the rate, and the coverage tells them`(breaths: Double) throws {
        let whole = try windows(breaths: breaths, losing: 0, every: 7)
        let found = try windows(breaths: breaths, losing: 0.2, every: 7)
        #expect(found.count == 25)
        #expect(whole.count == 25)
        for (window, truth) in zip(found, whole) {
            #expect(abs((window.rate ?? .nan) - (truth.rate ?? .nan)) < 0.02 * breaths)
            #expect(window.coverage < 0.985)
            #expect(window.coverage > 0.95)
        }
    }

    @Test(arguments: [10.0, 25, 31.25, 125])
    func `losses of a second are bridged at any sample rate, longer ones are not`(rate: Double) {
        let onsets = RespirationSamples.onsets(breaths: 6, for: 120, variation: 0)
        for (length, breaks) in [(1.0, 1), (1.3, 2)] {
            for shift in 0..<12 {
                var samples = RespirationSamples.belt(onsets: onsets, rate: rate, duration: 120)
                let first = Int(60 * rate) + shift
                for index in first..<first + Int(length * rate) { samples[index] = .nan }
                var detector = BreathDetector(sampleRate: rate)
                let breaths = detector.run(samples, from: RespirationSamples.start(rate))
                #expect(breaths.count { $0.followsBreak } == breaks, "\(length) s from \(first)")
            }
        }
    }

    @Test func `what hides whole breaths has no interval across`() throws {
        let found = try windows(breaths: 45, variation: 0, losing: 0.9, every: 6.1)
        #expect(found.count == 25)
        #expect(found.allSatisfy { abs(($0.rate ?? .nan) - 45) < 1 })
    }

    @Test func `reasons name intervals`() throws {
        let found = try windows(breaths: 12, losing: 2, every: 8)
        let reasons = found.compactMap(\.missing)
        #expect(!reasons.isEmpty)
        for reason in reasons {
            guard case .tooFewIntervals(let intervals, let breaths, let least) = reason else {
                Issue.record("\(reason)")
                continue
            }
            #expect(intervals < least)
            #expect(breaths > least)
            #expect(reason.description.contains("intervals"))
        }
    }

    @Test(arguments: [10.0, 31.25])
    func `none of it depends on how the samples come`(rate: Double) throws {
        let onsets = RespirationSamples.onsets(breaths: 14, for: 200)
        var samples = RespirationSamples.belt(onsets: onsets, rate: rate, duration: 200, noise: 0.05)
        for (start, length) in [(0, 0.5), (30, 0.2), (60, 1.0), (61.5, 0.9), (80, 1.3), (110, 4), (199.3, 0.7)] {
            for index in Int(start * rate)..<min(Int((start + length) * rate), samples.count) { samples[index] = .nan }
        }
        var often = samples
        lose(0.4, every: 3.3, of: &often, rate: rate)
        let segments = [
            (RespirationSamples.start(rate), samples), (RespirationSamples.start(rate, onset: 210), often),
            (RespirationSamples.start(rate, onset: 420), [Float](repeating: .nan, count: Int(30 * rate))),
        ]
        let breaths = assertChunkInvariant(BreathDetector(sampleRate: rate), segments, cuts: 4)
        #expect(breaths.count > 60)
        let stage = try BeltRespirationStage(sampleRate: rate)
        let windows = assertChunkInvariant(stage, segments, cuts: 4)
        #expect(windows.contains { $0.coverage < 0.95 })
    }

    @Test(arguments: [3.0, 10, 31.25, 125])
    func `windows and breaths come no later than is told`(rate: Double) throws {
        let onsets = RespirationSamples.onsets(breaths: 12, for: 300)
        var samples = RespirationSamples.belt(onsets: onsets, rate: rate, duration: 300, noise: 0.02)
        lose(1, every: 7.3, of: &samples, rate: rate)
        let told = try RespirationSamples.toldInTime(of: samples, rate: rate)
        #expect(told.windows.count > 15)
        #expect(told.breaths.count > 40)
    }
}
