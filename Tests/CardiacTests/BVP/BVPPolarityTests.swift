import Cardiac
import Foundation
import Signals
import TestSupport
import Testing

/// The polarity of pulses: found from their shape, at any rate and behind any high-pass filter, and in doubt where the
/// shape does not say it.
@Suite struct BVPPolarityTests {
    private static let rates = [25.0, 50, 64, 100, 125, 500]

    private func detect(
        _ samples: [Float], _ rate: Double, _ parameters: BVPParameters = BVPParameters(),
        expecting source: PulseSource = .unknown
    ) -> (beats: [Beat], doubt: PulseDoubt?) {
        var detector = BVPBeatDetector(sampleRate: rate, parameters: parameters, expecting: source)
        let beats = detector.run(samples, from: SegmentStart(onset: 0, sample: 0, sampleRate: rate))
        return (beats, detector.pulseDoubt)
    }

    @Test(arguments: ShapedPulses.kinds, ShapedPulses.Coupling.kinds)
    func `beats lie on the systolic peaks, upright and upside down`(
        kind: ShapedPulses, coupling: ShapedPulses.Coupling
    ) {
        for rate in Self.rates {
            for sign in [1.0, -1] {
                for bpm in [55.0, 90] {
                    let signal = kind.signal(
                        rate: rate, beatsPerMinute: bpm, duration: 40, coupling: coupling, sign: sign)
                    let found = detect(signal.samples, rate)
                    let share = ShapedPulses.found(found.beats, of: signal.peaks)
                    // Slow pulses of stiff arteries, upside down behind a second-order filter, fall as fast as they rise.
                    let isKnown =
                        kind.testDescription == "old finger" && coupling.testDescription.hasPrefix("order 2")
                        && sign < 0
                    withKnownIssue("both waves of a pulse are found", isIntermittent: true) {
                        #expect(share >= 0.95, "\(rate) Hz, \(bpm)/min, sign \(sign): \(share)")
                    } when: {
                        isKnown
                    }
                }
            }
        }
    }

    /// Sensors that differentiate make the dicrotic wave of slow pulses almost as steep as the systolic one.
    @Test(arguments: [0.35, 0.5], [45.0, 55, 65, 75])
    func `a steep dicrotic wave is no beat`(dicrotic: Double, bpm: Double) {
        let kind = ShapedPulses(name: "young finger", rise: 0.05, fall: 0.09, dicrotic: dicrotic, notch: 0.34)
        let parameters = BVPParameters(polarity: .upright)
        for coupling in [
            ShapedPulses.Coupling(order: 1), .init(order: 2), .init(order: 1, cutOff: 1),
        ] {
            for rate in Self.rates {
                let signal = kind.signal(rate: rate, beatsPerMinute: bpm, duration: 40, coupling: coupling)
                let share = ShapedPulses.found(detect(signal.samples, rate, parameters).beats, of: signal.peaks)
                #expect(share >= 0.95, "\(rate) Hz, \(coupling.testDescription): \(share)")
            }
        }
    }

    /// The heights of pulses vary with breath and rhythm, and those of an irregular heart with each interval.
    @Test(arguments: [100.0, 130, 160], 0..<4)
    func `fast and irregular pulses of changing height are all found`(bpm: Double, seed: UInt64) {
        var random = SplitMix64(seed: seed + 1)
        for rate in [25.0, 64, 250] {
            var (onset, peaks, values) = (0.3, [Seconds](), [Float](repeating: 0, count: Int(40 * rate)))
            var before = 60 / bpm
            while onset < 39 {
                let height = max(0.55, min(1.2, before * bpm / 60))
                peaks.append(onset + 0.12)
                for k in Int(onset * rate)..<min(values.count, Int((onset + 0.6) * rate)) {
                    let time = Double(k) / rate - onset - 0.12
                    values[k] += Float(height * exp(-0.5 * pow(time / (time < 0 ? 0.05 : 0.1), 2)))
                }
                before = 60 / bpm * Double.random(in: 0.85...1.15, using: &random)
                onset += before
            }
            let share = ShapedPulses.found(
                detect(values, rate, BVPParameters(polarity: .upright)).beats, of: peaks)
            #expect(share >= 0.95, "\(rate) Hz: \(share)")
        }
    }

    @Test(arguments: ShapedPulses.kinds)
    func `clear pulses are in no doubt`(kind: ShapedPulses) {
        for sign in [1.0, -1] {
            let signal = kind.signal(rate: 64, sign: sign)
            #expect(detect(signal.samples, 64).doubt == nil)
        }
    }

