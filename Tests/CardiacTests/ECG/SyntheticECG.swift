import Foundation
import Signals
import TestSupport

/// A drawn ECG whose R peaks are known exactly: a sum of Gaussian waves per beat, and noise.
struct SyntheticECG {
    var sampleRate = 250.0
    /// Seconds of the R peaks.
    var beats: [Double]
    /// Seconds.
    var duration: Double
    /// Standard deviation of white noise, where the R wave is 1.
    var noise: Float = 0
    var seed: UInt64 = 1
    /// How far P and T waves lie from the R peak and how long they last, where 1 is usual.
    var stretch = 1.0
    /// Size of each beat.
    var size: (Int) -> Double = { _ in 1 }

    /// Place (s from R), height and width (s) of P, Q, R, S and T.
    private static let waves = [
        (-0.17, 0.12, 0.025), (-0.03, -0.12, 0.008), (0.0, 1.0, 0.010), (0.03, -0.2, 0.009), (0.28, 0.28, 0.05),
    ]

    /// Beats of a heart at `rate` per minute whose intervals vary by a few per cent.
    static func rhythm(rate: Double, duration: Double, from first: Double = 0.5, seed: UInt64 = 7) -> [Double] {
        var generator = SplitMix64(seed: seed)
        var beats: [Double] = []
        var time = first
        while time < duration - 0.05 {
            beats.append(time)
            time += 60 / rate * Double.random(in: 0.93...1.07, using: &generator)
        }
        return beats
    }

    var samples: [Float] {
        var samples = [Double](repeating: 0, count: Int(duration * sampleRate))
        for (index, beat) in beats.enumerated() {
            for wave in Self.waves {
                let (lag, height, width) = (wave.0 * stretch(of: wave.0), wave.1, wave.2 * stretch(of: wave.0))
                let center = beat + lag
                let first = max(0, Int((center - 6 * width) * sampleRate))
                let last = min(samples.count - 1, Int((center + 6 * width) * sampleRate))
                guard first <= last else { continue }
                for place in first...last {
                    let distance = (Double(place) / sampleRate - center) / width
                    samples[place] += size(index) * height * exp(-distance * distance / 2)
                }
            }
        }
        var generator = SplitMix64(seed: seed)
        return samples.map { Float($0) + noise * Self.normal(&generator) }
    }

    private func stretch(of lag: Double) -> Double { abs(lag) > 0.1 ? stretch : 1 }

    static func normal(_ generator: inout SplitMix64) -> Float {
        let first = Double.random(in: 1e-12..<1, using: &generator)
        let second = Double.random(in: 0..<1, using: &generator)
        return Float((-2 * log(first)).squareRoot() * cos(2 * .pi * second))
    }

    var start: SegmentStart { SegmentStart(onset: 0, sample: 0, sampleRate: sampleRate) }
}
