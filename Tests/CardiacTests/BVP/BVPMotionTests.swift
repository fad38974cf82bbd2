import Cardiac
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct BVPMotionTests {
    private static let duration = 180.0
    private static let walking = [30.0..<90, 110.0..<170]
    private let start = SegmentStart(onset: 0, sample: 0, sampleRate: 64)

    private func signal(every interval: Seconds = 0.85) -> SyntheticBVP {
        SyntheticBVP(
            rate: 64, beats: SyntheticBVP.beats(every: interval, for: Self.duration), duration: Self.duration,
            shape: .init(noise: 0.02))
    }

    @Test(arguments: [1.4, 1.8, 2.2])
    func `an acceleration lets it see the pulse through a walk twice as large`(cadence: Double) {
        var signal = signal()
        let wrist = MovingWrist(cadence: cadence, during: Self.walking, bvpRate: 64, duration: Self.duration)
        for k in signal.samples.indices { signal.samples[k] += 0.8 * wrist.artefact[k] }
        let deaf = signal.errors(signal.detect())
        var detector = wrist.informed(rate: 64)
        let (missed, extra) = signal.errors(detector.run(signal.samples, from: start))
        #expect(deaf.missed + deaf.extra > 40)
        #expect(missed + extra <= 10)
    }

    @Test(arguments: [1.4, 1.8, 2.2])
    func `waves in step with a walk are not taken for pulses`(cadence: Double) {
        var signal = signal()
        let wrist = MovingWrist(cadence: cadence, during: Self.walking, bvpRate: 64, duration: Self.duration)
        // The sensor has lost the pulse while the arm swings.
        var random = SplitMix64(seed: 4)
        for k in signal.samples.indices where Self.walking.contains(where: { $0.contains(Double(k) / 64) }) {
            signal.samples[k] = 0.8 * wrist.artefact[k] + Float(0.03 * SyntheticBVP.normal(&random))
        }
        let inWalk = { (beat: Beat) in Self.walking.contains { $0.contains(beat.onset) } }
        let deaf = signal.detect().filter(inWalk)
        var detector = wrist.informed(rate: 64)
        let found = detector.run(signal.samples, from: start)
        let locked = found.filter(inWalk)
        #expect(deaf.filter { $0.confidence > 0.7 }.count > 100)
        #expect(locked.count < deaf.count / 3)
        #expect(locked.filter { $0.confidence > 0.7 }.count < deaf.count / 20)
        // What is at rest is found as ever.
        for beat in signal.beats where (2..<29).contains(beat) || (94..<108).contains(beat) {
            #expect(found.contains { abs($0.onset - beat) < 0.06 })
        }
    }

    @Test func `it is less sure of beats in motion`() {
        var signal = signal()
        let wrist = MovingWrist(cadence: 1.8, during: Self.walking, bvpRate: 64, duration: Self.duration)
        for k in signal.samples.indices { signal.samples[k] += 0.4 * wrist.artefact[k] }
        var detector = wrist.informed(rate: 64)
        let found = detector.run(signal.samples, from: start)
        func mean(_ spans: [Range<Seconds>]) -> Float {
            let these = found.filter { beat in spans.contains { $0.contains(beat.onset) } }
            return these.reduce(0) { $0 + $1.confidence } / Float(max(1, these.count))
        }
        #expect(mean([10..<28, 98..<108]) > mean(Self.walking) + 0.01)
        #expect(mean(Self.walking) > 0.5)
    }

    @Test func `an accelerometer at rest changes next to nothing`() {
        let signal = signal()
        let wrist = MovingWrist(cadence: 1.8, during: [], bvpRate: 64, duration: Self.duration)
        let plain = signal.detect()
        var detector = wrist.informed(rate: 64)
        let found = detector.run(signal.samples, from: start)
        #expect(found.count == plain.count)
        for (a, b) in zip(found, plain) {
            #expect(abs(a.onset - b.onset) < 0.002)
            #expect(abs(a.confidence - b.confidence) < 0.01)
        }
    }

    @Test(arguments: [20.0, 64, 256])
    func `beats in motion do not depend on how the samples come`(rate: Double) {
        let signal = SyntheticBVP(
            rate: rate, beats: SyntheticBVP.beats(every: 0.8, for: 60), duration: 60, shape: .init(noise: 0.05))
        let wrist = MovingWrist(cadence: 1.7, during: [10..<25, 30..<50], bvpRate: rate, duration: 60)
        let samples = zip(signal.samples, wrist.artefact).map { $0 + 0.8 * $1 }
        let half = samples.count / 2
        let gap = half + Int(2 * rate)
        let beats = assertChunkInvariant(
            wrist.informed(rate: rate),
            [
                (SegmentStart(onset: 0, sample: 0, sampleRate: rate), Array(samples[..<half])),
                (
                    SegmentStart(onset: Double(gap) / rate, sample: gap, sampleRate: rate),
                    Array(samples[gap...])
                ),
            ], cuts: rate > 100 ? 3 : 6)
        #expect(beats.count > 50)
    }

    @Test func `the acceleration may come in any pieces that are ahead of the signal`() {
        var signal = signal()
        let wrist = MovingWrist(cadence: 1.8, during: Self.walking, bvpRate: 64, duration: Self.duration)
        for k in signal.samples.indices { signal.samples[k] += 0.8 * wrist.artefact[k] }
        var informed = wrist.informed(rate: 64)
        let expected = informed.run(signal.samples, from: start)
        var random = SplitMix64(seed: 12)
        for longest in [5, 300] {
            var detector = BVPBeatDetector(sampleRate: 64)
            var found: [Beat] = []
            var (heard, seen) = (0, 0)
            detector.beginAcceleration(SegmentStart(onset: 0, sample: 0, sampleRate: 32))
            detector.begin(start, into: &found)
            while seen < signal.samples.count {
                let next = min(seen + Int.random(in: 1...longest, using: &random), signal.samples.count)
                let needed = Double(next) / 64 + detector.accelerationLead
                let until = min(wrist.acceleration.frameCount, max(heard, Int((needed * 32).rounded(.up)) + 1))
                let axes = (0..<3).flatMap { Array(wrist.acceleration.channel($0)[heard..<until]) }
                if until > heard {
                    detector.pushAcceleration(SampleBlock(channelCount: 3, samples: axes), factor: 1)
                }
                if until == wrist.acceleration.frameCount { detector.endAcceleration() }
                detector.push(signal.samples.span.extracting(seen..<next), into: &found)
                (heard, seen) = (until, next)
            }
            detector.finish(into: &found)
            #expect(found == expected)
        }
    }

    @Test func `odd accelerations do no harm`() {
        let signal = signal()
        let values: [Float] = [.nan, .infinity, 1e30, -1e5, 0, 1, .leastNonzeroMagnitude]
        var random = SplitMix64(seed: 2)
        for (rate, channels) in [(32.0, 3), (32, 1), (4, 3), (1e6, 3), (.nan, 2), (100, 5)] as [(Double, Int)] {
            var detector = BVPBeatDetector(sampleRate: 64)
            detector.pushAcceleration(SampleBlock(channelCount: 1, samples: [1, 2]), factor: 1)
            detector.beginAcceleration(SegmentStart(onset: 0, sample: 0, sampleRate: rate))
            let samples = (0..<6000 * channels).map { _ in values[Int.random(in: 0..<values.count, using: &random)] }
            detector.pushAcceleration(SampleBlock(channelCount: channels, samples: samples), factor: 1)
            detector.pushAcceleration(SampleBlock(channelCount: channels, samples: []), factor: .nan)
            detector.beginAcceleration(SegmentStart(onset: -1e9, sample: 0, sampleRate: 32))
            detector.pushAcceleration(SampleBlock(channelCount: 3, samples: [0, 0, 1]), factor: 1)
            let found = detector.run(signal.samples, from: start)
            #expect(found.allSatisfy { $0.onset.isFinite && $0.confidence.isFinite })
        }
    }
}
