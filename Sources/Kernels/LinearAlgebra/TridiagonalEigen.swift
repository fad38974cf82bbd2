import CLate

/// Eigenvalues and eigenvectors of symmetric matrices with elements on and next to the diagonal only.
public enum TridiagonalEigen {
    /// The `count` largest eigenvalues, falling, and their unit eigenvectors in the same order.
    /// - Parameters:
    ///   - diagonal: the diagonal, n values.
    ///   - beside: those next to it, n − 1 values.
    ///   - count: 1…n.
    public static func largest(
        _ count: Int, diagonal: [Double], beside: [Double]
    ) throws(LinearAlgebraError) -> (values: [Double], vectors: [[Double]]) {
        let size = diagonal.count
        guard size > 0, beside.count == size - 1, (1...size).contains(count) else {
            throw .dimensions(
                "a tridiagonal matrix", found: "\(size), \(beside.count), \(count)", expected: "n, n − 1, 1…n")
        }
        let (n, wanted) = try (LinearAlgebra.index(size), LinearAlgebra.index(count))
        // The library overwrites its inputs and may use a value more beside the diagonal.
        var (d, e) = (diagonal, beside + [0])
        var (values, columns) = ([Double](repeating: 0, count: size), [Double](repeating: 0, count: size * count))
        var (found, failed) = (Int32(0), [Int32](repeating: 0, count: size))
        let info = LAPACKE_dstevx(
            LAPACK_COL_MAJOR, Matrix.letter("V"), Matrix.letter("I"), n, &d, &e, 0, 0, n - wanted + 1, n, 0, &found,
            &values, &columns, n, &failed)
        try Matrix.check(info, "eigenvalues") { _ in .notConverged("eigenvalues") }
        let order = (0..<Int(found)).reversed()
        return (order.map { values[$0] }, order.map { Array(columns[$0 * size..<($0 + 1) * size]) })
    }
}
