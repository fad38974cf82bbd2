import Cardiac
import Foundation
import Signals
import TestSupport
import Testing

@Suite("ECG beat detector")
struct ECGBeatDetectorTests {
    private func detect(_ samples: [Float], _ sampleRate: Double = 250) -> [Beat] {
        var detector = ECGBeatDetector(sampleRate: sampleRate)
        return detector.run(samples, from: SegmentStart(onset: 0, sample: 0, sampleRate: sampleRate))
    }

    private func compare(_ beats: [Beat], _ reference: [Double], tolerance: Double = 0.02) -> BeatComparison {
        BeatComparison(detected: beats.map(\.onset), reference: reference, tolerance: tolerance)
    }

    @Test(
        "outputs do not depend on how the input was cut",
        arguments: [(250.0, 40.0), (360, 21), (83.3, 30), (500.5, 10), (1000, 7), (2000, 6)])
    func chunks(sampleRate: Double, duration: Double) {
        func ecg(_ seed: UInt64, _ duration: Double) -> [Float] {
            SyntheticECG(
                sampleRate: sampleRate, beats: SyntheticECG.rhythm(rate: 75, duration: duration, seed: seed),
                duration: duration, noise: 0.1, seed: seed
            ).samples
        }
        var holes = ecg(2, duration)
        for (place, length) in [(0.1, 1), (0.3, 3), (0.5, Int(sampleRate)), (0.8, 30)] {
            let first = Int(place * Double(holes.count))
            for index in first..<min(first + length, holes.count) { holes[index] = .nan }
        }
        let segments = [ecg(1, duration), holes, ecg(3, 0.4), [1], [], [Float](repeating: .nan, count: 300), ecg(4, 5)]
        var onset = 0.0
        let input = segments.map { samples in
            defer { onset += Double(samples.count) / sampleRate + 2 }
            return (
                SegmentStart(onset: onset, sample: Int(onset * sampleRate), sampleRate: sampleRate), samples
            )
        }
        let beats = assertChunkInvariant(ECGBeatDetector(sampleRate: sampleRate), input, cuts: 5)
        #expect(beats.count > Int(duration * 2))
        #expect(beats.first?.followsBreak == true)
    }

    @Test("nothing comes of nothing", arguments: [0, 1, 2, 50, 5000])
    func constant(count: Int) {
        #expect(detect([Float](repeating: 0, count: count)).isEmpty)
        #expect(detect([Float](repeating: -123.4, count: count)).isEmpty)
        #expect(detect([Float](repeating: .nan, count: count)).isEmpty)
        #expect(detect([Float](repeating: .infinity, count: count)).isEmpty)
    }

    @Test("a rate that no ECG has gives no beats", arguments: [0, -1, .nan, .infinity, 10, 1e9])
    func uselessRate(sampleRate: Double) {
        #expect(detect([0, 1, 0, 1, 0, 1], sampleRate).isEmpty)
    }

    @Test(
        "finds each R peak within one sample at 20 dB, whatever the sample rate",
        arguments: [100, 128, 200, 250, 360, 500, 1000, 2000])
    func accuracy(sampleRate: Double) {
        let beats = SyntheticECG.rhythm(rate: 72, duration: 300)
        var ecg = SyntheticECG(sampleRate: sampleRate, beats: beats, duration: 300)
        let clean = ecg.samples
        let power = clean.reduce(0) { $0 + $1 * $1 } / Float(clean.count)
        ecg.noise = (power / 100).squareRoot()
        let found = detect(ecg.samples, sampleRate)
        let comparison = compare(found, beats, tolerance: 1 / sampleRate)
        #expect(comparison.f1 ?? 0 >= 0.995)
        #expect(abs(comparison.medianOffset ?? 1) < 0.5 / sampleRate)
        for beat in found {
            #expect(abs(Double(beat.sample) / sampleRate - beat.onset) <= 0.5 / sampleRate + 1e-4)
        }
    }

    @Test("the unit and the polarity do not matter", arguments: [1e-6, 1e-3, 1000, 1e6, -1, -1e-3] as [Float])
    func scale(factor: Float) {
        let beats = SyntheticECG.rhythm(rate: 80, duration: 60)
        let samples = SyntheticECG(beats: beats, duration: 60, noise: 0.03).samples
        let reference = detect(samples)
        let scaled = detect(samples.map { $0 * factor })
        #expect(scaled.map(\.sample) == reference.map(\.sample))
        let comparison = compare(reference, beats)
        #expect(comparison.missed == [] && comparison.extra == [])
    }

    @Test("a constant does not matter", arguments: [1, -100, 1000] as [Float])
    func offset(constant: Float) {
        let samples = SyntheticECG(
            beats: SyntheticECG.rhythm(rate: 80, duration: 60), duration: 60, noise: 0.03
        ).samples
        #expect(detect(samples.map { $0 + constant }).map(\.sample) == detect(samples).map(\.sample))
    }

