import Cardiac
import Signals
import TestSupport
import Testing

/// Hearts as slow and as fast as they are.
@Suite("ECG beats at extreme rates")
struct ECGRateTests {
    /// Beats that were missed after `settling` seconds, and detections that are none.
    private func errors(rate: Double, stretch: Double, seed: UInt64, settling: Double = 0) -> [Double] {
        let beats = SyntheticECG.rhythm(rate: rate, duration: 60, seed: seed)
        let samples = SyntheticECG(beats: beats, duration: 60, noise: 0.02, seed: seed, stretch: stretch).samples
        var detector = ECGBeatDetector(sampleRate: 250)
        let found = detector.run(samples, from: SegmentStart(onset: 0, sample: 0, sampleRate: 250))
        let comparison = BeatComparison(detected: found.map(\.onset), reference: beats, tolerance: 0.05)
        return comparison.missed.filter { $0 > settling } + comparison.extra
    }

    @Test("a fast heart loses no beat", arguments: [180, 200, 215, 225] as [Double], 1...4 as ClosedRange<UInt64>)
    func fast(rate: Double, seed: UInt64) {
        #expect(errors(rate: rate, stretch: 75 / rate, seed: seed, settling: 3) == [])
    }

    @Test(
        "a regular heart that becomes twice as fast is followed, in noise as well",
        arguments: [0.2, 0.4] as [Float], 1...4 as ClosedRange<UInt64>)
    func doubled(noise: Float, seed: UInt64) {
        let slow = SyntheticECG.rhythm(rate: 78, duration: 180, seed: seed)
        let fast = SyntheticECG.rhythm(rate: 156, duration: 240, from: 180 + 60.0 / 156, seed: seed + 10)
        let samples = SyntheticECG(beats: slow + fast, duration: 240, noise: noise, seed: seed, stretch: 0.7).samples
        var detector = ECGBeatDetector(sampleRate: 250)
        let found = detector.run(samples, from: SegmentStart(onset: 0, sample: 0, sampleRate: 250))
        let comparison = BeatComparison(
            detected: found.map(\.onset).filter { $0 > 190 }, reference: fast.filter { $0 > 190 }, tolerance: 0.15)
        #expect(comparison.f1 ?? 0 > 0.97)
    }

    @Test(
        "P and T waves of a slow heart are no beats, from the first on", arguments: [22, 25, 30, 40] as [Double],
        1...8 as ClosedRange<UInt64>)
    func slow(rate: Double, seed: UInt64) {
        #expect(errors(rate: rate, stretch: 1.2, seed: seed) == [])
    }
}
