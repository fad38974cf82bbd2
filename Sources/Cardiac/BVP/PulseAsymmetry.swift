import Foundation

/// How far the pulse wave reaches up over how far it reaches down, as its skewness over the last seconds.
///
/// Most pulses, whichever way up, have little of it; where they stand out as narrow peaks from long diastoles it tells their
/// polarity, while both their flanks are steep.
struct PulseAsymmetry {
    /// Seconds after which what was seen counts for a third.
    private static let memory = 4.0
    private let leak: Float
    private let keep: Float
    private var level: Float = 0
    /// The sums of the wave's powers from 0 to 3.
    private var sums = SIMD4<Float>.zero

    /// Steps of `binLength` working samples, of which `rate` are a second.
    init(rate: Double, binLength: Int) {
        leak = Float(exp(-1 / rate))
        keep = Float(exp(-Double(binLength) / (Self.memory * rate)))
    }

    mutating func reset() { (level, sums) = (0, .zero) }

    /// Takes the `count` slopes of the next step of the band-passed wave.
    mutating func endBin(_ count: Int, slope: (Int) -> Float) {
        var (level, mean, square, cube) = (level, Float(0), Float(0), Float(0))
        for sample in 0..<count {
            level = level * leak + slope(sample)
            let power = level * level
            mean += level
            square += power
            cube += power * level
        }
        self.level = level
        sums = sums * keep + SIMD4(Float(count), mean, square, cube)
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
