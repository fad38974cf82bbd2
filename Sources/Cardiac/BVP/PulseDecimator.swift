/// Brings any sample rate down to a working rate of 20…48 Hz by block means weighted with a triangle two blocks wide.
///
/// The weights are those of a second-order cascaded integrator-comb filter, whose zeros lie on every alias of 0 Hz
/// (Hogenauer 1981, IEEE Trans Acoust Speech Signal Process 29:155).
struct PulseDecimator {
    /// Samples per working sample.
    let factor: Int
    private let scale: Float
    private var rising: Float = 0
    private var falling: Float = 0
    private var previousRising: Float = 0
    private var position = 0
    private var isPrimed = false

    /// A decimator for `sampleRate` Hz.
    init(sampleRate: Double) {
        factor = max(1, Int((sampleRate / 32).rounded()))
        scale = 1 / (Float(factor) * Float(factor))
    }

    /// Forgets the run so far.
    mutating func reset() {
        (rising, falling, previousRising, position, isPrimed) = (0, 0, 0, 0, false)
    }

    /// Takes one sample; returns a working sample when one is complete. The working sample `n` of a run is centred on
    /// the run's sample `(n + 1) * factor - 1`.
    @inline(__always)
    mutating func push(_ sample: Float) -> Float? {
        position += 1
        rising += sample * Float(position)
        falling += sample * Float(factor - position)
        guard position == factor else { return nil }
        let output = isPrimed ? (previousRising + falling) * scale : nil
        (previousRising, rising, falling, position, isPrimed) = (rising, 0, 0, 0, true)
        return output
    }
}
