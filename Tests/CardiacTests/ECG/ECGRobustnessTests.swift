import Cardiac
import Foundation
import Signals
import TestSupport
import Testing

/// What electrodes, cables, amplifiers and pacemakers do to an ECG.
@Suite("ECG beats through disturbances")
struct ECGRobustnessTests {
    private static let beats = SyntheticECG.rhythm(rate: 70, duration: 90)

    private func ecg(_ sampleRate: Double) -> [Float] {
        SyntheticECG(sampleRate: sampleRate, beats: Self.beats, duration: 90, noise: 0.02).samples
    }

    /// Errors more than `settling` seconds after the disturbance, or before it.
    private func errors(
        _ samples: [Float], _ sampleRate: Double, disturbed: Range<Double> = 0..<0, settling: Double = 3,
        tolerance: Double = 0.05
    ) -> [Double] {
        var detector = ECGBeatDetector(sampleRate: sampleRate)
        let found = detector.run(samples, from: SegmentStart(onset: 0, sample: 0, sampleRate: sampleRate))
        let comparison = BeatComparison(
            detected: found.map(\.onset), reference: Self.beats, tolerance: tolerance)
        return (comparison.missed + comparison.extra).filter {
            !(disturbed.lowerBound - 0.5..<disturbed.upperBound + settling).contains($0)
        }
    }

    @Test("the polarity changes when leads are exchanged", arguments: [100, 250, 1000] as [Double])
    func polarity(sampleRate: Double) {
        var samples = ecg(sampleRate)
        for index in samples.indices where Double(index) >= 45 * sampleRate { samples[index] *= -1 }
        #expect(errors(samples, sampleRate, disturbed: 45..<45) == [])
    }

    @Test(
        "electrodes that move make waves as large as complexes: hardly any is a beat in a steady rhythm",
        arguments: 1...4)
    func movingElectrodes(seed: Int) {
        let sampleRate = 250.0
        let duration = 300.0
        let beats = SyntheticECG.rhythm(rate: 70, duration: duration)
        var samples = SyntheticECG(beats: beats, duration: duration, noise: 0.02).samples
        var generator = SplitMix64(seed: UInt64(seed))
        var time = 60.0
        var waves = 0
        while time < duration - 1 {
            let height = Float.random(in: 0.6...1.6, using: &generator) * (Bool.random(using: &generator) ? 1 : -1)
            let width = Double.random(in: 0.012...0.03, using: &generator)
            for place in Int((time - 0.15) * sampleRate)..<Int((time + 0.15) * sampleRate) {
                let distance = (Double(place) / sampleRate - time) / width
                samples[place] += height * Float(exp(-distance * distance / 2))
            }
            waves += 1
            time += Double.random(in: 0.8...2.4, using: &generator)
        }
        var detector = ECGBeatDetector(sampleRate: sampleRate)
        let found = detector.run(samples, from: SegmentStart(onset: 0, sample: 0, sampleRate: sampleRate))
        let comparison = BeatComparison(detected: found.map(\.onset), reference: beats, tolerance: 0.15)
        #expect(comparison.falsePositives < waves / 4, "\(comparison.falsePositives) of \(waves)")
        #expect(comparison.falseNegatives < beats.count / 50, "\(comparison.falseNegatives) of \(beats.count)")
    }

    @Test(
        "pacemaker spikes before each beat are no beats",
        arguments: [250, 500, 1000, 2000] as [Double], [0.5, 2, -2] as [Float])
    func pacing(sampleRate: Double, height: Float) {
        var samples = ecg(sampleRate)
        // 0.5 ms wide: one sample at most rates, smaller where the amplifier's filter has spread it.
        let width = max(1, Int((0.0005 * sampleRate).rounded()))
        for beat in Self.beats {
            let first = Int((beat - 0.04) * sampleRate)
            for index in first..<first + width where samples.indices.contains(index) { samples[index] += height }
        }
        #expect(errors(samples, sampleRate, tolerance: 0.075) == [])
    }

    /// Where a filter has spread them over two or three samples.
    @Test(
        "pacemaker spikes that no beat follows are no beats at 250 Hz",
        arguments: [[1], [0.6, 0.6], [0.3, 1, 0.3], [0.2, 0.9, 0.5]] as [[Float]], [1.5, 3, -3] as [Float])
    func uncapturedPacing(form: [Float], height: Float) {
        var samples = ecg(250)
        for beat in Self.beats {
            for (k, share) in form.enumerated() {
                let index = Int((beat + 0.42) * 250) + k
                if samples.indices.contains(index) { samples[index] += share * height }
            }
        }
        #expect(errors(samples, 250) == [])
    }

