import Cardiac
import Signals
import TestSupport
import Testing

@Suite struct BreathDetectorTests {
    private func breaths(_ samples: [Float], rate: Double) -> [Breath] {
        var detector = BreathDetector(sampleRate: rate)
        return detector.run(samples, from: SegmentStart(onset: 0, sample: 0, sampleRate: rate))
    }

    /// Breaths of the truth within `range`, missed and found too many, within `tolerance`.
    private func misses(
        _ found: [Breath], _ onsets: [Seconds], _ range: ClosedRange<Seconds>, tolerance: Seconds = 0.3
    ) -> (Int, Int) {
        let truth = onsets.filter(range.contains)
        let missed = truth.count { onset in !found.contains { abs($0.onset - onset) < tolerance } }
        let extra = found.count { breath in
            range.contains(breath.onset) && !onsets.contains { abs($0 - breath.onset) < tolerance }
        }
        return (missed, extra)
    }

    @Test(arguments: [3.0, 3.90625, 4, 10, 25, 31.25, 64, 125, 1000])
    func `finds each breath at any sample rate`(rate: Double) {
        let onsets = RespirationSamples.onsets(breaths: 14, for: 120)
        let samples = RespirationSamples.belt(onsets: onsets, rate: rate, duration: 120, noise: 0.05, drift: 2)
        let found = breaths(samples, rate: rate)
        #expect(misses(found, onsets, 1...115) == (0, 0))
        for breath in found {
            #expect(breath.peak > breath.onset)
            #expect(abs(breath.amplitude - 2) < 0.5)
        }
        #expect(found.first?.followsBreak == true)
        #expect(found.dropFirst().allSatisfy { !$0.followsBreak })
    }

    @Test(arguments: [5.0, 9, 15, 25, 40, 55])
    func `finds each breath at any rate, despite the heartbeat`(rate: Double) {
        let onsets = RespirationSamples.onsets(breaths: rate, for: 180)
        let heart = rate < 30 ? 0.3 : 0
        let samples = RespirationSamples.belt(onsets: onsets, rate: 50, duration: 180, noise: 0.1, heart: heart)
        // The heartbeat moves the lowest point of a flat trough by up to half its period.
        let tolerance = heart > 0 ? (rate < 9 ? 0.9 : 0.5) : 0.3
        #expect(misses(breaths(samples, rate: 50), onsets, 10...160, tolerance: tolerance) == (0, 0))
    }

    @Test func `windows count the breaths`() throws {
        for rate in [5.0, 9, 15, 25, 40] {
            let onsets = RespirationSamples.onsets(breaths: rate, for: 180)
            let samples = RespirationSamples.belt(onsets: onsets, rate: 25, duration: 180, noise: 0.1)
            var stage = try BeltRespirationStage(sampleRate: 25)
            let found = stage.run(samples, from: RespirationSamples.start(25))
            #expect(found.count == 13)
            for window in found.dropFirst() {
                let inside = onsets.filter { $0 > window.onset && $0 < window.onset + 60 }
                let truth = 60 * Double(inside.count - 1) / (inside[inside.count - 1] - inside[0])
                #expect(abs((window.rate ?? .nan) - truth) < 0.05 * truth)
                #expect(window.quality > 0.8)
                #expect(window.method == .belt)
            }
        }
    }

    @Test func `nothing spans a gap, and the coverage tells it`() throws {
        let onsets = RespirationSamples.onsets(breaths: 15, for: 120, variation: 0)
        var samples = RespirationSamples.belt(onsets: onsets, rate: 25, duration: 120)
        for index in 30 * 25..<50 * 25 { samples[index] = .nan }
        let found = breaths(samples, rate: 25)
        #expect(found.allSatisfy { !(30.0...50).contains($0.onset) && !(30.0...50).contains($0.peak) })
        #expect(found.count { $0.followsBreak } == 2)
        var stage = try BeltRespirationStage(sampleRate: 25)
        let windows = stage.run(samples, from: RespirationSamples.start(25))
        #expect(windows.count == 7)
        #expect(abs(windows[0].coverage - 2.0 / 3) < 0.01)
        #expect(windows.allSatisfy { abs(($0.rate ?? .nan) - 15) < 0.2 })
        for index in 10 * 25..<50 * 25 { samples[index] = .nan }
        let sparse = stage.run(samples, from: RespirationSamples.start(25))
        #expect(sparse[0].rate == nil)
        guard case .lowCoverage = sparse[0].missing else {
            Issue.record("\(sparse[0])")
            return
        }
    }

    @Test func `flat, empty, short, missing and huge inputs have no rate`() throws {
        for samples in [[], [1], [Float](repeating: 3, count: 5_000), [Float](repeating: .nan, count: 5_000)] {
            #expect(breaths(samples, rate: 25).isEmpty)
            var stage = try BeltRespirationStage(sampleRate: 25)
            #expect(stage.run(samples, from: RespirationSamples.start(25)).allSatisfy { $0.rate == nil })
        }
        #expect(breaths([.infinity, -.infinity, .greatestFiniteMagnitude, 1, 2], rate: 25).isEmpty)
        for rate in [0, -1, 3, .nan, .infinity, 1e300] as [Double] {
            #expect(breaths([1, 2, 3], rate: rate).isEmpty)
        }
    }

    @Test func `noise is of low quality`() throws {
        var random = SplitMix64(seed: 5)
        let samples = (0..<25 * 600).map { _ in Float.random(in: -1...1, using: &random) }
        var stage = try BeltRespirationStage(sampleRate: 25)
        let found = stage.run(samples, from: RespirationSamples.start(25))
        #expect(found.count > 50)
        #expect(average(found.map(\.quality)) < 0.65)
    }
}
