import Cardiac
import Formats
import Foundation
import Signals
import TestSupport
import Testing

@Suite("ECG beats between gaps")
struct ECGGapTests {
    /// Samples with blocks of `length` samples missing, each with a probability of `share`.
    private func punched(_ samples: [Float], length: Int, share: Double, seed: UInt64) -> [Float] {
        var generator = SplitMix64(seed: seed)
        var samples = samples
        for first in stride(from: 0, to: samples.count, by: length)
        where Double.random(in: 0..<1, using: &generator) < share {
            for index in first..<min(first + length, samples.count) { samples[index] = .nan }
        }
        return samples
    }

    private func detect(_ samples: [Float], _ sampleRate: Double) -> [Beat] {
        var detector = ECGBeatDetector(sampleRate: sampleRate)
        return detector.run(samples, from: SegmentStart(onset: 0, sample: 0, sampleRate: sampleRate))
    }

    /// The beats that have all of the 50 ms to either side.
    private func visible(_ beats: [Double], _ samples: [Float], _ sampleRate: Double) -> [Double] {
        beats.filter { beat in
            let first = Int((beat - 0.05) * sampleRate)
            let last = Int((beat + 0.05) * sampleRate) + 1
            return first >= 0 && last < samples.count && samples[first...last].allSatisfy { $0.isFinite }
        }
    }

    /// Intervals that are told and are not those between two successive beats, within 20 ms.
    private func wrongIntervals(_ found: [Beat], _ beats: [Double]) -> [Double] {
        zip(found, found.dropFirst()).filter { !$1.followsBreak }.compactMap { earlier, later in
            let start = beats.indices.min { abs(beats[$0] - earlier.onset) < abs(beats[$1] - earlier.onset) }
            guard let start, start + 1 < beats.count else { return later.onset }
            let length = beats[start + 1] - beats[start]
            return abs(later.onset - earlier.onset - length) < 0.02 ? nil : later.onset
        }
    }

    @Test(
        "lost packets cost the beats in them, and no others", arguments: [0.06, 0.1, 0.2, 0.5],
        [0.03, 0.1])
    func lostPackets(length: Double, share: Double) {
        let beats = SyntheticECG.rhythm(rate: 70, duration: 300)
        let whole = SyntheticECG(beats: beats, duration: 300, noise: 0.02).samples
        for seed in 1...3 as ClosedRange<UInt64> {
            let samples = punched(whole, length: Int(length * 250), share: share, seed: seed)
            let found = detect(samples, 250)
            let seen = visible(beats, samples, 250)
            // Before the first run of 1.5 s nothing is known.
            let missed = BeatComparison(detected: found.map(\.onset), reference: seen, tolerance: 0.05).missed
                .filter { $0 > 15 }
            #expect(missed.count <= seen.count / 50, "\(missed)")
            let extra = BeatComparison(detected: found.map(\.onset), reference: beats, tolerance: 0.15).extra
            #expect(extra.count <= 2, "\(extra)")
            let wrong = wrongIntervals(found, beats)
            #expect(wrong.count <= 2, "\(wrong)")
        }
    }

    @Test(
        "MIT-BIH: lost packets of 58 ms cost the beats in them, and no others",
        .enabled(if: RealData.has("mitdb/223.hea")), arguments: ["100", "119", "217", "223"], [0.03, 0.1])
    func lostPacketsOfRecords(name: String, share: Double) throws {
        let url = RealData.url("mitdb/\(name).hea")
        let recording = try Recording(reading: WFDBRecord(url))
        let segment = try #require(recording.streams.first?.segments.first)
        let rate = segment.start.sampleRate
        let whole = Array(segment.block.channel(0).prefix(Int(300 * rate)))
        let annotations = try WFDBAnnotations.read(url.deletingPathExtension().appendingPathExtension("atr"))
        let beats = annotations.list.filter(\.isBeat).map { Double($0.sample) / rate }.filter { $0 < 300 }
        let samples = punched(whole, length: Int((0.058 * rate).rounded()), share: share, seed: 3)
        let found = detect(samples, rate)
        let seen = visible(beats, samples, rate)
        let missed = BeatComparison(detected: found.map(\.onset), reference: seen, tolerance: 0.15).missed
            .filter { $0 > 15 }
        #expect(missed.count <= seen.count / 50, "\(missed)")
        let extra = BeatComparison(detected: found.map(\.onset), reference: beats, tolerance: 0.15).extra
        #expect(extra.count <= 2, "\(extra)")
    }

    @Test("gaps as missing samples and gaps between segments give the same beats")
    func segmentsAndMissingSamples() {
        let beats = SyntheticECG.rhythm(rate: 75, duration: 120)
        let whole = SyntheticECG(beats: beats, duration: 120, noise: 0.03).samples
        let samples = punched(whole, length: 16, share: 0.04, seed: 5)
        var detector = ECGBeatDetector(sampleRate: 250)
        var pieces: [Beat] = []
        var first = 0
        while let start = samples[first...].firstIndex(where: \.isFinite) {
            let end = samples[start...].firstIndex { !$0.isFinite } ?? samples.count
            detector.begin(
                SegmentStart(onset: Double(start) / 250, sample: start, sampleRate: 250), into: &pieces)
            detector.push(samples[start..<end].span, into: &pieces)
            first = end
        }
        detector.finish(into: &pieces)
        #expect(pieces.count > 100)
        let missing = detect(samples, 250)
        #expect(pieces.map(\.sample) == missing.map(\.sample))
        #expect(pieces.map(\.followsBreak) == missing.map(\.followsBreak))
    }

    @Test("how an input with many gaps was cut says nothing", arguments: [130, 250, 1000] as [Double])
    func cutBetweenGaps(sampleRate: Double) {
        let beats = SyntheticECG.rhythm(rate: 75, duration: 40)
        let whole = SyntheticECG(sampleRate: sampleRate, beats: beats, duration: 40, noise: 0.03).samples
        let samples = punched(whole, length: Int(0.07 * sampleRate), share: 0.05, seed: 9)
        let starts = [0.0, 40.1, 85].map { SegmentStart(onset: $0, sample: 0, sampleRate: sampleRate) }
        let found = assertChunkInvariant(
            ECGBeatDetector(sampleRate: sampleRate), starts.map { ($0, samples) }, cuts: 4,
            sampleBySample: sampleRate < 500)
        #expect(found.count > 100)
    }

    @Test("the edges of a dead stretch are hardly ever taken for beats", arguments: [0, -0.4, 1.5] as [Float])
    func deadStretch(level: Float) {
        let beats = SyntheticECG.rhythm(rate: 70, duration: 120)
        let whole = SyntheticECG(beats: beats, duration: 120, noise: 0.02).samples.map { $0 + 0.3 }
        var extra: [Double] = []
        for start in stride(from: 60, to: 61, by: 0.07) {
            var samples = whole
            for index in Int(start * 250)..<Int((start + 20) * 250) { samples[index] = level }
            let seen = beats.filter { !(start..<start + 20).contains($0) }
            let found = detect(samples, 250).map(\.onset)
            extra += BeatComparison(detected: found, reference: seen, tolerance: 0.1).extra
        }
        // Of thirty edges.
        #expect(extra.count <= 1, "\(extra)")
    }
}
