import Foundation
public import Kernels

/// Covariance matrices as vectors: seen from a reference, along the geodesics of the space of positive definite
/// matrices. Barachant et al. 2012, IEEE Transactions on Biomedical Engineering 59:920.
public struct TangentSpace: Hashable, Codable, Sendable {
    /// The reference to the power of −1/2, row by row.
    public let whitening: [[Double]]

    /// Seen from `reference`.
    /// - Throws: where it is not positive definite.
    public init(reference: Matrix) throws(LinearAlgebraError) {
        let inverse = try SymmetricFunction.apply(reference) { 1 / $0.squareRoot() }
        whitening = (0..<inverse.rows).map(inverse.row)
    }

    /// The upper triangle of log(W·C·W), W the whitening; off the diagonal times √2, so that distances are kept.
    /// - Throws: where the covariance is of another size or not positive definite.
    public func vector(_ covariance: Matrix) throws(LinearAlgebraError) -> [Double] {
        let whitening = try Matrix(whitening)
        let inner = try whitening.multiplied(by: covariance).multiplied(by: whitening)
        let logarithm = try SymmetricFunction.apply(inner, log)
        return (0..<logarithm.rows).flatMap { row in
            (row..<logarithm.columns).map { logarithm[row, $0] * (row == $0 ? 1 : 2.0.squareRoot()) }
        }
    }

    /// The geometric mean of covariances: where the sum of squared geodesic distances is least. Moakher 2005, SIAM Journal
    /// on Matrix Analysis and Applications 26:735; fixed-point iteration from the arithmetic mean.
    /// - Throws: without a covariance, or where one is not positive definite.
    public static func mean(_ covariances: [Matrix]) throws(LinearAlgebraError) -> Matrix {
        guard let first = covariances.first else {
            throw .dimensions("a mean of covariances", found: "0", expected: "at least one")
        }
        var mean = try average(covariances)
        for _ in 0..<20 {
            let root = try SymmetricFunction.apply(mean) { $0.squareRoot() }
            let inverse = try SymmetricFunction.apply(mean) { 1 / $0.squareRoot() }
            var logarithms: [Matrix] = []
            for covariance in covariances {
                let inner = try inverse.multiplied(by: covariance).multiplied(by: inverse)
                logarithms.append(try SymmetricFunction.apply(inner, log))
            }
            let step = try average(logarithms)
            mean = try root.multiplied(by: SymmetricFunction.apply(step, exp)).multiplied(by: root)
            let size = step.elements.reduce(0) { $0 + $1 * $1 }
            if size < 1e-12 * Double(first.rows) { break }
        }
        return mean
    }

    private static func average(_ matrices: [Matrix]) throws(LinearAlgebraError) -> Matrix {
        var sums = [Double](repeating: 0, count: matrices[0].elements.count)
        for matrix in matrices {
            guard matrix.elements.count == sums.count else {
                throw .dimensions("a mean of matrices", found: "\(matrix.elements.count)", expected: "\(sums.count)")
            }
            for index in sums.indices { sums[index] += matrix.elements[index] }
        }
        return try Matrix(
            rows: matrices[0].rows, columns: matrices[0].columns, elements: sums.map { $0 / Double(matrices.count) })
    }
}
