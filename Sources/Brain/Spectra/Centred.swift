/// Pieces of signal with their mean taken out.
enum Centred {
    /// Copies `count` samples as doubles, less their mean, to `place` in `values`. Returns the mean.
    @discardableResult
    static func copy(
        _ samples: Span<Float>, from first: Int, count: Int, into values: inout [Double], at place: Int
    ) -> Double {
        precondition(first >= 0 && first + count <= samples.count && place + count <= values.count, "within both")
        return samples.withUnsafeBufferPointer { samples in
            values.withUnsafeMutableBufferPointer { values in
                guard let from = samples.baseAddress, let to = values.baseAddress else { return 0 }
                return copy(from + first, count, to + place)
            }
        }
    }

    @inline(__always)
    private static func copy(
        _ from: UnsafePointer<Float>, _ count: Int, _ to: UnsafeMutablePointer<Double>
    ) -> Double {
        // Four partial sums in fixed order: the same on every machine, and no waiting for one sum.
        var (s0, s1, s2, s3) = (0.0, 0.0, 0.0, 0.0)
        let whole = count / 4 * 4
        for index in stride(from: 0, to: whole, by: 4) {
            let (a, b) = (Double(from[index]), Double(from[index + 1]))
            let (c, d) = (Double(from[index + 2]), Double(from[index + 3]))
            (to[index], to[index + 1], to[index + 2], to[index + 3]) = (a, b, c, d)
            s0 += a
            s1 += b
            s2 += c
            s3 += d
        }
        for index in whole..<count {
            to[index] = Double(from[index])
            s0 += to[index]
        }
        let mean = ((s0 + s1) + (s2 + s3)) / Double(count)
        for index in 0..<count { to[index] -= mean }
        return mean
    }
}
