/// The point with the smallest sum of distances to given ones: a mean that a minority of bad points does not move far.
public enum GeometricMedian {
    private static let mostSteps = 200
    /// A step shorter than this share of the point's length is the last one.
    private static let tolerance = 1e-6
    /// As many points say where the search begins.
    private static let mostStartingPoints = 64

    /// The median of the points that lie one after the other in `points`, of `size` coordinates each (Weiszfeld 1937),
    /// searched from the medians of the coordinates on; zeros where there is no point.
    /// - Precondition: `size` above 0, and a whole number of points.
    public static func of(_ points: [Double], size: Int) -> [Double] {
        precondition(size > 0 && points.count % size == 0, "whole points")
        guard !points.isEmpty else { return Array(repeating: 0, count: size) }
        var middle = start(points, size)
        var sum = middle
        for _ in 0..<mostSteps {
            let (moved, length) = points.withUnsafeBufferPointer { points in
                middle.withUnsafeMutableBufferPointer { middle in
                    sum.withUnsafeMutableBufferPointer { step(points, middle, $0) }
                }
            }
            if moved <= tolerance * length { break }
        }
        return middle
    }

    /// Moves `middle` to the mean of the points weighted by the inverse of their distances, and tells how far that was
    /// and how long the new one is.
    private static func step(
        _ points: UnsafeBufferPointer<Double>, _ middle: UnsafeMutableBufferPointer<Double>,
        _ sum: UnsafeMutableBufferPointer<Double>
    ) -> (moved: Double, length: Double) {
        let size = middle.count
        var weights = 0.0
        sum.update(repeating: 0)
        for first in stride(from: 0, to: points.count, by: size) {
            let point = UnsafeBufferPointer(rebasing: points[first..<first + size])
            let weight = 1 / max(squaredDistance(point, UnsafeBufferPointer(middle)).squareRoot(), 1e-12)
            weights += weight
            for place in 0..<size { sum[place] = sum[place] + weight * point[place] }
        }
        var (moved, length) = (0.0, 0.0)
        for place in 0..<size {
            let next = sum[place] / weights
            moved += (next - middle[place]) * (next - middle[place])
            length += next * next
            middle[place] = next
        }
        return (moved.squareRoot(), length.squareRoot())
    }

    /// In eight partial sums.
    private static func squaredDistance(_ a: UnsafeBufferPointer<Double>, _ b: UnsafeBufferPointer<Double>) -> Double {
        var sums = SIMD8<Double>.zero
        let whole = a.count / 8 * 8
        for place in stride(from: 0, to: whole, by: 8) {
            let difference =
                UnsafeRawPointer(a.baseAddress.unsafelyUnwrapped + place).loadUnaligned(as: SIMD8<Double>.self)
                - UnsafeRawPointer(b.baseAddress.unsafelyUnwrapped + place).loadUnaligned(as: SIMD8<Double>.self)
            sums += difference * difference
        }
        var sum = sums.sum()
        for place in whole..<a.count { sum += (a[place] - b[place]) * (a[place] - b[place]) }
        return sum
    }

    private static func start(_ points: [Double], _ size: Int) -> [Double] {
        let count = points.count / size
        let every = (count + mostStartingPoints - 1) / mostStartingPoints
        return (0..<size).map { place in
            Statistics.median(stride(from: 0, to: count, by: every).map { points[$0 * size + place] })
        }
    }
}
