import Foundation
import TestSupport

/// Beat times of a sinus rhythm with respiratory arrhythmia, slow waves and drift, for tests.
struct SimulatedRhythm {
    /// Beat times in seconds on the grid of 0.1 ms.
    var beats: [Double]

    init(count: Int, meanInterval: Double = 0.9, respiratory: Double = 0.03, noise: Double = 0.01, seed: UInt64 = 1) {
        var generator = SplitMix64(seed: seed)
        var (time, drift) = (0.0, 0.0)
        beats = [0]
        for _ in 0..<count {
            drift = 0.995 * drift + 0.003 * Self.normal(&generator)
            let waves = sin(2 * .pi * 0.25 * time) + 0.7 * sin(2 * .pi * 0.1 * time + 1)
            time += meanInterval + drift + respiratory * waves + noise * Self.normal(&generator)
            beats.append((time * 10_000).rounded() / 10_000)
        }
    }

    static func normal(_ generator: inout SplitMix64) -> Double {
        (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
    }
}