    @Test(
        "how an input with impulses was cut says nothing, wherever in a block they come",
        arguments: [250, 500, 2000] as [Double])
    func cutBetweenImpulses(sampleRate: Double) {
        var samples = Array(ecg(sampleRate).prefix(Int(30 * sampleRate)))
        for index in stride(from: 100, to: samples.count, by: 61) { samples[index] += 3 }
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: sampleRate)
        let beats = assertChunkInvariant(
            ECGBeatDetector(sampleRate: sampleRate), [(start, samples)], cuts: 4, sampleBySample: sampleRate < 1000)
        #expect(beats.count > 25)
    }

    @Test(
        "impulses of a pacemaker in both chambers, five times the R wave and 2 ms wide, neither move beats nor are any",
        arguments: [250, 360, 500, 1000, 2000] as [Double], [5, -5] as [Float])
    func dualChamberPacing(sampleRate: Double, height: Float) {
        var samples = ecg(sampleRate)
        let width = max(1, Int((0.002 * sampleRate).rounded()))
        for impulse in Self.beats.flatMap({ [$0 - 0.21, $0 - 0.05] }) {
            let first = Int(impulse * sampleRate)
            for index in first..<first + width where samples.indices.contains(index) { samples[index] += height }
        }
        #expect(errors(samples, sampleRate, tolerance: 0.005) == [])
    }

    @Test(
        "a step of the level between two beats is no beat", arguments: [130, 250, 500] as [Double], [4, -4] as [Float])
    func step(sampleRate: Double, height: Float) {
        var samples = ecg(sampleRate)
        for step in 0..<8 {
            let first = Int((Self.beats[10 + 8 * step] + 0.45) * sampleRate)
            for index in first..<samples.count { samples[index] += step % 2 == 0 ? height : -height }
        }
        #expect(errors(samples, sampleRate) == [])
    }

    @Test("the amplifier saturates for two seconds", arguments: [5, -5, 1000] as [Float])
    func saturation(level: Float) {
        var samples = ecg(250)
        for index in 45 * 250..<47 * 250 { samples[index] = level }
        #expect(errors(samples, 250, disturbed: 45..<47) == [])
    }

    @Test(
        "a few pops high above the beats cost none of those after them, whatever the sample rate",
        arguments: [100, 128, 130, 200, 250, 256, 300, 360, 400, 500, 512, 1000, 1024, 2000, 2048] as [Double],
        [12, 40] as [Float])
    func pops(sampleRate: Double, height: Float) {
        var samples = ecg(sampleRate)
        for pop in 0..<5 {
            let place = 20 + 0.4 * Double(pop)
            for index in Int(place * sampleRate)..<Int((place + 0.03) * sampleRate) { samples[index] += height }
        }
        let later = errors(samples, sampleRate, disturbed: 20..<21.7).filter { $0 > 20 }
        #expect(later == [])
    }

    @Test("an electrode comes off and hum of ten times the ECG is all there is", arguments: [50, 60] as [Double])
    func leadOff(frequency: Double) {
        var samples = ecg(500)
        for index in 45 * 500..<50 * 500 {
            samples[index] = Float(10 * sin(2 * .pi * frequency * Double(index) / 500))
        }
        #expect(errors(samples, 500, disturbed: 45..<50) == [])
    }

    @Test("the baseline returns slowly after a shock of 50 times the ECG")
    func recovery() {
        var samples = ecg(250)
        for index in 45 * 250..<samples.count {
            samples[index] += 50 * Float(exp(-Double(index - 45 * 250) / 250 / 0.7))
        }
        #expect(errors(samples, 250, disturbed: 45..<45) == [])
    }

    @Test(
        "a signal that is dead until the electrode is attached, or in between, leaves no false beats",
        arguments: [0.0, 40], [0, 0.004, 0.01] as [Float])
    func deadUntilAttached(from start: Double, noise: Float) {
        var samples = SyntheticECG(beats: Self.beats, duration: 90, noise: noise).samples
        for index in Int(start * 250)..<Int((start + 30) * 250) { samples[index] = 0 }
        var detector = ECGBeatDetector(sampleRate: 250)
        let found = detector.run(samples, from: SegmentStart(onset: 0, sample: 0, sampleRate: 250)).map(\.onset)
        let seen = Self.beats.filter { !(start..<start + 30).contains($0) }
        let comparison = BeatComparison(detected: found, reference: seen, tolerance: 0.05)
        // The edges of what is dead may cut a complex.
        #expect(comparison.extra.filter { abs($0 - start) > 0.1 && abs($0 - start - 30) > 0.1 } == [])
        #expect(comparison.missed.filter { abs($0 - start) > 0.3 && !(0..<0.3).contains($0 - start - 30) } == [])
    }

    @Test("no beat lies before the first sample or after the last, wherever the recording cuts a complex")
    func cutComplexes() {
        let samples = SyntheticECG(sampleRate: 120, beats: Self.beats, duration: 90, noise: 0.02).samples
        for place in 100..<160 {
            let piece = Array(samples[place..<place + 1_200])
            var detector = ECGBeatDetector(sampleRate: 120)
            let found = detector.run(piece, from: SegmentStart(onset: 0, sample: 0, sampleRate: 120))
            #expect(found.allSatisfy { $0.onset >= 0 && $0.sample >= 0 && $0.sample < 1_200 }, "\(place)")
        }
    }

    @Test("an arrest is silent whatever the sample rate", arguments: [100, 360, 1000, 2000] as [Double])
    func arrest(sampleRate: Double) {
        let beats = Self.beats.filter { !(30..<45).contains($0) }
        let samples = SyntheticECG(sampleRate: sampleRate, beats: beats, duration: 90, noise: 0.02).samples
        var detector = ECGBeatDetector(sampleRate: sampleRate)
        let found = detector.run(samples, from: SegmentStart(onset: 0, sample: 0, sampleRate: sampleRate))
        #expect(found.filter { (30.2..<44.8).contains($0.onset) }.isEmpty)
        #expect(found.count == beats.count)
    }
}
