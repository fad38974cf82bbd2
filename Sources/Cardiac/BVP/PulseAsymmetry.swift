import Foundation

/// How far the pulse wave reaches up over how far it reaches down, as its skewness over the last seconds.
///
/// Most pulses, whichever way up, have little of it; where they stand out as narrow peaks from long diastoles it tells their
/// polarity, while both their flanks are steep.
struct PulseAsymmetry {
    private static let memory = 4.0
    private let leak: Float
    private let keep: Float
    private var level: Float = 0
    /// The sums of the wave's powers from 0 to 3.
    private var sums = SIMD4<Float>.zero

    /// - Parameter rate: working samples per second.
    init(rate: Double) {
        leak = Float(exp(-1 / rate))
        keep = Float(exp(-1 / (Self.memory * rate)))
    }

    mutating func reset() { (level, sums) = (0, .zero) }

    /// Takes the next slope of the band-passed wave.
    mutating func push(_ slope: Float) {
        level = level * leak + slope
        sums = sums * keep + SIMD4(1, level, level * level, level * level * level)
    }

    /// Its skewness; 0 where there is no wave.
    var skewness: Float {
        guard sums[0] > 0 else { return 0 }
        let (mean, square, cube) = (sums[1] / sums[0], sums[2] / sums[0], sums[3] / sums[0])
        let variance = square - mean * mean
        guard variance > 0 else { return 0 }
        return (cube - 3 * mean * square + 2 * mean * mean * mean) / (variance * variance.squareRoot())
    }
}
