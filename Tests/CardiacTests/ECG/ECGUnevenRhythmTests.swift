import Cardiac
import Signals
import TestSupport
import Testing

/// Hearts that were regular, and leave beats out, or put some in, in noise; and signals that come and go.
@Suite("ECG beats where a regular rhythm ends")
struct ECGUnevenRhythmTests {
    /// Beats missed and found too many from 240 s on.
    private func errors(_ beats: [Double], noise: Float, seed: UInt64) -> (missed: Int, extra: Int) {
        var ecg = SyntheticECG(beats: beats, duration: 420, noise: noise, seed: seed)
        ecg.stretch = 0.9
        var detector = ECGBeatDetector(sampleRate: 250)
        let found = detector.run(ecg.samples, from: ecg.start).map(\.onset).filter { $0 > 240 }
        let reference = beats.filter { $0 > 240 }
        let comparison = BeatComparison(detected: found, reference: reference, tolerance: 0.15)
        return (comparison.falseNegatives, comparison.falsePositives)
    }

    @Test(
        "where beats are left out, noise is no beat", arguments: [2, 3, 8], 1...2 as ClosedRange<UInt64>)
    func block(every: Int, seed: UInt64) {
        let all = SyntheticECG.rhythm(rate: 75, duration: 420, seed: seed)
        let beats = all.enumerated().filter { $0.element < 240 || !$0.offset.isMultiple(of: every) }.map(\.element)
        let (missed, extra) = errors(beats, noise: 0.15, seed: seed)
        #expect(missed == 0 && extra <= 3, "\(missed) missed, \(extra) extra")
    }

    @Test(
        "where the heart becomes much slower, noise is no beat", arguments: [30, 37.5] as [Double],
        1...2 as ClosedRange<UInt64>)
    func slower(rate: Double, seed: UInt64) {
        let before = SyntheticECG.rhythm(rate: 75, duration: 240, seed: seed)
        let beats = before + SyntheticECG.rhythm(rate: rate, duration: 420, from: 240 + 60 / rate, seed: seed + 10)
        let (missed, extra) = errors(beats, noise: 0.15, seed: seed)
        #expect(missed == 0 && extra <= 3, "\(missed) missed, \(extra) extra")
    }

    @Test("where every second beat is premature, it is found in noise", arguments: 1...2 as ClosedRange<UInt64>)
    func bigeminy(seed: UInt64) {
        var beats: [Double] = []
        for (place, beat) in SyntheticECG.rhythm(rate: 75, duration: 419, seed: seed).enumerated() {
            beats.append(beat - (beat > 240 && place.isMultiple(of: 2) ? 0.3 : 0))
        }
        let (missed, extra) = errors(beats, noise: 0.2, seed: seed)
        #expect(missed <= 6 && extra <= 3, "\(missed) missed, \(extra) extra")
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
