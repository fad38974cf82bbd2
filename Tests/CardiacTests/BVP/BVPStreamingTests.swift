import Cardiac
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct BVPStreamingTests {
    @Test(arguments: [20.0, 25, 31.25, 64, 100, 117.3, 256, 1000])
    func `beats do not depend on how the samples come`(rate: Double) {
        let first = SyntheticBVP(
            rate: rate, beats: SyntheticBVP.beats(every: 0.7, for: 20), duration: 20, shape: .init(noise: 0.1))
        var second = SyntheticBVP(
            rate: rate, beats: SyntheticBVP.beats(every: 1.1, for: 25), duration: 25, shape: .init(noise: 0.3), seed: 8)
        for k in 40..<44 { second.samples[k] = .nan }
        for k in Int(9 * rate)..<Int(10.5 * rate) { second.samples[k] = .nan }
        let inverted = first.samples.map { 100 - $0 }
        let beats = assertChunkInvariant(
            BVPBeatDetector(sampleRate: rate),
            [
                (SegmentStart(onset: 0, sample: 0, sampleRate: rate), first.samples),
                (SegmentStart(onset: 21, sample: Int(21 * rate), sampleRate: rate * 1.001), second.samples),
                (SegmentStart(onset: 50, sample: Int(50 * rate), sampleRate: rate), [1, 2, .nan]),
                (SegmentStart(onset: 60, sample: Int(60 * rate), sampleRate: rate), []),
                (SegmentStart(onset: 70, sample: Int(70 * rate), sampleRate: rate), inverted),
            ], cuts: rate > 200 ? 3 : 8)
        #expect(beats.count > 50)
        #expect(zip(beats, beats.dropFirst()).allSatisfy { $0.onset < $1.onset && $0.sample < $1.sample })
    }

    @Test func `pulses do not depend on how the samples come`() {
        let signal = SyntheticBVP(
            rate: 64, beats: SyntheticBVP.beats(every: 0.8, for: 30), duration: 30, shape: .init(noise: 0.2))
        let pulses = assertChunkInvariant(
            BVPPulseDetector(sampleRate: 64, parameters: BVPParameters(fiducial: .foot)),
            [(SegmentStart(onset: 0, sample: 0, sampleRate: 64), signal.samples)])
        #expect(pulses.count > 30)
    }

    @Test(arguments: [20.0, 64, 250])
    func `a beat comes out within the look-ahead`(rate: Double) {
        let signal = SyntheticBVP(
            rate: rate, beats: SyntheticBVP.beats(every: 0.9, for: 40), duration: 40, shape: .init(noise: 0.1))
        #expect(signal.pulsesInTime().count > 35)
    }

    @Test func `a pulse's moments are in order and its height is the pulse's`() {
        let signal = SyntheticBVP(
            rate: 128, beats: SyntheticBVP.beats(every: 0.9, for: 40), duration: 40,
            shape: .init(dicrotic: 0.1, modulation: 0, wander: 0))
        var detector = BVPPulseDetector(sampleRate: 128)
        let found = detector.run(signal.samples, from: SegmentStart(onset: 0, sample: 0, sampleRate: 128))
        for pulse in found.dropFirst().dropLast() {
            #expect(pulse.foot < pulse.upstroke && pulse.upstroke < pulse.peak)
            #expect(pulse.upstroke - pulse.foot > 0.05 && pulse.peak - pulse.upstroke < 0.2)
            #expect(pulse.amplitude > 0.7 && pulse.amplitude < 1.1)
            #expect(signal.beats.contains { abs($0 - pulse.peak) < 0.012 })
        }
    }

    @Test(arguments: BVPParameters.Fiducial.allCases)
    func `every fiducial gives the same intervals`(fiducial: BVPParameters.Fiducial) {
        let signal = SyntheticBVP(
            rate: 64, beats: SyntheticBVP.beats(every: 0.8, for: 60, random: 0.03), duration: 60,
            shape: .init(wander: 0))
        let found = signal.detect(BVPParameters(fiducial: fiducial)).map(\.onset)
        #expect(found.count >= signal.beats.count - 2)
        let offset = fiducial == .foot ? 0.18 : fiducial == .upstroke ? 0.1 : 0
        for beat in signal.beats.dropFirst(2).dropLast(2) {
            #expect(found.contains { abs($0 + offset - beat) < 0.05 })
        }
    }
}
