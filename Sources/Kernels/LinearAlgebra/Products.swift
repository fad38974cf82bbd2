import CLate

/// The linear algebra library.
public enum LinearAlgebra {
    /// Σ a·b.
    public static func dot(_ a: [Double], _ b: [Double]) throws(LinearAlgebraError) -> Double {
        guard a.count == b.count else {
            throw .dimensions("a dot product", found: "\(b.count)", expected: "\(a.count)")
        }
        return cblas_ddot(try index(a.count), a, 1, b, 1)
    }

    /// A size as the library counts.
    static func index(_ count: Int) throws(LinearAlgebraError) -> Int32 {
        guard let index = Int32(exactly: count) else {
            throw .dimensions("linear algebra", found: "\(count)", expected: "at most \(Int32.max)")
        }
        return index
    }
}

extension Matrix {
    /// This matrix times `other`.
    public func multiplied(by other: Matrix) throws(LinearAlgebraError) -> Matrix {
        guard columns == other.rows else {
            throw .dimensions("\(size) times a matrix", found: other.size, expected: "\(columns) rows")
        }
        var result = Matrix(rows: rows, columns: other.columns)
        let (m, n, k) = try (
            LinearAlgebra.index(rows), LinearAlgebra.index(other.columns), LinearAlgebra.index(columns)
        )
        guard m > 0, n > 0, k > 0 else { return result }
        _ = result.withElements {
            cblas_dgemm(
                CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, elements, k, other.elements, n, 0, $0, n)
        }
        return result
    }

    /// This matrix times a column.
    public func multiplied(by vector: [Double]) throws(LinearAlgebraError) -> [Double] {
        guard columns == vector.count else {
            throw .dimensions("\(size) times a vector", found: "\(vector.count)", expected: "\(columns)")
        }
        var result = [Double](repeating: 0, count: rows)
        let (m, n) = try (LinearAlgebra.index(rows), LinearAlgebra.index(columns))
        guard m > 0, n > 0 else { return result }
        cblas_dgemv(CblasRowMajor, CblasNoTrans, m, n, 1, elements, n, vector, 1, 0, &result, 1)
        return result
    }

    /// The products of all columns with one another, Aᵀ·A: symmetric, `columns` × `columns`.
    public func gram() throws(LinearAlgebraError) -> Matrix { try products(of: columns, over: rows, CblasTrans) }

    /// The products of all rows with one another, A·Aᵀ: symmetric, `rows` × `rows`.
    public func rowGram() throws(LinearAlgebraError) -> Matrix { try products(of: rows, over: columns, CblasNoTrans) }

    private func products(
        of count: Int, over length: Int, _ transposition: CBLAS_TRANSPOSE
    ) throws(LinearAlgebraError) -> Matrix {
        var result = Matrix(rows: count, columns: count)
        let (n, k, stride) = try (
            LinearAlgebra.index(count), LinearAlgebra.index(length), LinearAlgebra.index(columns)
        )
        guard n > 0, k > 0 else { return result }
        _ = result.withElements {
            cblas_dsyrk(CblasRowMajor, CblasUpper, transposition, n, k, 1, elements, stride, 0, $0, n)
        }
        result.mirrorUpperTriangle()
        return result
    }

    /// Takes `factor` times another matrix of the same size off this one.
    public mutating func subtract(_ other: Matrix, times factor: Double = 1) throws(LinearAlgebraError) {
        guard rows == other.rows, columns == other.columns else {
            throw .dimensions("\(size) less a matrix", found: other.size, expected: size)
        }
        let count = try LinearAlgebra.index(elements.count)
        _ = withElements { cblas_daxpy(count, -factor, other.elements, 1, $0, 1) }
    }

    /// Takes `factor` times all products of two elements of `vector` off this matrix: `factor`·v·vᵀ.
    public mutating func subtractProducts(of vector: [Double], times factor: Double) throws(LinearAlgebraError) {
        guard rows == vector.count, columns == vector.count else {
            throw .dimensions("products of a vector", found: "\(vector.count)", expected: size)
        }
        let n = try LinearAlgebra.index(rows)
        guard n > 0 else { return }
        _ = withElements { cblas_dger(CblasRowMajor, n, n, -factor, vector, 1, vector, 1, $0, n) }
    }

    /// Multiplies all elements.
    public mutating func scale(by factor: Double) {
        let count = elements.count
        _ = withElements { elements in for index in 0..<count { elements[index] *= factor } }
    }

    private mutating func mirrorUpperTriangle() {
        for row in 1..<max(1, rows) {
            for column in 0..<row { self[row, column] = self[column, row] }
        }
    }
}
