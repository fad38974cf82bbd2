import Cardiac
import Foundation
import Signals
import TestSupport
import Testing

/// Dropouts that a device writes as zeros or as its last value.
@Suite struct BVPStillTests {
    private static let rates: [Double] = [25, 32, 64, 128]
    private static let lengths: [Seconds] = [0.5, 1, 2, 5]
    /// One in every part of the cardiac and of the respiratory cycle.
    private static let starts: [Seconds] = stride(from: 15, to: 285, by: 18.37).map { $0 }

    /// What is written where nothing is known.
    enum Fill: CaseIterable {
        case zeros, lastValue
    }

    private static func signal(_ rate: Double, offset: Float = 0) -> SyntheticBVP {
        var signal = SyntheticBVP(
            rate: rate, beats: SyntheticBVP.beats(every: 0.8, for: 300), duration: 300, shape: .init(noise: 0.02))
        // Around zero, as a band-pass leaves it, or far above.
        signal.samples = signal.samples.map { $0 - 0.4 + offset }
        return signal
    }

    private static func dropping(_ length: Seconds, of signal: SyntheticBVP, as fill: Fill) -> SyntheticBVP {
        var dropped = signal
        for start in starts {
            let range = Int(start * signal.rate)..<Int((start + length) * signal.rate)
            for place in range { dropped.samples[place] = fill == .zeros ? 0 : signal.samples[range.lowerBound - 1] }
        }
        return dropped
    }

    /// Intervals of `beats` that nothing breaks: ends and durations in seconds.
    private func intervals(_ beats: [Beat]) -> [(end: Seconds, duration: Seconds)] {
        zip(beats, beats.dropFirst()).filter { !$1.followsBreak }.map { ($1.onset, $1.onset - $0.onset) }
    }

    /// How many beats of `found` are in no place of `whole`, how many of `whole` are missing away from dropouts, and how many
    /// intervals are more than 25 ms off.
    private func errors(
        _ found: [Beat], _ whole: [Beat], length: Seconds
    ) -> (invented: Int, lost: Int, wrong: Int) {
        func has(_ beats: [Beat], _ onset: Seconds) -> Bool { beats.contains { abs($0.onset - onset) < 0.03 } }
        let invented = found.count { !has(whole, $0.onset) }
        let lost = whole.count { beat in
            !has(found, beat.onset)
                && !Self.starts.contains { ($0 - 0.4..<$0 + length + 0.4).contains(beat.onset) }
        }
        let truth = intervals(whole)
        let wrong = intervals(found).count { one in
            !truth.contains { abs($0.end - one.end) < 0.05 && abs($0.duration - one.duration) <= 0.025 }
        }
        return (invented, lost, wrong)
    }

    @Test(arguments: rates, lengths) func `zeros in a signal around zero neither make nor stretch an interval`(
        rate: Double, length: Seconds
    ) {
        let signal = Self.signal(rate)
        let found = Self.dropping(length, of: signal, as: .zeros).detect()
        #expect(errors(found, signal.detect(), length: length) == (0, 0, 0))
    }

    /// The step down and up is sixty times the pulse.
    @Test(arguments: rates, lengths) func `zeros in a raw signal make no pulse and hide none beside them`(
        rate: Double, length: Seconds
    ) {
        let signal = Self.signal(rate, offset: 60)
        let found = Self.dropping(length, of: signal, as: .zeros).detect()
        #expect(errors(found, signal.detect(), length: length) == (0, 0, 0))
    }

    /// At a pulse's top or foot up to a second of one value may be a pulse cut off there.
    @Test(arguments: rates, lengths) func `a value that is held makes no pulse`(rate: Double, length: Seconds) {
        let signal = Self.signal(rate)
        let found = Self.dropping(length, of: signal, as: .lastValue).detect()
        let errors = errors(found, signal.detect(), length: length)
        #expect(errors.lost == 0)
        let few = length > 1 ? 0 : length < 1 ? 6 : 3
        #expect(errors.invented <= few && errors.wrong <= few, "\(errors)")
    }

    @Test func `a recording that begins with zeros has no pulse at their end`() {
        let signal = Self.signal(64, offset: 60)
        var late = signal
        for place in 0..<2 * 64 { late.samples[place] = 0 }
        let (found, whole) = (late.detect(), signal.detect())
        #expect(found.allSatisfy { beat in whole.contains { abs($0.onset - beat.onset) < 0.03 } })
        #expect(found.count + 5 > whole.count)
    }

    /// The sensor tells nothing above or below the middle of a pulse.
    @Test(arguments: [64, 250.0]) func `pulses that are cut off do not stand still`(rate: Double) {
        let signal = SyntheticBVP(
            rate: rate, beats: SyntheticBVP.beats(every: 0.9, for: 120), duration: 120,
            shape: .init(modulation: 0.1, wander: 0.05, noise: 0.01))
        for isTop in [true, false] {
            var cut = signal
            cut.samples = signal.samples.map { isTop ? min($0, 0.4) : max($0, 0.5) }
            let found = cut.detect()
            #expect(cut.errors(found, tolerance: 0.12) == (0, 0) && found.count(where: \.followsBreak) == 1, "\(isTop)")
        }
    }

    /// Steps of a tenth and of a fiftieth of a pulse leave whole stretches at one value.
    @Test(arguments: [Float(0.1), 0.02], [25, 128.0]) func `coarse steps do not stand still`(step: Float, rate: Double)
    {
        var signal = Self.signal(rate)
        signal.samples = signal.samples.map { ($0 / step).rounded() * step }
        let found = signal.detect()
        #expect(signal.errors(found) == (0, 0) && found.count(where: \.followsBreak) == 1)
    }

    @Test(arguments: [25, 64, 250.0]) func `beats beside dropouts do not depend on how the samples come`(rate: Double) {
        var signal = Self.dropping(1.3, of: Self.signal(rate, offset: 60), as: .zeros)
        // The longest of all ends the run, and in another samples are missing too.
        for place in Int(100 * rate)..<Int(113 * rate) { signal.samples[place] = 0 }
        for place in Int(60 * rate)..<Int(61 * rate) { signal.samples[place] = place % 7 == 0 ? .nan : 60 }
        let beats = assertChunkInvariant(
            BVPBeatDetector(sampleRate: rate),
            [(SegmentStart(onset: 0, sample: 0, sampleRate: rate), signal.samples)], cuts: 4)
        #expect(beats.count > 250 && beats.allSatisfy { !(100.1..<113).contains($0.onset) })
    }

    /// Also where samples are held back for as long as they may be.
    @Test(arguments: [20.0, 64, 250]) func `beats beside what stands still come out within the look-ahead`(
        rate: Double
    ) {
        var signal = Self.dropping(1, of: Self.signal(rate), as: .zeros)
        for start in Self.starts {
            let range = Int((start + 4) * rate)..<Int((start + 4.24) * rate)
            for place in range { signal.samples[place] = signal.samples[range.lowerBound] }
        }
        #expect(signal.pulsesInTime().count > 300)
    }
}
