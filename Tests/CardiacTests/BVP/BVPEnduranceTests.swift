import Cardiac
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct BVPEnduranceTests {
    @Test func `ten days in one run keep their beats and their times`() {
        let rate = 25.0
        // A minute that joins on to itself.
        let minute = SyntheticBVP(rate: rate, beats: (0..<75).map { 0.4 + 0.8 * Double($0) }, duration: 60)
        let minutes = 10 * 24 * 60
        var detector = BVPPulseDetector(sampleRate: rate)
        var pulses: [Pulse] = []
        var (count, last, previous) = (0, 0.0, -1.0)
        detector.begin(SegmentStart(onset: 0, sample: 0, sampleRate: rate), into: &pulses)
        for k in 0...minutes {
            if k < minutes { detector.push(minute.samples.span, into: &pulses) } else { detector.finish(into: &pulses) }
            #expect(pulses.count < 100)
            for pulse in pulses {
                #expect(pulse.beat.onset > previous)
                previous = pulse.beat.onset
            }
            count += pulses.count
            last = pulses.last?.beat.onset ?? last
            pulses.removeAll(keepingCapacity: true)
        }
        #expect(abs(count - 75 * minutes) < minutes / 100)
        #expect(abs(last - (Double(minutes) * 60 - 0.4)) < 1)
    }

    @Test(arguments: [64.0, 128], [0.5, 0.1, 0.02])
    func `a pulse that grows weak is followed`(rate: Double, share: Double) {
        var signal = SyntheticBVP(
            rate: rate, beats: SyntheticBVP.beats(every: 0.8, for: 120), duration: 120, shape: .init(wander: 0))
        var random = SplitMix64(seed: 31)
        for k in signal.samples.indices {
            let weak = (40.0..<80).contains(Double(k) / rate)
            // The sensor's noise stays what it was, 1 % of a strong pulse's height or a tenth of a weak one's.
            let noise = min(0.01, 0.1 * share) * SyntheticBVP.normal(&random)
            signal.samples[k] = signal.samples[k] * (weak ? Float(share) : 1) + Float(noise)
        }
        let found = signal.detect()
        // The yardstick needs some seconds to follow, and the cut changes the form of the pulse it falls into.
        let missed = signal.beats.filter { beat in
            (2..<39.5).contains(beat) || (45..<79.5).contains(beat) || (84..<118).contains(beat)
        }.filter { beat in !found.contains { abs($0.onset - beat) < 0.06 } }
        #expect(missed == [])
    }

    @Test(arguments: [20.0, 32, 64, 100, 256])
    func `pulses the other way up are found at any rate`(rate: Double) {
        let beats = SyntheticBVP.beats(every: 0.9, for: 60)
        var signal = SyntheticBVP(rate: rate, beats: beats, duration: 60)
        signal.samples = signal.samples.map { 5 - $0 }
        let found = signal.detect(BVPParameters(polarity: .inverted))
        #expect(signal.errors(found) == (0, 0))
    }
}
