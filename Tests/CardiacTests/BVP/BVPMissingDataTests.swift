import Cardiac
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct BVPMissingDataTests {
    private let signal = SyntheticBVP(
        rate: 64, beats: SyntheticBVP.beats(every: 0.8, for: 60), duration: 60, shape: .init(noise: 0.02))

    @Test func `a few missing samples are bridged`() {
        var holed = signal
        for k in stride(from: 100, to: holed.samples.count, by: 97) {
            for j in 0..<3 where k + j < holed.samples.count { holed.samples[k + j] = .nan }
        }
        let found = holed.detect()
        #expect(holed.errors(found) == (0, 0))
        #expect(found.filter(\.followsBreak).count == 1)
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity, 1e38])
    func `a stretch of missing samples breaks the series and holds no beats`(missing: Float) {
        var holed = signal
        for k in 20 * 64..<25 * 64 { holed.samples[k] = missing }
        let found = holed.detect()
        #expect(found.allSatisfy { !(20.0..<25).contains($0.onset) })
        #expect(found.filter(\.followsBreak).map(\.onset).count == 2)
        #expect(found.first { $0.onset > 25 }?.followsBreak == true)
        for beat in signal.beats where beat > 26 && beat < 59 {
            #expect(found.contains { abs($0.onset - beat) < 0.06 })
        }
    }

    @Test func `a new segment begins after a break, on its own clock`() {
        var detector = BVPBeatDetector(sampleRate: 64)
        var found: [Beat] = []
        detector.begin(SegmentStart(onset: 0, sample: 0, sampleRate: 64), into: &found)
        detector.push(signal.samples.span, into: &found)
        detector.begin(SegmentStart(onset: 100, sample: 6000, sampleRate: 64), into: &found)
        let first = found.count
        detector.push(signal.samples.span, into: &found)
        detector.finish(into: &found)
        #expect(first > 60 && found.count == 2 * first)
        #expect(found[first].followsBreak)
        for k in 0..<first {
            #expect(abs(found[first + k].onset - found[k].onset - 100) < 1e-9)
            #expect(found[first + k].sample == found[k].sample + 6000)
        }
    }

    @Test(arguments: [
        [], [1], [.nan], [Float](repeating: 0, count: 5000), [Float](repeating: 12345.678, count: 5000),
        [Float](repeating: .nan, count: 5000), [Float](repeating: 1e29, count: 5000),
        [Float](repeating: 3, count: 40),
    ])
    func `nothing, one sample and flat signals have no beats`(samples: [Float]) {
        var detector = BVPBeatDetector(sampleRate: 64)
        #expect(detector.run(samples, from: SegmentStart(onset: 0, sample: 0, sampleRate: 64)).isEmpty)
    }

    @Test func `a signal that goes flat has no beats from there on`() {
        var flat = signal
        for k in 30 * 64..<flat.samples.count { flat.samples[k] = 0.25 }
        #expect(flat.detect().allSatisfy { $0.onset < 31 })
        // A device that holds its last value.
        for k in 30 * 64..<flat.samples.count { flat.samples[k] = flat.samples[30 * 64 - 1] }
        #expect(flat.detect().allSatisfy { $0.onset < 30.5 })
    }

    @Test func `noise is reported with little confidence`() {
        var random = SplitMix64(seed: 21)
        var noise = signal
        noise.samples = (0..<600 * 64).map { _ in Float(SyntheticBVP.normal(&random)) }
        let found = noise.detect()
        #expect(found.filter { $0.confidence > 0.8 }.count < 90)
        #expect(found.filter(\.followsBreak).count > 20)
    }

    @Test(arguments: [0, -5, .nan, .infinity, 1e-3, 15.9, 16, 1e5, 1e300] as [Double])
    func `odd sample rates do no harm`(rate: Double) {
        var detector = BVPBeatDetector(sampleRate: rate)
        let found = detector.run(signal.samples, from: SegmentStart(onset: 0, sample: 0, sampleRate: rate))
        #expect(rate >= 16 || found.isEmpty)
        #expect(found.allSatisfy { $0.onset.isFinite })
    }

    @Test func `extreme samples do no harm`() {
        var random = SplitMix64(seed: 9)
        let values: [Float] = [1e29, -1e29, 9e29, 1e-37, 0, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .nan, 1]
        let samples = (0..<20_000).map { _ in values[Int.random(in: 0..<values.count, using: &random)] }
        var detector = BVPPulseDetector(sampleRate: 64)
        let found = detector.run(samples, from: SegmentStart(onset: 0, sample: 0, sampleRate: 64))
        #expect(found.allSatisfy { $0.beat.onset.isFinite && $0.beat.confidence.isFinite && $0.foot.isFinite })
        var tiny = signal
        tiny.samples = tiny.samples.map { $0 * .leastNonzeroMagnitude * 8 }
        #expect(tiny.detect().allSatisfy { $0.confidence.isFinite })
    }
}
