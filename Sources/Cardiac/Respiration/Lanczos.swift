import Foundation

/// Values of a band-limited signal between its samples (Lanczos 1956; eight samples to either side).
enum Lanczos {
    /// Samples to either side.
    static let reach = 8
    private static let steps = 8

    /// The weights of the samples from −7 to 8 around each step of an eighth sample.
    private static let weights: [[Double]] = (0..<steps).map { step in
        let place = Double(step) / Double(steps)
        let raw = (1 - reach...reach).map { offset in
            sinc(place - Double(offset)) * sinc((place - Double(offset)) / Double(reach))
        }
        let sum = raw.reduce(0, +)
        return raw.map { $0 / sum }
    }

    private static func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }

    /// The largest value (the smallest for a `sign` of −1) within a sample of `index`; samples beyond the ends are as
    /// the last.
    static func extreme(_ samples: ArraySlice<Float>, near index: Int, sign: Double) -> Double {
        // A large offset costs no precision.
        let centre = Double(samples[index])
        var best = 0.0
        for first in [index - 1, index] {
            for step in weights.indices {
                var value = 0.0
                for (offset, weight) in weights[step].enumerated() {
                    let place = min(max(first + 1 - reach + offset, samples.startIndex), samples.endIndex - 1)
                    value += weight * (Double(samples[place]) - centre)
                }
                best = max(best, sign * value)
            }
        }
        return centre + sign * best
    }
}