    @Test func `a wave that is the same either way up is in doubt, and taken for upright`() {
        let samples = (0..<64 * 60).map { Float(sin(2 * .pi * 1.1 * Double($0) / 64)) }
        let doubt = detect(samples, 64).doubt
        #expect(doubt?.kind == .undecided)
        #expect(doubt?.polarity == .upright)
    }

    @Test(arguments: [BVPParameters.Polarity.upright, .inverted])
    func `a polarity that is set is in no doubt and never turns over`(polarity: BVPParameters.Polarity) {
        let signal = ShapedPulses.kinds[0].signal(rate: 64, sign: polarity == .upright ? -1 : 1)
        let found = detect(signal.samples, 64, BVPParameters(polarity: polarity))
        #expect(found.doubt == nil)
        #expect(ShapedPulses.found(found.beats, of: signal.peaks, tolerance: 0.05) < 0.2)
    }

    @Test func `a polarity that turns over after its first beats is in doubt`() {
        // A minute of a wave that says nothing comes before inverted pulses.
        let before = (0..<64 * 20).map { Float(0.5 * sin(2 * .pi * 1.1 * Double($0) / 64)) }
        let signal = ShapedPulses.kinds[0].signal(rate: 64, sign: -1)
        let found = detect(before + signal.samples, 64)
        #expect(found.doubt?.kind == .turned)
        #expect(found.doubt?.polarity == .inverted)
        #expect((found.doubt?.onset).map { (20..<45).contains($0) } == true)
    }

    @Test func `a sensor that was put on again is decided anew`() {
        let first = ShapedPulses.kinds[0].signal(rate: 64)
        let second = ShapedPulses.kinds[0].signal(rate: 64, sign: -1)
        let off = [Float](repeating: 0, count: 64 * 8)
        let found = detect(first.samples + off + second.samples, 64)
        let peaks = first.peaks + second.peaks.map { $0 + 68 }
        #expect(ShapedPulses.found(found.beats, of: peaks) > 0.95)
    }

    @Test func `the decision does not depend on how the samples come`() {
        let signal = ShapedPulses.kinds[3].signal(rate: 50, duration: 30, sign: -1, noise: 0.2)
        let beats = assertChunkInvariant(
            BVPBeatDetector(sampleRate: 50), [(SegmentStart(onset: 3, sample: 150, sampleRate: 50), signal.samples)])
        #expect(beats.count > 25)
    }

    @Test(arguments: [
        ("PLETH", PulseSource.volume), ("bvp", .volume), ("Pulse wave", .volume), ("RED", .intensity),
        ("ir", .intensity),
        ("PPG green", .intensity), ("Infrared 1", .intensity), ("ppg1", .unknown), ("hr", .unknown),
        ("first", .unknown),
    ])
    func `a label names the kind of sensor`(label: String, source: PulseSource) {
        #expect(PulseSource(label: label) == source)
    }
}

/// The first and last pulses of a recording.
@Suite struct BVPEndsTests {
    @Test(arguments: [44.0, 55, 70, 100, 140], [1.2, 1.6, 2.2, 3])
    func `no pulse is lost after a late start`(bpm: Double, lead: Seconds) {
        for rate in [64.0, 100] {
            for noise in [0.002, 0.02, 0.05] {
                let signal = ShapedPulses.kinds[0].signal(
                    rate: rate, beatsPerMinute: bpm, lead: lead, noise: noise, wander: 0)
                var detector = BVPBeatDetector(sampleRate: rate)
                let beats = detector.run(signal.samples, from: SegmentStart(onset: 0, sample: 0, sampleRate: rate))
                let lost = signal.peaks.filter { peak in !beats.contains { abs($0.onset - peak) < 0.1 } }
                #expect(lost == [], "\(rate) Hz, noise \(noise)")
            }
        }
    }

    @Test(arguments: [55.0, 70, 100], [0.5, 1.5, 2.5])
    func `no pulse is lost before the end, and what follows it has no beats`(bpm: Double, end: Seconds) {
        for noise in [0.002, 0.02] {
            let signal = ShapedPulses.kinds[0].signal(
                rate: 64, beatsPerMinute: bpm, end: end, noise: noise, wander: 0)
            var detector = BVPBeatDetector(sampleRate: 64)
            let beats = detector.run(signal.samples, from: SegmentStart(onset: 0, sample: 0, sampleRate: 64))
            let lost = signal.peaks.filter { peak in !beats.contains { abs($0.onset - peak) < 0.1 } }
            #expect(lost == [], "noise \(noise)")
            #expect((beats.last?.onset ?? 0) < (signal.peaks.last ?? 0) + 0.1, "noise \(noise)")
        }
    }
}
