import Kernels

/// Samples less their mean.
enum Centred {
    /// Copies `count` samples as doubles, less their mean, to `place` in `values`. Returns the mean.
    @discardableResult
    static func copy(
        _ samples: Span<Float>, from first: Int, count: Int, into values: inout [Double], at place: Int
    ) -> Double {
        precondition(first >= 0 && first + count <= samples.count && place + count <= values.count, "within both")
        let samples = samples.extracting(first..<first + count)
        let mean = Statistics.mean(samples)
        samples.withUnsafeBufferPointer { samples in
            values.withUnsafeMutableBufferPointer { values in
                for index in 0..<count { values[place + index] = Double(samples[index]) - mean }
            }
        }
        return mean
    }
}
