import CVectors

/// Keeps every `factor`-th sample after a triangular average over `2 * factor - 1` of them, whose zeros lie at the
/// multiples of the new rate.
struct TriangleDecimator {
    private let factor: Int
    private let scale: Float
    /// What is taken from every sample first, so that a large constant does not eat the precision.
    private var reference: Float = 0
    /// What the samples after the last kept one add to the next.
    private var carried: Float = 0

    init(factor: Int) {
        self.factor = factor
        scale = 1 / Float(factor * factor)
    }

    /// A run begins that had the value `first` before.
    mutating func reset(first: Float) {
        reference = first
        carried = 0
    }

    /// Turns `count * factor` samples into `count`, a multiple of 8. `input[-1]` must be there.
    @inline(__always)
    mutating func decimate(_ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, count: Int) {
        switch factor {
        case 1: copy(input, output, count: count)
        case 2: marey_halve(input, output, count, reference)
        default: general(input, output, count: count)
        }
    }

    private func copy(_ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, count: Int) {
        for index in 0..<count { output[index] = input[index] - reference }
    }

    private mutating func general(
        _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, count: Int
    ) {
        for index in 0..<count {
            let samples = input + index * factor
            var own: Float = 0
            var next: Float = 0
            for lag in 0..<factor {
                let sample = samples[lag] - reference
                own += Float(factor - lag) * sample
                next += Float(lag) * sample
            }
            output[index] = (own + carried) * scale
            carried = next
        }
    }
}
