import Cardiac
import Foundation
import Signals
import TestSupport
import Testing

@Suite("ECG beats in ventricular flutter")
struct ECGFlutterTests {
    private static let sampleRate = 250.0

    private func detect(_ samples: [Float]) -> [Double] {
        var detector = ECGBeatDetector(sampleRate: Self.sampleRate)
        return detector.run(samples, from: SegmentStart(onset: 0, sample: 0, sampleRate: Self.sampleRate)).map(\.onset)
    }

    /// Sinus rhythm, ten seconds of waves from second 30 on, sinus rhythm.
    private func recording(cycle: Double, size: Double, keepingBeats: Bool, noise: Float = 0.02) -> [Float] {
        let beats = SyntheticECG.rhythm(rate: 70, duration: 70).filter { keepingBeats || !(29.7..<40.3).contains($0) }
        var samples = SyntheticECG(beats: beats, duration: 70, noise: noise).samples
        for index in 7500..<10_000 {
            let time = Double(index) / Self.sampleRate - 30
            // The amplitude waxes and wanes, and the crests are a little sharper than the troughs.
            let phase = 2 * .pi * time / cycle
            let swell = 1 + 0.25 * sin(2 * .pi * time / 3.7)
            samples[index] += Float(size / 2 * swell * (sin(phase) + 0.15 * cos(2 * phase)))
        }
        return samples
    }

    @Test("each wave is a beat, and the rhythm around it stays", arguments: [0.3, 0.35, 0.4])
    func waves(cycle: Double) {
        let found = detect(recording(cycle: cycle, size: 1, keepingBeats: false))
        let inside = found.filter { (31.5..<38.5).contains($0) }
        #expect(abs(Double(inside.count) - 7 / cycle) <= 2)
        let intervals = zip(inside, inside.dropFirst()).map { $1 - $0 }
        #expect(intervals.filter { abs($0 - cycle) > 0.35 * cycle }.count <= 1)
        let beats = SyntheticECG.rhythm(rate: 70, duration: 70)
        for part in [1.0..<29, 42.0..<69] {
            let comparison = BeatComparison(
                detected: found.filter(part.contains), reference: beats.filter(part.contains), tolerance: 0.05)
            #expect(comparison.f1 == 1)
        }
    }

    @Test("waves that leave the QRS complexes standing are no beats", arguments: [0.22, 0.3, 0.4], [0.1, 0.3])
    func tremor(cycle: Double, size: Double) {
        let found = detect(recording(cycle: cycle, size: size, keepingBeats: true))
        let comparison = BeatComparison(
            detected: found, reference: SyntheticECG.rhythm(rate: 70, duration: 70), tolerance: 0.05)
        #expect(comparison.f1 ?? 0 > 0.99)
    }

    @Test("small waves in a pause are flutter of the atria, not beats")
    func atria() {
        let found = detect(recording(cycle: 0.22, size: 0.08, keepingBeats: false, noise: 0.005))
        #expect(found.filter { (30.5..<39.5).contains($0) }.count <= 4)
    }

    @Test("does not depend on how the input was cut")
    func chunks() {
        let samples = Array(recording(cycle: 0.3, size: 1, keepingBeats: false)[5000..<12_500])
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: Self.sampleRate)
        assertChunkInvariant(ECGBeatDetector(sampleRate: Self.sampleRate), [(start, samples)], cuts: 5)
    }
}