    @Test("beats move with the signal", arguments: [1, 2, 3, 17, 64, 250])
    func shift(lag: Int) {
        let samples = SyntheticECG(
            beats: SyntheticECG.rhythm(rate: 66, duration: 60), duration: 60, noise: 0.05
        ).samples
        let reference = detect(samples).map(\.sample).filter { $0 > 500 }
        let moved = detect(Array(samples[lag...])).map { $0.sample + lag }.filter { $0 > 500 }
        #expect(moved.count == reference.count)
        for (one, other) in zip(moved, reference) { #expect(abs(one - other) <= 1) }
    }

    @Test("a copy made in the middle and the detector it was made of go on by themselves")
    func copies() {
        let beats = SyntheticECG.rhythm(rate: 75, duration: 60)
        let samples = SyntheticECG(beats: beats, duration: 60, noise: 0.05).samples
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: 250)
        let middle = samples.count / 2
        let others = Array(samples[..<middle]) + samples[middle...].map { -3 * $0 }
        var one = ECGBeatDetector(sampleRate: 250)
        var found: [Beat] = []
        one.begin(start, into: &found)
        one.push(samples.span.extracting(0..<middle), into: &found)
        var other = one
        var foundByOther = found
        // The copy sees another signal, between what the first one sees.
        for first in stride(from: middle, to: samples.count, by: 500) {
            let part = first..<min(first + 500, samples.count)
            other.push(others.span.extracting(part), into: &foundByOther)
            one.push(samples.span.extracting(part), into: &found)
        }
        other.finish(into: &foundByOther)
        one.finish(into: &found)
        #expect(found == detect(samples))
        #expect(foundByOther == detect(others))
    }

