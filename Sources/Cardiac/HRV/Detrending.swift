import Kernels
import Signals

extension HRVDetrending {
    /// Evenly spaced samples without their trend.
    func removed(from samples: [Double], smoothness: Double) -> [Double] {
        switch self {
        case .mean:
            let centre = Statistics.mean(samples)
            return samples.map { $0 - centre }
        case .linear:
            return Self.withoutLine(samples.indices.map(Double.init), samples)
        case .smoothnessPriors:
            return zip(samples, Self.smoothTrend(samples, lambda: smoothness)).map { $0 - $1 }
        }
    }

    /// Values less the straight line of least squares over `places`.
    static func withoutLine(_ places: [Double], _ values: [Double]) -> [Double] {
        let (centre, level) = (Statistics.mean(places), Statistics.mean(values))
        var (product, power) = (0.0, 0.0)
        for (place, value) in zip(places, values) {
            product += (place - centre) * (value - level)
            power += (place - centre) * (place - centre)
        }
        let slope = power > 0 ? product / power : 0
        return zip(places, values).map { $1 - level - slope * ($0 - centre) }
    }

    /// The trend (I + λ²·D₂ᵀD₂)⁻¹·z of the smoothness-priors method, D₂ the matrix of second differences (Tarvainen,
    /// Ranta-aho & Karjalainen 2002, IEEE Trans Biomed Eng 49:172-175, eq. 13).
    static func smoothTrend(_ samples: [Double], lambda: Double) -> [Double] {
        let count = samples.count
        guard count > 2 else { return samples }
        let weight = lambda * lambda
        // L·D·Lᵀ of a matrix with two diagonals below the main one: no fill-in, so O(n).
        var diagonal = [Double](repeating: 0, count: count)
        var first = diagonal
        var second = diagonal
        var trend = samples
        for row in 0..<count {
            let matrix = Self.secondDifferences(row, count, weight)
            var pivot = matrix.diagonal
            var beside = matrix.first
            if row > 0 {
                pivot -= first[row - 1] * first[row - 1] * diagonal[row - 1]
                beside -= first[row - 1] * second[row - 1] * diagonal[row - 1]
                trend[row] -= first[row - 1] * trend[row - 1]
            }
            if row > 1 {
                pivot -= second[row - 2] * second[row - 2] * diagonal[row - 2]
                trend[row] -= second[row - 2] * trend[row - 2]
            }
            diagonal[row] = pivot
            first[row] = beside / pivot
            second[row] = matrix.second / pivot
        }
        for row in stride(from: count - 1, through: 0, by: -1) {
            trend[row] /= diagonal[row]
            if row + 1 < count { trend[row] -= first[row] * trend[row + 1] }
            if row + 2 < count { trend[row] -= second[row] * trend[row + 2] }
        }
        return trend
    }

    /// Row of I + weight·D₂ᵀD₂: the entry on the diagonal and the two right of it.
    private static func secondDifferences(
        _ row: Int, _ count: Int, _ weight: Double
    ) -> (diagonal: Double, first: Double, second: Double) {
        var (diagonal, first, second) = (0.0, 0.0, 0.0)
        // Row `top` of D₂ is 1, -2, 1 from column `top` on.
        for top in max(0, row - 2)...max(0, min(row, count - 3)) where top <= row && row <= top + 2 && top + 2 < count {
            let factors = [1.0, -2, 1]
            let here = factors[row - top]
            diagonal += here * here
            if row + 1 <= top + 2 { first += here * factors[row + 1 - top] }
            if row + 2 <= top + 2 { second += here * factors[row + 2 - top] }
        }
        return (1 + weight * diagonal, weight * first, weight * second)
    }
}
