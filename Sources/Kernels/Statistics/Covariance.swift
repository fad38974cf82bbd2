/// Covariance matrices of variables in columns, observations in rows.
public enum Covariance {
    /// The covariance of the columns: products of distances from the means, over `observations − ddof`.
    /// - Throws: `dimensions` for no more than `ddof` observations.
    public static func sample(_ data: Matrix, ddof: Int = 1) throws(LinearAlgebraError) -> Matrix {
        guard data.rows > ddof else {
            throw .dimensions("a covariance", found: "\(data.rows) observations", expected: "more than \(ddof)")
        }
        let gram = try centred(data).gram()
        return try Matrix(
            rows: gram.rows, columns: gram.columns, elements: gram.elements.map { $0 / Double(data.rows - ddof) })
    }

    /// The covariance shrunk towards its mean variance by the amount that minimises the expected squared error, and that
    /// amount, 0…1. Ledoit & Wolf 2004, Journal of Multivariate Analysis 88:365; as `sklearn.covariance.ledoit_wolf`.
    public static func ledoitWolf(_ data: Matrix) throws(LinearAlgebraError) -> (matrix: Matrix, shrinkage: Double) {
        guard data.rows > 0, data.columns > 0 else {
            throw .dimensions("a covariance", found: data.size, expected: "an observation of a variable")
        }
        let (rows, columns) = (Double(data.rows), Double(data.columns))
        let centred = try centred(data)
        let gram = try centred.gram()
        let squares = try Matrix(
            rows: data.rows, columns: data.columns, elements: centred.elements.map { $0 * $0 })
        // The sum over all pairs of columns of the products of their squares is that of squared row sums.
        let fourth = Statistics.sum(
            (0..<data.rows).map { row in
                let sum = Statistics.sum(squares.row(row))
                return sum * sum
            })
        let second = Statistics.sum(gram.elements.map { $0 * $0 }) / (rows * rows)
        let mean = Statistics.sum((0..<data.columns).map { gram[$0, $0] }) / (rows * columns)
        let trace = mean * columns
        let noise = (fourth / rows - second) / (columns * rows)
        let distance = (second - 2 * mean * trace + columns * mean * mean) / columns
        let shrinkage = distance > 0 ? min(max(0, noise), distance) / distance : 0
        var result = Matrix(rows: data.columns, columns: data.columns)
        for row in 0..<data.columns {
            for column in 0..<data.columns {
                result[row, column] =
                    (1 - shrinkage) * gram[row, column] / rows + (row == column ? shrinkage * mean : 0)
            }
        }
        return (result, shrinkage)
    }

    private static func centred(_ data: Matrix) throws(LinearAlgebraError) -> Matrix {
        var means = [Double](repeating: 0, count: data.columns)
        for row in 0..<data.rows {
            for column in 0..<data.columns { means[column] += data[row, column] }
        }
        for column in means.indices { means[column] /= Double(data.rows) }
        var elements = data.elements
        for row in 0..<data.rows {
            for column in 0..<data.columns { elements[row * data.columns + column] -= means[column] }
        }
        return try Matrix(rows: data.rows, columns: data.columns, elements: elements)
    }
}
