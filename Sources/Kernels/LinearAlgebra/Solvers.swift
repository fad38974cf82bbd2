import CLate

extension Matrix {
    /// The solution x of A·x = `right` for this symmetric positive definite matrix (Cholesky).
    public func choleskySolve(_ right: [Double]) throws(LinearAlgebraError) -> [Double] {
        try choleskySolve(Matrix(rows: right.count, columns: 1, elements: right)).elements
    }

    /// The solutions X of A·X = `right`, column by column, for this symmetric positive definite matrix (Cholesky). Of
    /// this matrix the upper triangle is read.
    public func choleskySolve(_ right: Matrix) throws(LinearAlgebraError) -> Matrix {
        try checkSquare("a Cholesky solution")
        guard right.rows == rows else {
            throw .dimensions("a Cholesky solution's right side", found: right.size, expected: "\(rows) rows")
        }
        let (n, count) = try (LinearAlgebra.index(rows), LinearAlgebra.index(right.columns))
        guard n > 0, count > 0 else { return right }
        var (factor, solution) = (elements, right)
        let info = solution.withElements {
            LAPACKE_dposv(LAPACK_ROW_MAJOR, Self.letter("U"), n, count, &factor, n, $0, count)
        }
        try Self.check(info, "a Cholesky solution") { .notPositiveDefinite(leading: $0 - 1) }
        return solution
    }

    /// Whether all eigenvalues of this symmetric matrix are above 0 (its Cholesky decomposition exists); false for a
    /// matrix that is not square or not finite. The upper triangle is read.
    public var isPositiveDefinite: Bool {
        guard rows == columns, let n = Int32(exactly: rows) else { return false }
        var factor = elements
        // Row by row the upper triangle is, column by column, the lower one.
        return n == 0 || LAPACKE_dpotrf(LAPACK_COL_MAJOR, Self.letter("L"), n, &factor, n) == 0
    }

    /// The x that makes |A·x − `right`| smallest, for a matrix with at least as many rows as columns, and columns that
    /// do not depend on one another (QR).
    public func leastSquares(_ right: [Double]) throws(LinearAlgebraError) -> [Double] {
        guard right.count == rows, rows >= columns else {
            throw .dimensions(
                "least squares with \(size)", found: "\(right.count)", expected: "\(rows) values, at least \(columns)")
        }
        let (m, n) = try (LinearAlgebra.index(rows), LinearAlgebra.index(columns))
        guard n > 0 else { return [] }
        var (factor, solution) = (elements, right)
        let info = LAPACKE_dgels(LAPACK_ROW_MAJOR, Self.letter("N"), m, n, 1, &factor, n, &solution, 1)
        try Self.check(info, "least squares") { .rankDeficient(column: $0 - 1) }
        return Array(solution.prefix(columns))
    }

    /// Eigenvalues, rising, and eigenvectors, column by column in the same order, of this symmetric matrix. The upper
    /// triangle is read.
    public func symmetricEigen() throws(LinearAlgebraError) -> (values: [Double], vectors: Matrix) {
        try checkSquare("eigenvalues")
        let n = try LinearAlgebra.index(rows)
        guard n > 0 else { return ([], self) }
        var (vectors, values) = (self, [Double](repeating: 0, count: rows))
        let info = vectors.withElements {
            LAPACKE_dsyevd(LAPACK_ROW_MAJOR, Self.letter("V"), Self.letter("U"), n, $0, n, &values)
        }
        try Self.check(info, "eigenvalues") { _ in .notConverged("eigenvalues") }
        return (values, vectors)
    }

    /// The singular value decomposition A = U·diag(s)·Vᵀ in its thin form: with k the smaller size, U has k columns, Vᵀ
    /// k rows, and s falls.
    public func singularValues() throws(LinearAlgebraError) -> (u: Matrix, values: [Double], vTransposed: Matrix) {
        let (m, n) = try (LinearAlgebra.index(rows), LinearAlgebra.index(columns))
        let count = min(rows, columns)
        var (u, v) = (Matrix(rows: rows, columns: count), Matrix(rows: count, columns: columns))
        var (values, work) = ([Double](repeating: 0, count: count), elements)
        guard count > 0 else { return (u, values, v) }
        let info = u.withElements { u in
            v.withElements { v in
                LAPACKE_dgesdd(
                    LAPACK_ROW_MAJOR, Self.letter("S"), m, n, &work, n, &values, u, min(m, n), v, n)
            }
        }
        try Self.check(info ?? nil, "singular values") { _ in .notConverged("singular values") }
        return (u, values, v)
    }

    private func checkSquare(_ what: String) throws(LinearAlgebraError) {
        guard rows == columns else { throw .dimensions(what, found: size, expected: "as many rows as columns") }
    }

    static func letter(_ letter: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: letter.value) }

    /// Below 0: an argument the library refuses, which after our checks is one that is not finite.
    static func check(
        _ info: Int32?, _ what: String, _ failure: (Int) -> LinearAlgebraError
    ) throws(LinearAlgebraError) {
        guard let info, info >= 0 else { throw .notFinite(what) }
        if info > 0 { throw failure(Int(info)) }
    }
}
