import Kernels

/// Functions of symmetric matrices through their eigenvalues.
enum SymmetricFunction {
    /// The matrix with the same eigenvectors, and `function` of the eigenvalues.
    /// - Throws: where a result is not finite, as the logarithm of 0.
    static func apply(_ matrix: Matrix, _ function: (Double) -> Double) throws(LinearAlgebraError) -> Matrix {
        let (values, vectors) = try matrix.symmetricEigen()
        let results = values.map(function)
        guard results.allSatisfy({ $0.isFinite }) else { throw .notPositiveDefinite(leading: 0) }
        var scaled = vectors
        for row in 0..<scaled.rows {
            for column in 0..<scaled.columns { scaled[row, column] *= results[column] }
        }
        return try scaled.multiplied(by: vectors.transposed)
    }
}
