import Cardiac
import Foundation
import Signals
import TestSupport

/// An arm that swings while a pulse is taken at its wrist: what an accelerometer sees of it, and what it does to the
/// signal.
struct MovingWrist {
    /// Samples per second of the accelerometer.
    var rate = 32.0
    /// Three axes in g, with gravity along the last; channel-major.
    var acceleration: SampleBlock
    /// The artefact at each sample of the pulse signal, with a root mean square of 1 where the arm swings.
    var artefact: [Float]

    /// Swings near `cadence` Hz during `spans`, for a pulse signal of `bvpRate` Hz and `duration` seconds.
    init(cadence: Double, during spans: [Range<Seconds>], bvpRate: Double, duration: Seconds, seed: UInt64 = 3) {
        var random = SplitMix64(seed: seed)
        let gains = (0..<3).map { _ in 0.3 + 0.2 * SyntheticBVP.normal(&random) }
        let phases = (0..<6).map { _ in Double.random(in: 0..<(2 * .pi), using: &random) }
        func swing(_ time: Seconds, _ axis: Int) -> Double {
            let turns = 2 * .pi * (cadence * time + 0.08 * sin(2 * .pi * time / 17))
            return gains[axis] * (sin(turns + phases[axis]) + 0.5 * sin(2 * turns + phases[axis + 3]))
        }
        // Moving begins and ends within half a second.
        func envelope(_ time: Seconds) -> Double {
            spans.map { min(1, max(0, min(time - $0.lowerBound, $0.upperBound - time) / 0.5)) }.max() ?? 0
        }
        let count = Int(duration * rate)
        var axes = [[Float]](repeating: [], count: 3)
        for axis in 0..<3 {
            for k in 0..<count {
                let time = Double(k) / rate
                let gravity = axis == 2 ? 1.0 : 0
                axes[axis].append(
                    Float(gravity + envelope(time) * swing(time, axis) + 0.005 * SyntheticBVP.normal(&random)))
            }
        }
        acceleration = SampleBlock(channelCount: 3, samples: axes.flatMap { $0 })
        // The sensor slides with some delay, another one for each axis.
        artefact = (0..<Int(duration * bvpRate)).map { k in
            let time = Double(k) / bvpRate
            let sum = swing(time - 0.03, 0) - 0.7 * swing(time - 0.12, 1) + 0.5 * swing(time - 0.07, 2)
            return Float(envelope(time) * sum / 0.4)
        }
    }

    /// A detector of pulses at `rate` Hz that knows all of this movement.
    func informed(rate bvpRate: Double) -> BVPBeatDetector {
        var detector = BVPBeatDetector(sampleRate: bvpRate)
        detector.beginAcceleration(SegmentStart(onset: 0, sample: 0, sampleRate: rate))
        detector.pushAcceleration(acceleration, factor: 1)
        detector.endAcceleration()
        return detector
    }
}
