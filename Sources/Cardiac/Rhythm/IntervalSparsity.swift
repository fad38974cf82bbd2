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
        var sum = 0.0
        for place in 0..<max(0, count) { sum += interval(place).duration }
        guard count > 2, sum > 0, sum.isFinite else { return nil }
        let scale = Double(count) / sum
        x.removeAll(keepingCapacity: true)
        y.removeAll(keepingCapacity: true)
        for place in 1..<count {
            let later = interval(place)
            guard later.isContiguous else { continue }
            x.append(Float(interval(place - 1).duration * scale))
            y.append(Float(later.duration * scale))
        }
        return x.count < 2 ? nil : median()
    }

    private mutating func median() -> Double {
        let count = x.count
        let k = min(count - 1, max(1, (count + 8) / 16))
        // The nearest of all is the point itself.
        let kept = k + 1
        if nearest.count < kept { nearest = Array(repeating: .zero, count: kept) }
        distances.removeAll(keepingCapacity: true)
        for first in stride(from: 0, to: count, by: 8) {
            var (px, py) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
            for lane in 0..<min(8, count - first) {
                px[lane] = x[first + lane]
                py[lane] = y[first + lane]
            }
            let kth = farthestOfNearest(px, py, kept: kept)
            for lane in 0..<min(8, count - first) { distances.append(kth[lane]) }
        }
        distances.sort()
        return Double(count % 2 == 1 ? distances[count / 2] : (distances[count / 2 - 1] + distances[count / 2]) / 2)
    }

    private mutating func farthestOfNearest(_ px: SIMD8<Float>, _ py: SIMD8<Float>, kept: Int) -> SIMD8<Float> {
        for place in 0..<kept { nearest[place] = SIMD8(repeating: .greatestFiniteMagnitude) }
        for point in x.indices {
            let (dx, dy) = (px - x[point], py - y[point])
            let (ax, ay) = (dx.replacing(with: -dx, where: dx .< 0), dy.replacing(with: -dy, where: dy .< 0))
            var distance = ax.replacing(with: ay, where: ay .> ax)
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
