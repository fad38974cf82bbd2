import Cardiac
import Signals
import TestSupport
import Testing

/// Hearts that were regular, and leave beats out, or put some in, in noise; and signals that come and go.
@Suite("ECG beats where a regular rhythm ends")
struct ECGUnevenRhythmTests {
    /// Beats missed and found too many from 240 s on, of two hearts with noise of another seed each.
    private func errors(noise: Float, _ beats: (UInt64) -> [Double]) -> (missed: Int, extra: Int) {
        var sum = (missed: 0, extra: 0)
        for seed in 1...2 as ClosedRange<UInt64> {
            let all = beats(seed)
            let ecg = SyntheticECG(beats: all, duration: 420, noise: noise, seed: seed, stretch: 0.9)
            var detector = ECGBeatDetector(sampleRate: 250)
            let found = detector.run(ecg.samples, from: ecg.start).map(\.onset).filter { $0 > 240 }
            let comparison = BeatComparison(detected: found, reference: all.filter { $0 > 240 }, tolerance: 0.15)
            sum.missed += comparison.falseNegatives
            sum.extra += comparison.falsePositives
        }
        return sum
    }

    @Test("where beats are left out, noise is hardly ever a beat", arguments: [2, 3, 8])
    func block(every: Int) {
        let (missed, extra) = errors(noise: 0.2) { seed in
            SyntheticECG.rhythm(rate: 75, duration: 420, seed: seed).enumerated()
                .filter { $0.element < 240 || !$0.offset.isMultiple(of: every) }.map(\.element)
        }
        #expect(missed == 0 && extra <= 20, "\(missed) missed, \(extra) extra")
    }

    @Test("where the heart becomes half as fast, noise is hardly ever a beat")
    func slower() {
        let (missed, extra) = errors(noise: 0.2) { seed in
            SyntheticECG.rhythm(rate: 75, duration: 240, seed: seed)
                + SyntheticECG.rhythm(rate: 37.5, duration: 420, from: 241.6, seed: seed + 10)
        }
        #expect(missed == 0 && extra <= 20, "\(missed) missed, \(extra) extra")
    }

    @Test("where every second beat becomes premature, noise does not make the rhythm one of half the beats")
    func bigeminy() {
        let (missed, _) = errors(noise: 0.3) { seed in
            SyntheticECG.rhythm(rate: 75, duration: 419, seed: seed).enumerated().map { place, beat in
                beat - (beat > 240 && place.isMultiple(of: 2) ? 0.35 : 0)
            }
        }
        // Of 224.
        #expect(missed <= 150, "\(missed) missed")
    }

    @Test(
        "the first beat after a gap is found, however soon it comes", arguments: [100, 250, 1_000] as [Double],
        [0.02, 0.05, 0.08])
    func gap(sampleRate: Double, before: Double) {
        let beats = SyntheticECG.rhythm(rate: 75, duration: 120, seed: 3)
        let ecg = SyntheticECG(sampleRate: sampleRate, beats: beats, duration: 120, noise: 0.02)
        var samples = ecg.samples
        var lost: Set<Int> = []
        for place in stride(from: 10, to: beats.count - 2, by: 10) {
            let (start, end) = (beats[place - 2] + 0.35, beats[place] - before)
            for sample in Int(start * sampleRate)..<Int(end * sampleRate) { samples[sample] = .nan }
            lost.insert(place - 1)
        }
        let reference = beats.enumerated().filter { !lost.contains($0.offset) }.map(\.element)
        var detector = ECGBeatDetector(sampleRate: sampleRate)
        let found = detector.run(samples, from: ecg.start).map(\.onset)
        let comparison = BeatComparison(detected: found, reference: reference, tolerance: 0.05)
        #expect(comparison.missed.isEmpty && comparison.extra.isEmpty)
    }
}
