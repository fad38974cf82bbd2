import Cardiac
import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// What the first pulses of a run teach may be wrong, and is soon forgotten.
@Suite struct BVPStartTests {
    /// A first interval twice as long as the next ones: they are found none the less, from the second of them on.
    @Test(arguments: [0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2], [1, 2])
    func `a pulse missing among the first does not halve the rate`(interval: Seconds, index: Int) {
        var beats = SyntheticBVP.beats(every: interval, for: 60)
        beats.remove(at: index)
        let signal = SyntheticBVP(rate: 64, beats: beats, duration: 60)
        let found = signal.detect().map(\.onset)
        for beat in beats[(index + 2)...] where beat < 59 {
            #expect(found.contains { abs($0 - beat) < 0.08 }, "no beat at \(beat) s")
        }
    }

    @Test func `a pulse missing after a gap does not halve the rate`() {
        var beats = SyntheticBVP.beats(every: 1, for: 90)
        let next = beats.firstIndex { $0 > 34 } ?? 0
        beats.remove(at: next + 1)
        var signal = SyntheticBVP(rate: 64, beats: beats, duration: 90)
        for k in 30 * 64..<Int((beats[next] - 0.4) * 64) { signal.samples[k] = .nan }
        let found = signal.detect().map(\.onset)
        for beat in beats[(next + 3)...] where beat < 89 {
            #expect(found.contains { abs($0 - beat) < 0.08 }, "no beat at \(beat) s")
        }
    }

    /// A first pulse whose top comes late moves its own beat. Of that, the beats after it take the share that the first
    /// pulse has in the mean, and no interval more than half.
    @Test(arguments: [30.0, 64, 125])
    func `an odd first pulse does not move later beats for long`(rate: Double) throws {
        let beats = SyntheticBVP.beats(every: 0.85, for: 120)
        var signal = SyntheticBVP(rate: rate, beats: beats, duration: 120)
        let plain = signal.detect().map(\.onset)
        let late = try #require(beats.first) + 0.2
        for k in signal.samples.indices {
            let t = (Double(k) / rate - late) / 0.1
            signal.samples[k] += Float(1.2 * exp(-0.5 * t * t))
        }
        let odd = signal.detect().map(\.onset)
        try #require(odd.count == plain.count && plain.count > 130)
        let moved = zip(odd, plain).map { $0 - $1 }
        #expect(moved[0] > 0.1)
        for (n, shift) in moved.enumerated().dropFirst(3) {
            #expect(abs(shift) < 5 / Double(n + 5) * moved[0] + 0.005, "beat \(n + 1) is off by \(shift) s")
        }
        #expect(moved.dropFirst(30).allSatisfy { abs($0) < 0.025 })
        #expect(zip(moved, moved.dropFirst()).allSatisfy { abs($1 - $0) < moved[0] / 2 })
    }

    /// Minutes of a wristband's record by themselves: beats from 10 s on against those of the whole record, in F1 at
    /// 50 ms. A start on the first pulse's own time to the peak gave 95.1 % and 78.2 %.
    @Test(
        .enabled(if: RealData.has("e4_stress_predict/S34.zip") && RealData.has("e4_stress_predict/S05.zip")),
        arguments: [("S34", 0.99), ("S05", 0.93)])
    func `a cut of a record agrees with the whole`(record: String, least: Double) throws {
        let recording = try Recording(
            reading: RecordingFile.open(RealData.url("e4_stress_predict/\(record).zip")))
        let segment = try #require(recording.streams(of: .bvp).first?.segments.first)
        let (rate, samples) = (segment.start.sampleRate, segment.block.channel(0))
        func beats(_ samples: ArraySlice<Float>, from first: Int) -> [Seconds] {
            var detector = BVPBeatDetector(sampleRate: rate)
            return detector.run(
                Array(samples), from: SegmentStart(onset: Double(first) / rate, sample: first, sampleRate: rate)
            ).map(\.onset)
        }
        let whole = beats(samples[...], from: 0)
        let length = Int(60 * rate)
        var comparisons: [BeatComparison] = []
        for first in stride(from: Int(0.37 * rate), to: samples.count - length, by: length) {
            let start = Double(first) / rate
            let span = start + 10..<start + 58
            comparisons.append(
                BeatComparison(
                    detected: beats(samples[first..<first + length], from: first).filter(span.contains),
                    reference: whole.filter(span.contains), tolerance: 0.05))
        }
        let agreement = try #require(BeatComparison.merged(comparisons).f1)
        #expect(agreement > least, "\(record): \(agreement)")
    }
}
