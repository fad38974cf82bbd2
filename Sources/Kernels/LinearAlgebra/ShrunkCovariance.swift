/// The covariance of variables shrunk towards its mean variance by the amount that minimises the expected squared error.
/// Ledoit & Wolf 2004, Journal of Multivariate Analysis 88:365; as `sklearn.covariance.ledoit_wolf`.
///
/// Observations are kept beside it, so that systems with it cost what the fewer of observations and variables do.
public struct ShrunkCovariance: Sendable {
    /// How far it is shrunk, 0…1.
    public let shrinkage: Double
    /// The mean variance of the variables.
    private let mean: Double
    /// Observations in rows, less their means.
    private let centred: Matrix
    /// Products of the variables, or of the observations where these are fewer.
    private let products: Matrix
    private var hasFewObservations: Bool { centred.rows < centred.columns }

    /// The covariance of the columns of `data`.
    /// - Throws: `dimensions` without an observation of a variable.
    public init(_ data: Matrix) throws(LinearAlgebraError) {
        guard data.rows > 0, data.columns > 0 else {
            throw .dimensions("a covariance", found: data.size, expected: "an observation of a variable")
        }
        let centred = try Covariance.centred(data)
        let products = data.rows < data.columns ? try centred.rowGram() : try centred.gram()
        let (rows, columns) = (Double(data.rows), Double(data.columns))
        // The sum over all pairs of columns of the products of their squares is that of squared row sums.
        var fourth = 0.0
        for row in 0..<data.rows {
            let sum = Statistics.sum(centred.row(row).map { $0 * $0 })
            fourth += sum * sum
        }
        let second = Statistics.sum(products.elements.map { $0 * $0 }) / (rows * rows)
        let mean = Statistics.sum((0..<products.rows).map { products[$0, $0] }) / (rows * columns)
        let noise = (fourth / rows - second) / (columns * rows)
        let distance = second / columns - mean * mean
        shrinkage = distance > 0 ? min(max(0, noise), distance) / distance : 0
        (self.mean, self.centred, self.products) = (mean, centred, products)
    }

    /// The matrix itself.
    public var matrix: Matrix {
        get throws(LinearAlgebraError) {
            var result = hasFewObservations ? try centred.gram() : products
            result.scale(by: (1 - shrinkage) / Double(centred.rows))
            for index in 0..<result.rows { result[index, index] += shrinkage * mean }
            return result
        }
    }

    /// The inverse times a matrix with a row for each variable.
    /// - Throws: `dimensions` for another number of rows, `notPositiveDefinite` where nothing is shrunk and variables do not
    ///   vary, or depend on each other.
    public func solve(_ right: Matrix) throws(LinearAlgebraError) -> Matrix {
        let own = shrinkage * mean
        guard hasFewObservations, own > 0 else { return try matrix.choleskySolve(right) }
        // (aI + c·XᵀX)⁻¹ = (I − c·Xᵀ(aI + c·XXᵀ)⁻¹X) / a (Woodbury).
        let share = (1 - shrinkage) / Double(centred.rows)
        var inner = products
        inner.scale(by: share)
        for index in 0..<inner.rows { inner[index, index] += own }
        var result = right
        let seen = try inner.choleskySolve(centred.multiplied(by: right))
        try result.subtract(centred.transposed.multiplied(by: seen), times: share)
        result.scale(by: 1 / own)
        return result
    }

    /// The inverse times a vector.
    /// - Throws: as `solve` of a matrix.
    public func solve(_ right: [Double]) throws(LinearAlgebraError) -> [Double] {
        try solve(Matrix(rows: right.count, columns: 1, elements: right)).elements
    }
}
