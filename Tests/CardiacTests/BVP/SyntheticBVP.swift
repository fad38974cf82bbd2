import Cardiac
import Foundation
import Signals
import TestSupport
import Testing

/// A blood volume pulse signal with known pulses: a systolic and a dicrotic Gaussian for each beat.
struct SyntheticBVP {
    var rate: Double
    /// Tops of the systolic waves, in seconds.
    var beats: [Seconds]
    var samples: [Float]

    /// What varies between signals.
    struct Shape {
        /// Height of the dicrotic wave against the systolic one.
        var dicrotic = 0.3
        /// Depth of the amplitude modulation by respiration at 0.25 Hz.
        var modulation = 0.2
        /// Height of the baseline's wander at 0.22 Hz, in pulse heights.
        var wander = 0.5
        /// Standard deviation of white noise, in pulse heights.
        var noise = 0.0
    }

    /// Pulses at `beats` for `duration` seconds.
    init(rate: Double, beats: [Seconds], duration: Seconds, shape: Shape = Shape(), seed: UInt64 = 7) {
        self.rate = rate
        self.beats = beats
        let count = Int(duration * rate)
        var values = (0..<count).map { shape.wander * sin(2 * .pi * 0.22 * Double($0) / rate) }
        for (index, beat) in beats.enumerated() {
            let interval = index > 0 ? beat - beats[index - 1] : 0.8
            // Pulses are narrower at high rates.
            let width = 0.1 * min(1, max(0.45, interval / 0.8))
            let height = 1 + shape.modulation * sin(2 * .pi * 0.25 * beat)
            for k in max(0, Int((beat - 0.6) * rate))..<max(0, min(count, Int((beat + 1.2) * rate))) {
                let t = Double(k) / rate - beat
                values[k] += height * exp(-0.5 * t * t / (width * width))
                let later = (t - 3.6 * width) / (1.1 * width)
                values[k] += shape.dicrotic * height * exp(-0.5 * later * later)
            }
        }
        var random = SplitMix64(seed: seed)
        samples = values.map { Float($0 + shape.noise * Self.normal(&random)) }
    }

    /// Beats `interval` seconds apart, varied by respiratory arrhythmia and at random.
    static func beats(
        every interval: Seconds, for duration: Seconds, arrhythmia: Double = 0.04, random: Double = 0.01,
        seed: UInt64 = 3
    ) -> [Seconds] {
        var generator = SplitMix64(seed: seed)
        var times: [Seconds] = []
        var time = 0.5
        while time < duration - 0.3 {
            times.append(time)
            let factor = 1 + arrhythmia * sin(2 * .pi * 0.25 * time) + random * normal(&generator)
            time += interval * max(0.4, factor)
        }
        return times
    }

    /// A standard normal number (Box & Muller 1958).
    static func normal(_ generator: inout SplitMix64) -> Double {
        let u = Double.random(in: 1e-12..<1, using: &generator)
        return (-2 * log(u)).squareRoot() * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
    }

    /// The beats a detector finds.
    func detect(_ parameters: BVPParameters = BVPParameters(), onset: Seconds = 0) -> [Beat] {
        var detector = BVPBeatDetector(sampleRate: rate, parameters: parameters)
        return detector.run(samples, from: SegmentStart(onset: onset, sample: 0, sampleRate: rate))
    }

    /// The pulses a detector tells where samples come one by one; none may come later than is said.
    func pulsesInTime() -> [Pulse] {
        var detector = BVPPulseDetector(sampleRate: rate)
        var found: [Pulse] = []
        detector.begin(SegmentStart(onset: 0, sample: 0, sampleRate: rate), into: &found)
        for place in samples.indices {
            let before = found.count
            detector.push(samples.span.extracting(place..<place + 1), into: &found)
            for pulse in found[before...] { #expect(Double(place) / rate - pulse.upstroke <= detector.lookAhead) }
        }
        return found
    }

    /// Reference beats without a detected one within `tolerance`, and the reverse, the first and last second left out.
    func errors(_ found: [Beat], tolerance: Seconds = 0.06) -> (missed: Int, extra: Int) {
        let span = 1.0..<(Double(samples.count) / rate - 1)
        func lone(_ a: [Seconds], in b: [Seconds]) -> Int {
            a.filter { time in span.contains(time) && !b.contains { abs($0 - time) <= tolerance } }.count
        }
        let times = found.map(\.onset)
        return (lone(beats, in: times), lone(times, in: beats))
    }
}
