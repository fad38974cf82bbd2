/// How sparsely the Poincaré plot of a series of intervals is filled.
///
/// Each point is an interval and the one after it, both over the mean interval. The sparsity is the median over the
/// points of the distance (larger coordinate) to the k-th nearest other point, k being a sixteenth of the points, at
/// least 1. Rhythms with an order, ectopic ones included, return to a few places of the plot, so that most points have
/// near neighbours; intervals without order fill it. The idea is that of counting filled cells of the plot (Lian et al.
/// 2011, Am J Cardiol 107:1494-1497), without a grid, and of matching pairs of intervals (Lake & Moorman 2011, Am J
/// Physiol Heart Circ 300:H319-H325), without a tolerance.
public struct IntervalSparsity: Sendable {
    private var x: [Float] = []
    private var y: [Float] = []
    private var nearest: [SIMD8<Float>] = []
    private var distances: [Float] = []

    /// A place to compute in, to be used again.
    public init() {}

    /// The sparsity of successive intervals, in units of their mean; nil for fewer than two points or where the mean is
    /// not a positive number.
    /// - Parameters:
    ///   - count: how many intervals there are.
    ///   - interval: the interval at a place, 0..<count, and whether it follows the one before it.
    public mutating func callAsFunction(
        count: Int, interval: (Int) -> (duration: Double, isContiguous: Bool)
    ) -> Double? {
        place(count, interval) ? median() : nil
    }

    /// Whether the sparsity is `least` or more, told without computing it where that can be; nil where there is none.
    /// - Parameters: as of the sparsity itself.
    public mutating func isAtLeast(
        _ least: Double, count: Int, interval: (Int) -> (duration: Double, isContiguous: Bool)
    ) -> Bool? {
        guard place(count, interval) else { return nil }
        var bound = Float(least)
        if Double(bound) < least { bound = bound.nextUp }
        let sparse = sparsePoints(bound)
        // The median is the mean of the middle two, which may lie on either side of the bound.
        if sparse >= x.count / 2 + 1 { return true }
        if sparse < (x.count + 1) / 2 { return false }
        return median() >= least
    }

    /// Makes the points of the plot; false where there is no sparsity.
    private mutating func place(_ count: Int, _ interval: (Int) -> (duration: Double, isContiguous: Bool)) -> Bool {
        var sum = 0.0
        for place in 0..<max(0, count) { sum += interval(place).duration }
        guard count > 2, sum > 0, sum.isFinite else { return false }
        let scale = Double(count) / sum
        x.removeAll(keepingCapacity: true)
        y.removeAll(keepingCapacity: true)
        for place in 1..<count {
            let later = interval(place)
            guard later.isContiguous else { continue }
            x.append(Float(interval(place - 1).duration * scale))
            y.append(Float(later.duration * scale))
        }
        return x.count > 1
    }

    /// How many points are kept to find the distance to the k-th nearest: the nearest of all is the point itself.
    private var kept: Int { min(x.count - 1, max(1, (x.count + 8) / 16)) + 1 }

    /// Eight points from a place on; behind the last one zeros.
    private func points(_ first: Int) -> (SIMD8<Float>, SIMD8<Float>) {
        var (px, py) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
        for lane in 0..<min(8, x.count - first) {
            px[lane] = x[first + lane]
            py[lane] = y[first + lane]
        }
        return (px, py)
    }

    @inline(__always)
    private func distance(_ px: SIMD8<Float>, _ py: SIMD8<Float>, to point: Int) -> SIMD8<Float> {
        let (dx, dy) = (px - x[point], py - y[point])
        let (ax, ay) = (dx.replacing(with: -dx, where: dx .< 0), dy.replacing(with: -dy, where: dy .< 0))
        return ax.replacing(with: ay, where: ay .> ax)
    }

    /// How many points have their k-th nearest other point at `bound` or further.
    private func sparsePoints(_ bound: Float) -> Int {
        let most = Int32(kept - 1)
        var sparse = 0
        for first in stride(from: 0, to: x.count, by: 8) {
            let (px, py) = points(first)
            var near = SIMD8<Int32>.zero
            for point in x.indices {
                near = near.replacing(with: near &+ 1, where: distance(px, py, to: point) .< bound)
            }
            for lane in 0..<min(8, x.count - first) where near[lane] <= most { sparse += 1 }
        }
        return sparse
    }

    private mutating func median() -> Double {
        let (count, kept) = (x.count, kept)
        if nearest.count < kept { nearest = Array(repeating: .zero, count: kept) }
        distances.removeAll(keepingCapacity: true)
        for first in stride(from: 0, to: count, by: 8) {
            let (px, py) = points(first)
            let kth = farthestOfNearest(px, py, kept: kept)
            for lane in 0..<min(8, count - first) { distances.append(kth[lane]) }
        }
        distances.sort()
        return Double(count % 2 == 1 ? distances[count / 2] : (distances[count / 2 - 1] + distances[count / 2]) / 2)
    }

    private mutating func farthestOfNearest(_ px: SIMD8<Float>, _ py: SIMD8<Float>, kept: Int) -> SIMD8<Float> {
        for place in 0..<kept { nearest[place] = SIMD8(repeating: .greatestFiniteMagnitude) }
        for point in x.indices {
            var distance = distance(px, py, to: point)
            for place in 0..<kept {
                let before = nearest[place]
                let isNearer = distance .< before
                nearest[place] = before.replacing(with: distance, where: isNearer)
                distance = distance.replacing(with: before, where: isNearer)
            }
        }
        return nearest[kept - 1]
    }
}
