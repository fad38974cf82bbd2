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
    private var missing = 0
    /// Share of the newest working sample's block that is filled in, 0…1.
    private(set) var missingShare: Float = 0

    /// A decimator for `sampleRate` Hz.
    init(sampleRate: Double) {
        factor = max(1, Int((sampleRate / 32).rounded()))
        scale = 1 / (Float(factor) * Float(factor))
    }

    /// Forgets the run so far.
    mutating func reset() {
        (rising, falling, previousRising, position, isPrimed) = (0, 0, 0, 0, false)
        (missing, missingShare) = (0, 0)
    }

    /// Notes that the next sample is filled in for a missing one.
    mutating func countMissing() {
        missing += 1
    }

    /// Where a position in working samples lies in the run, in samples.
    func offset(of position: Double) -> Double {
        (position + 1) * Double(factor) - 1
    }

    /// Takes one sample; returns a working sample when one is complete.
    @inline(__always)
    mutating func push(_ sample: Float) -> Float? {
        position += 1
        rising += sample * Float(position)
        falling += sample * Float(factor - position)
        guard position == factor else { return nil }
        let output = isPrimed ? (previousRising + falling) * scale : nil
        (missingShare, missing) = (Float(missing) / Float(factor), 0)
        (previousRising, rising, falling, position, isPrimed) = (rising, 0, 0, 0, true)
        return output
    }

    /// Whether the next sample begins a block.
    var isAtBlockStart: Bool { position == 0 }

    /// Takes `factor` samples from `first` on, less `reference`, at once: the same sums in the same order as one by
    /// one. Returns nil and takes nothing if one of them is missing.
    @inline(__always)
    mutating func pushBlock(_ samples: Span<Float>, from first: Int, less reference: Float) -> (Float?, last: Float)? {
        var (rising, falling, level) = (Float(0), Float(0), Float(0))
        var isWhole = true
        for k in 0..<factor {
            let sample = samples[first + k]
            isWhole = isWhole && abs(sample) < 1e30
            level = sample - reference
            rising += level * Float(k + 1)
            falling += level * Float(factor - k - 1)
        }
        guard isWhole else { return nil }
        let output = isPrimed ? (previousRising + falling) * scale : nil
        (previousRising, isPrimed, missingShare) = (rising, true, 0)
        return (output, level)
    }
}
