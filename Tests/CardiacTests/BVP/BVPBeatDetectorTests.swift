import Cardiac
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct BVPBeatDetectorTests {
    @Test(arguments: [20.0, 25, 30, 47, 64, 100, 125, 128, 256, 1000])
    func `finds every pulse at any sample rate, to some milliseconds`(rate: Double) {
        let signal = SyntheticBVP(
            rate: rate, beats: SyntheticBVP.beats(every: 0.85, for: 90), duration: 90, shape: .init(noise: 0.02))
        let found = signal.detect()
        #expect(signal.errors(found) == (0, 0))
        #expect(medianIntervalError(signal, found) < 0.006)
    }

    @Test(arguments: [30.0, 40, 60, 90, 130, 170, 220])
    func `finds every pulse at any heart rate`(bpm: Double) {
        let signal = SyntheticBVP(
            rate: 64, beats: SyntheticBVP.beats(every: 60 / bpm, for: 60), duration: 60,
            shape: .init(dicrotic: bpm > 120 ? 0.05 : 0.3, noise: 0.02))
        #expect(signal.errors(signal.detect()) == (0, 0))
    }

    @Test func `follows an irregular rhythm with pulses of changing height`() {
        var random = SplitMix64(seed: 11)
        var beats = [0.6]
        while let last = beats.last, last < 118 { beats.append(last + Double.random(in: 0.45...1.25, using: &random)) }
        let signal = SyntheticBVP(rate: 64, beats: beats, duration: 120, shape: .init(modulation: 0.35, noise: 0.02))
        let (missed, extra) = signal.errors(signal.detect())
        #expect(missed <= 2)
        #expect(extra <= 1)
    }

    @Test(arguments: [Float(1), -1])
    func `narrow pulses whose flanks are equally steep are found where they stand out, either way up`(sign: Float) {
        let beats = SyntheticBVP.beats(every: 1.1, for: 180)
        let signal = SyntheticBVP(
            rate: 64, beats: beats, duration: 180, shape: .init(dicrotic: 0, wander: 0.1, noise: 0.01))
        var turned = signal
        turned.samples = signal.samples.map { sign * $0 }
        let found = turned.detect().map(\.onset).filter { $0 > 80 && $0 < 178 }
        #expect(beats.filter { $0 > 80 && $0 < 178 }.allSatisfy { beat in found.contains { abs($0 - beat) < 0.06 } })
        #expect(found.count == beats.count { $0 > 80 && $0 < 178 })
    }

    @Test(arguments: [0.0, 0.2, 0.4, 0.6])
    func `does not count dicrotic waves`(height: Double) {
        let signal = SyntheticBVP(
            rate: 100, beats: SyntheticBVP.beats(every: 1, for: 60), duration: 60, shape: .init(dicrotic: height))
        #expect(signal.errors(signal.detect()) == (0, 0))
    }

    @Test func `sees through a baseline that wanders by several pulse heights`() {
        let signal = SyntheticBVP(
            rate: 64, beats: SyntheticBVP.beats(every: 0.8, for: 90), duration: 90, shape: .init(wander: 4))
        #expect(signal.errors(signal.detect()) == (0, 0))
    }

    @Test func `a power of two in amplitude changes nothing, any factor and offset next to nothing`() {
        var signal = SyntheticBVP(
            rate: 64, beats: SyntheticBVP.beats(every: 0.8, for: 60), duration: 60, shape: .init(noise: 0.05))
        let plain = signal.detect()
        let samples = signal.samples
        signal.samples = samples.map { $0 * 1024 }
        let louder = signal.detect()
        #expect(louder.map(\.onset) == plain.map(\.onset))
        #expect(zip(louder, plain).allSatisfy { abs($0.confidence - $1.confidence) < 1e-5 })
        for (factor, offset) in [(1e-9, 0), (3e12, 0), (1, 1000), (700, -5e4)] as [(Float, Float)] {
            signal.samples = samples.map { $0 * factor + offset }
            let scaled = signal.detect()
            #expect(scaled.count == plain.count)
            for (a, b) in zip(scaled, plain) { #expect(abs(a.onset - b.onset) < 0.002) }
        }
    }

    @Test func `beats move with the segment`() {
        let signal = SyntheticBVP(rate: 64, beats: SyntheticBVP.beats(every: 0.8, for: 60), duration: 60)
        let (plain, moved) = (signal.detect(), signal.detect(onset: 512))
        #expect(plain.count == moved.count)
        for (a, b) in zip(plain, moved) {
            #expect(abs(b.onset - a.onset - 512) < 1e-9)
            #expect(a.sample == b.sample)
        }
    }

    @Test func `finds pulses that point down`() {
        var signal = SyntheticBVP(rate: 30, beats: SyntheticBVP.beats(every: 0.9, for: 60), duration: 60)
        // A sharp systolic flank and a slow decay, as in light reflected from a finger.
        let decay = signal.samples.indices.map { k -> Float in
            let t = Double(k) / 30
            let last = signal.beats.last { $0 <= t + 0.15 } ?? t
            let phase = t + 0.15 - last
            return Float(phase < 0.15 ? phase / 0.15 : exp(-(phase - 0.15) / 0.35))
        }
        signal.samples = decay.map { 200 - $0 }
        let found = signal.detect()
        for beat in signal.beats where (6..<59).contains(beat) {
            #expect(found.contains { abs($0.onset - beat) < 0.06 })
        }
        #expect(
            found.filter { $0.onset > 6 && $0.onset < 59 }.count
                == signal.beats.filter { $0 > 5.95 && $0 < 58.97 }.count)
        #expect(found.filter { $0.onset > 12 && $0.followsBreak }.isEmpty)
    }

    @Test func `is sure of clean pulses and unsure in motion, from which it recovers within 3 s`() {
        var signal = SyntheticBVP(rate: 64, beats: SyntheticBVP.beats(every: 0.8, for: 120), duration: 120)
        var random = SplitMix64(seed: 5)
        var (slow, fast) = (0.0, 0.0)
        for k in 60 * 64..<72 * 64 {
            slow += 0.12 * (SyntheticBVP.normal(&random) * 6 - slow)
            fast += 0.4 * (slow - fast)
            signal.samples[k] += Float(5 * fast)
        }
        let found = signal.detect()
        let clean = found.filter { $0.onset > 5 && $0.onset < 58 || $0.onset > 80 }
        let moving = found.filter { (60.5..<71.5).contains($0.onset) }
        #expect(clean.allSatisfy { $0.confidence > 0.8 })
        #expect(moving.allSatisfy { $0.confidence < 0.9 })
        let mean = moving.reduce(0) { $0 + $1.confidence } / Float(max(1, moving.count))
        #expect(mean < 0.5)
        for beat in signal.beats where beat > 75 && beat < 119 {
            #expect(found.contains { abs($0.onset - beat) < 0.06 })
        }
    }

    @Test func `begins with the first pulses`() {
        let signal = SyntheticBVP(rate: 64, beats: SyntheticBVP.beats(every: 0.9, for: 20), duration: 20)
        let found = signal.detect()
        #expect(found.first?.followsBreak == true)
        for beat in signal.beats.dropFirst().prefix(4) { #expect(found.contains { abs($0.onset - beat) < 0.06 }) }
    }

    private func medianIntervalError(_ signal: SyntheticBVP, _ found: [Beat]) -> Seconds {
        var errors: [Seconds] = []
        for (a, b) in zip(signal.beats, signal.beats.dropFirst()) {
            guard let first = found.first(where: { abs($0.onset - a) < 0.06 }),
                let second = found.first(where: { abs($0.onset - b) < 0.06 })
            else { continue }
            errors.append(abs(second.onset - first.onset - (b - a)))
        }
        errors.sort()
        return errors.isEmpty ? .infinity : errors[errors.count / 2]
    }
}
