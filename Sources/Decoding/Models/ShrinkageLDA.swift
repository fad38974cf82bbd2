public import Kernels

/// Linear discriminant analysis with a shrunk covariance. Blankertz et al. 2011, NeuroImage 56:814.
public enum ShrinkageLDA {
    /// The classifier for rows of the low and the high state; both states count alike, however many rows they have.
    /// - Throws: `dimensions` without a row of each state; `notPositiveDefinite` for rows that do not vary.
    public static func fit(low: [[Double]], high: [[Double]]) throws(LinearAlgebraError) -> LinearClassifier {
        let (lowMean, highMean) = (mean(low), mean(high))
        guard !low.isEmpty, !high.isEmpty else {
            throw .dimensions(
                "a discriminant analysis", found: "\(low.count), \(high.count) rows", expected: "both states")
        }
        let centred = low.map { difference($0, lowMean) } + high.map { difference($0, highMean) }
        let weights = try ShrunkCovariance(Matrix(centred)).solve(difference(highMean, lowMean))
        let middle = zip(weights, zip(lowMean, highMean)).reduce(0) { $0 + $1.0 * ($1.1.0 + $1.1.1) / 2 }
        return LinearClassifier(weights: weights, bias: -middle)
    }

    static func mean(_ rows: [[Double]]) -> [Double] {
        var sums = [Double](repeating: 0, count: rows.first?.count ?? 0)
        for row in rows {
            for index in sums.indices { sums[index] += row[index] }
        }
        return sums.map { $0 / Double(rows.count) }
    }

    static func difference(_ a: [Double], _ b: [Double]) -> [Double] { a.indices.map { a[$0] - b[$0] } }
}
