/// A curve through points, a polynomial of up to third degree between each two: a cubic spline or straight lines.
///
/// There is no extrapolation: outside the points the value is not a number.
public struct PiecewisePolynomial: Sendable, Hashable {
    /// The places of the points, rising.
    public let places: [Double]
    /// The value at the start of each piece, then the factors of the distance from there, its square and its cube.
    private let pieces: [SIMD4<Double>]
    private let last: Double

    /// What a cubic spline does at its ends.
    public enum Boundary: Sendable, Hashable {
        /// The third derivative is continuous at the second and the second last point (scipy's default).
        case notAKnot
        /// The second derivative is 0 at the first and the last point.
        case natural
    }

    /// The cubic spline through (`x`, `y`): value, slope and curvature are continuous (`scipy.interpolate.CubicSpline`).
    /// De Boor, A Practical Guide to Splines, chapter IV.
    /// - Parameters:
    ///   - x: rising places, at least two.
    ///   - y: a value for each.
    ///   - boundary: what happens at the ends. Two points give a line; three without a knot, a parabola.
    public static func cubicSpline(
        x: [Double], y: [Double], boundary: Boundary = .notAKnot
    ) throws(InterpolationError) -> PiecewisePolynomial {
        try InterpolationError.check(x, y, least: 2)
        return PiecewisePolynomial(x, y, slopes: SplineSlopes.solve(x, y, boundary))
    }

    /// Straight lines through (`x`, `y`).
    /// - Parameters:
    ///   - x: rising places, at least two.
    ///   - y: a value for each.
    public static func linear(x: [Double], y: [Double]) throws(InterpolationError) -> PiecewisePolynomial {
        try InterpolationError.check(x, y, least: 2)
        let pieces = (1..<x.count).map { index in
            SIMD4(y[index - 1], (y[index] - y[index - 1]) / (x[index] - x[index - 1]), 0, 0)
        }
        return PiecewisePolynomial(places: x, pieces: pieces, last: y[y.count - 1])
    }

    private init(places: [Double], pieces: [SIMD4<Double>], last: Double) {
        self.places = places
        self.pieces = pieces
        self.last = last
    }

    /// Hermite pieces: values and slopes at both ends.
    private init(_ x: [Double], _ y: [Double], slopes: [Double]) {
        let pieces = (1..<x.count).map { index -> SIMD4<Double> in
            let width = x[index] - x[index - 1]
            let secant = (y[index] - y[index - 1]) / width
            let (left, right) = (slopes[index - 1], slopes[index])
            let bend = (left + right - 2 * secant) / width
            return SIMD4(y[index - 1], left, (secant - left) / width - bend, bend / width)
        }
        self.init(places: x, pieces: pieces, last: y[y.count - 1])
    }

    /// The value at `place`; not a number outside the points.
    public func callAsFunction(_ place: Double) -> Double {
        guard place >= places[0], place <= places[places.count - 1] else { return .nan }
        return value(place, in: piece(holding: place, from: 0))
    }

    /// The values at `places`, fastest when they rise.
    public func callAsFunction(_ places: [Double]) -> [Double] {
        var index = 0
        return places.map { place in
            guard place >= self.places[0], place <= self.places[self.places.count - 1] else { return .nan }
            index = piece(holding: place, from: index)
            return value(place, in: index)
        }
    }

    /// `count` values from `start` on, `step` apart.
    public func sampled(from start: Double, step: Double, count: Int) -> [Double] {
        self((0..<max(0, count)).map { start + Double($0) * step })
    }

    private func value(_ place: Double, in index: Int) -> Double {
        // The last point exactly, whatever rounding the last piece has.
        if place == places[places.count - 1] { return last }
        let (c, d) = (pieces[index], place - places[index])
        return c[0] + d * (c[1] + d * (c[2] + d * c[3]))
    }

    /// The piece that holds `place`: near `guess` by steps, else by bisection.
    private func piece(holding place: Double, from guess: Int) -> Int {
        if place >= places[guess] {
            for index in guess..<min(guess + 4, pieces.count) where place < places[index + 1] { return index }
        }
        var (low, high) = (0, pieces.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if places[middle] <= place { low = middle } else { high = middle - 1 }
        }
        return low
    }
}

/// The slopes at the points of a cubic spline: a tridiagonal system that says curvature is continuous.
private enum SplineSlopes {
    static func solve(_ x: [Double], _ y: [Double], _ boundary: PiecewisePolynomial.Boundary) -> [Double] {
        let n = x.count
        let width = zip(x.dropFirst(), x).map { $0 - $1 }
        let secant = zip(zip(y.dropFirst(), y).map { $0 - $1 }, width).map { $0 / $1 }
        if n == 2 { return [secant[0], secant[0]] }
        if n == 3, boundary == .notAKnot { return parabola(width, secant) }
        var lower = [Double](repeating: 0, count: n)
        var (diagonal, upper, right) = (lower, lower, lower)
        for i in 1..<n - 1 {
            let (before, after) = (width[i - 1], width[i])
            lower[i] = after
            diagonal[i] = 2 * (before + after)
            upper[i] = before
            right[i] = 3 * (after * secant[i - 1] + before * secant[i])
        }
        switch boundary {
        case .natural:
            (diagonal[0], upper[0], right[0]) = (2, 1, 3 * secant[0])
            (lower[n - 1], diagonal[n - 1], right[n - 1]) = (1, 2, 3 * secant[n - 2])
        case .notAKnot:
            (diagonal[0], upper[0]) = (width[1], width[0] + width[1])
            right[0] = end(width[0], width[1], secant[0], secant[1])
            (lower[n - 1], diagonal[n - 1]) = (width[n - 2] + width[n - 3], width[n - 3])
            right[n - 1] = end(width[n - 2], width[n - 3], secant[n - 2], secant[n - 3])
        }
        return tridiagonal(lower, diagonal, upper, right)
    }

    /// The end equation when the two outer pieces are one polynomial.
    private static func end(_ outer: Double, _ inner: Double, _ outerSecant: Double, _ innerSecant: Double) -> Double {
        let both = outer + inner
        return ((outer + 2 * both) * inner * outerSecant + outer * outer * innerSecant) / both
    }

    private static func parabola(_ width: [Double], _ secant: [Double]) -> [Double] {
        let bend = (secant[1] - secant[0]) / (width[0] + width[1])
        return [secant[0] - bend * width[0], secant[0] + bend * width[0], secant[1] + bend * width[1]]
    }

    /// Gaussian elimination without pivots, which these systems do not need.
    private static func tridiagonal(
        _ lower: [Double], _ diagonal: [Double], _ upper: [Double], _ right: [Double]
    ) -> [Double] {
        var (diagonal, x) = (diagonal, right)
        for i in 1..<x.count {
            let factor = lower[i] / diagonal[i - 1]
            diagonal[i] -= factor * upper[i - 1]
            x[i] -= factor * x[i - 1]
        }
        x[x.count - 1] /= diagonal[x.count - 1]
        for i in stride(from: x.count - 2, through: 0, by: -1) { x[i] = (x[i] - upper[i] * x[i + 1]) / diagonal[i] }
        return x
    }
}
