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

    /// Takes whole blocks of `factor` samples from `first` on, less `reference`, until `working` is full, the samples
    /// end or one of them is missing: the same sums in the same order as one by one.
    /// - Returns: how many samples were taken, and how many working samples are now in `working`.
    mutating func pushBlocks(
        _ samples: Span<Float>, from first: Int, less reference: Float, into working: inout [Float]
    ) -> (taken: Int, filled: Int) {
        // The usual factors are constants to the loops within.
        switch factor {
        case 1: pushBlocks(of: 1, samples, first, reference, &working)
        case 2: pushBlocks(of: 2, samples, first, reference, &working)
        case 4: pushBlocks(of: 4, samples, first, reference, &working)
        default: pushBlocks(of: factor, samples, first, reference, &working)
        }
    }

    @inline(__always)
    private mutating func pushBlocks(
        of factor: Int, _ samples: Span<Float>, _ first: Int, _ reference: Float, _ working: inout [Float]
    ) -> (taken: Int, filled: Int) {
        var (index, filled) = (first, 0)
        var output = working.mutableSpan
        for _ in 0..<min((samples.count - first) / factor, output.count) {
            var (rising, falling) = (Float(0), Float(0))
            var isWhole = true
            for k in 0..<factor {
                let sample = samples[index + k]
                isWhole = isWhole && abs(sample) < 1e30
                let level = sample - reference
                rising += level * Float(k + 1)
                falling += level * Float(factor - k - 1)
            }
            guard isWhole else { break }
            output[filled] = (previousRising + falling) * scale
            filled += isPrimed ? 1 : 0
            isPrimed = true
            previousRising = rising
            index += factor
        }
        if index > first { missingShare = 0 }
        return (index - first, filled)
    }
}
