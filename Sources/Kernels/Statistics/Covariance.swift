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

    /// Distances from the columns' means.
    static func centred(_ data: Matrix) throws(LinearAlgebraError) -> Matrix {
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