    @Test("segments and their first samples are kept apart")
    func segments() {
        let beats = SyntheticECG.rhythm(rate: 60, duration: 20)
        let samples = SyntheticECG(beats: beats, duration: 20, noise: 0.02).samples
        var detector = ECGBeatDetector(sampleRate: 250)
        var found: [Beat] = []
        for part in 0..<3 {
            let start = SegmentStart(onset: Double(part) * 30, sample: part * 7500, sampleRate: 250)
            detector.begin(start, into: &found)
            detector.push(samples.span, into: &found)
        }
        detector.finish(into: &found)
        let expected = (0..<3).flatMap { part in beats.map { $0 + Double(part) * 30 } }
        #expect(compare(found, expected).f1 == 1)
        #expect(found.filter(\.followsBreak).map { $0.onset.rounded(.down) } == [0, 30, 60])
        for beat in found { #expect(abs(Double(beat.sample) / 250 - beat.onset) < 0.0021) }
    }

    @Test("a few missing samples are bridged, more are a break")
    func missing() {
        let beats = SyntheticECG.rhythm(rate: 60, duration: 60)
        var samples = SyntheticECG(beats: beats, duration: 60, noise: 0.02).samples
        for index in [1000, 1001, 3000, 3001, 3002] { samples[index] = .nan }
        #expect(compare(detect(samples), beats).f1 == 1)
        #expect(detect(samples).filter(\.followsBreak).count == 1)
        for index in 7500..<9000 { samples[index] = .nan }
        let found = detect(samples)
        let seen = beats.filter { !(30..<36).contains($0) }
        #expect(compare(found, seen).falseNegatives == 0)
        #expect(compare(found, seen).falsePositives <= 2)
        #expect(found.filter(\.followsBreak).count == 2)
    }

    @Test("after a dead stretch of signal comes a break, after a noisy one none")
    func silence() {
        let beats = SyntheticECG.rhythm(rate: 60, duration: 60).filter { !(29.4..<36.5).contains($0) }
        var samples = SyntheticECG(beats: beats, duration: 60, noise: 0.02).samples
        #expect(detect(samples).filter(\.followsBreak).count == 1)
        for index in 7500..<9000 { samples[index] = samples[7500] }
        let found = detect(samples)
        #expect(compare(found, beats).f1 == 1)
        #expect(found.filter(\.followsBreak).map { $0.onset > 36 } == [false, true])
    }

    @Test("finds the first beats and the last", arguments: [45, 60, 75, 110, 160] as [Double])
    func ends(rate: Double) {
        for seed in 1...10 as ClosedRange<UInt64> {
            let beats = SyntheticECG.rhythm(rate: rate, duration: 12, from: 0.15, seed: seed)
            let ecg = SyntheticECG(beats: beats, duration: 12, noise: 0.03, seed: seed)
            let comparison = compare(detect(ecg.samples), beats.filter { $0 < 11.9 }, tolerance: 0.05)
            #expect(comparison.missed == [], "of \(beats)")
            #expect(comparison.falsePositives <= 1)
        }
    }

    @Test("an arrest has no beats, and the beats after it are found")
    func asystole() {
        let before = SyntheticECG.rhythm(rate: 70, duration: 30)
        let after = SyntheticECG.rhythm(rate: 70, duration: 30, seed: 2).map { $0 + 45 }
        for noise in [0.005, 0.02, 0.05] as [Float] {
            let ecg = SyntheticECG(beats: before + after, duration: 75, noise: noise)
            let found = detect(ecg.samples)
            #expect(found.filter { (30.2..<45.3).contains($0.onset) }.isEmpty)
            #expect(compare(found, before + after).falseNegatives == 0)
        }
    }

    @Test(
        "beats become smaller or larger and are found again within 3 s, a hundred times smaller within 6 s",
        arguments: [(0.01, 6.0), (0.1, 3), (10, 3), (100, 3)])
    func amplitudeChange(factor: Double, seconds: Double) {
        let beats = SyntheticECG.rhythm(rate: 70, duration: 60)
        let ecg = SyntheticECG(
            beats: beats, duration: 60, noise: 0.0004, size: { beats[$0] < 30 ? 1 : factor })
        let comparison = compare(detect(ecg.samples), beats)
        for error in comparison.missed + comparison.extra {
            #expect((29.5..<30 + seconds).contains(error), "error at \(error) s")
        }
    }

    @Test("electrode pops and jumps of the baseline cost no beats later than 3 s", arguments: [3, 30, 1000] as [Float])
    func artefacts(size: Float) {
        let beats = SyntheticECG.rhythm(rate: 70, duration: 120)
        var samples = SyntheticECG(beats: beats, duration: 120, noise: 0.02).samples
        for index in samples.indices where index >= 7500 { samples[index] += size }
        for index in 15_000..<15_100 { samples[index] = size * 5 }
        for index in 22_500..<22_505 { samples[index] = -size * 3 }
        let comparison = compare(detect(samples), beats)
        let artefacts = [29.8..<33, 59.8..<63, 89.8..<93]
        for error in comparison.missed + comparison.extra {
            #expect(artefacts.contains { $0.contains(error) }, "error at \(error) s")
        }
        #expect(comparison.falsePositives <= 6)
    }

    @Test("calibration pulses do not spoil what follows", arguments: [1, 2.5, 4.5] as [Double])
    func calibration(pulsesPerSecond: Double) {
        let beats = SyntheticECG.rhythm(rate: 60, duration: 90, from: 31)
        var samples = SyntheticECG(beats: beats, duration: 90, noise: 0.03).samples
        for index in 0..<7500 {
            samples[index] += Int(Double(index) / 250 * pulsesPerSecond * 2) % 2 == 0 ? 3 : 0
        }
        let after = beats.filter { $0 > 34 }
        let found = detect(samples).filter { $0.onset > 33.5 }
        #expect(compare(found, after).falseNegatives == 0)
        #expect(compare(found, after).falsePositives <= 1)
    }

    @Test("beats that become small in noise are found again within 15 s")
    func smallInNoise() {
        let beats = SyntheticECG.rhythm(rate: 70, duration: 120)
        let ecg = SyntheticECG(beats: beats, duration: 120, noise: 0.006, size: { beats[$0] < 30 ? 1 : 0.05 })
        let comparison = compare(
            detect(ecg.samples).filter { $0.onset > 45 }, beats.filter { $0 > 45 }, tolerance: 0.05)
        #expect(comparison.f1 ?? 0 > 0.95)
    }

    @Test("a minute of noise after the last beat has hardly any beats")
    func longArrest() {
        let beats = SyntheticECG.rhythm(rate: 70, duration: 30)
        for seed in 1...5 as ClosedRange<UInt64> {
            let found = detect(SyntheticECG(beats: beats, duration: 90, noise: 0.03, seed: seed).samples)
            #expect(found.filter { $0.onset > 30.2 }.count <= 2)
        }
    }

    @Test("small beats between large ones are found")
    func alternans() {
        let beats = SyntheticECG.rhythm(rate: 70, duration: 60)
        let ecg = SyntheticECG(
            beats: beats, duration: 60, noise: 0.01, size: { [1, 0.35, 0.8, 1.6, 0.5][$0 % 5] })
        #expect(compare(detect(ecg.samples), beats).f1 == 1)
    }

    @Test("says how sure it is")
    func confidence() {
        let beats = SyntheticECG.rhythm(rate: 70, duration: 60)
        func mean(_ noise: Float) -> Float {
            let found = detect(SyntheticECG(beats: beats, duration: 60, noise: noise).samples)
            for beat in found { #expect((0...1).contains(beat.confidence)) }
            return found.map(\.confidence).reduce(0, +) / Float(max(found.count, 1))
        }
        #expect(mean(0.01) > 0.9)
        #expect(mean(0.5) < mean(0.1))
    }

    @Test("looks no further ahead than 3 s")
    func lookAhead() {
        for sampleRate in [80, 100, 125, 128, 180, 250, 300, 360, 500, 700, 1000, 2000] as [Double] {
            let detector = ECGBeatDetector(sampleRate: sampleRate)
            #expect(detector.lookAhead <= 3)
            let beats = SyntheticECG.rhythm(rate: 70, duration: 20)
            let samples = SyntheticECG(sampleRate: sampleRate, beats: beats, duration: 20, noise: 0.02).samples
            var stage = detector
            var found: [Beat] = []
            stage.begin(SegmentStart(onset: 0, sample: 0, sampleRate: sampleRate), into: &found)
            for (index, sample) in samples.enumerated() {
                let before = found.count
                stage.push([sample].span, into: &found)
                for beat in found[before...] {
                    #expect(Double(index) / sampleRate - beat.onset <= detector.lookAhead)
                }
            }
        }
    }
}
