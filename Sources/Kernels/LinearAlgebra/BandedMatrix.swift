import CLate

/// A symmetric matrix with elements near its diagonal only.
public struct BandedMatrix: Sendable, Hashable {
    /// How many rows, and columns.
    public let size: Int
    /// How far from the diagonal elements reach: 1 for a tridiagonal matrix.
    public let reach: Int
    /// The diagonal, then those above it, each `size` long; the first values of those further up are not used.
    private var bands: [Double]

    /// All zero.
    /// - Precondition: sizes not below 0.
    public init(size: Int, reach: Int) {
        precondition(size >= 0 && reach >= 0, "sizes not below 0")
        self.size = size
        self.reach = min(reach, max(0, size - 1))
        bands = Array(repeating: 0, count: size * (self.reach + 1))
    }

    /// An element within the band, or its mirror image.
    /// - Precondition: both indices within the matrix, no further apart than `reach`.
    public subscript(row: Int, column: Int) -> Double {
        get { bands[place(row, column)] }
        set { bands[place(row, column)] = newValue }
    }

    private func place(_ row: Int, _ column: Int) -> Int {
        let (distance, right) = (abs(row - column), max(row, column))
        precondition(distance <= reach && min(row, column) >= 0 && right < size, "an element within the band")
        return distance * size + right
    }

    /// The solution x of A·x = `right` for this matrix, which must be positive definite (banded Cholesky): time and
    /// room grow with the size, not its square.
    public func choleskySolve(_ right: [Double]) throws(LinearAlgebraError) -> [Double] {
        guard right.count == size else {
            throw .dimensions("a banded solution's right side", found: "\(right.count)", expected: "\(size)")
        }
        guard size > 0 else { return [] }
        let (n, k) = try (LinearAlgebra.index(size), LinearAlgebra.index(reach))
        // The library wants the outermost band first and the diagonal last, row by row.
        var factor = (0...reach).reversed().flatMap { bands[$0 * size..<($0 + 1) * size] }
        var solution = right
        let info = LAPACKE_dpbsv(LAPACK_ROW_MAJOR, Matrix.letter("U"), n, k, 1, &factor, n, &solution, 1)
        try Matrix.check(info, "a banded solution") { .notPositiveDefinite(leading: $0 - 1) }
        return solution
    }
}
