/// The normal equations of a nonlinear least-squares step over parameters that come in threes, in four lanes; a few
/// parameters, so no library.
struct LeastSquaresSystem {
    /// Rows of derivatives, one per parameter, `quads` vectors each; only those within the support of their three count.
    var derivatives: [SIMD4<Double>]
    /// Jᵀr.
    private(set) var gradient: [Double]
    /// What was solved for last, 0 for parameters that were not free.
    private(set) var step: [Double]
    /// JᵀJ, row by row.
    private var normal: [Double]
    /// The upper triangle U of Cholesky's UᵀU, row by row, each filled up to whole vectors.
    private var factor: [SIMD4<Double>]
    private var solution: [SIMD4<Double>]
    private var places: [Int] = []
    private let size: Int
    private let quads: Int

    init(size: Int, quads: Int) {
        (self.size, self.quads) = (size, quads)
        derivatives = Array(repeating: .zero, count: size * quads)
        gradient = Array(repeating: 0, count: size)
        step = gradient
        normal = Array(repeating: 0, count: size * size)
        let width = (size + 3) / 4
        factor = Array(repeating: .zero, count: size * width)
        solution = Array(repeating: .zero, count: width)
        places.reserveCapacity(size)
    }

    /// The equations for these residuals and the derivatives as they are.
    /// - Parameter supports: for each three parameters the vectors in which their derivatives are not 0.
    mutating func formNormalEquations(_ residuals: [SIMD4<Double>], _ supports: [Range<Int>]) {
        let (derivatives, quads) = (derivatives, quads)
        derivatives.withUnsafeBufferPointer { derivatives in
            residuals.withUnsafeBufferPointer { residuals in
                guard let derivatives = derivatives.baseAddress, let residuals = residuals.baseAddress else { return }
                for (number, support) in supports.enumerated() {
                    let own = ThreeRows(derivatives + 3 * number * quads, quads)
                    let slopes = own.products(residuals, support)
                    for row in 0..<3 { gradient[3 * number + row] = slopes[row] }
                    for other in number..<supports.count {
                        let both = support.clamped(to: supports[other])
                        let products = own.products(ThreeRows(derivatives + 3 * other * quads, quads), both)
                        place(products.0, 3 * number, 3 * other)
                        place(products.1, 3 * number + 1, 3 * other)
                        place(products.2, 3 * number + 2, 3 * other)
                    }
                }
            }
        }
    }

    /// Puts three products in a row of JᵀJ, and in the column that is the same.
    private mutating func place(_ products: SIMD3<Double>, _ row: Int, _ column: Int) {
        for offset in 0..<3 {
            normal[row * size + column + offset] = products[offset]
            normal[(column + offset) * size + row] = products[offset]
        }
    }

    /// Solves for the step −(JᵀJ + `damping`·diag)⁻¹·Jᵀr over the free parameters.
    /// - Returns: whether it could be solved.
    mutating func solve(damping: Double, free: [Bool]) -> Bool {
        places.removeAll(keepingCapacity: true)
        for index in 0..<size {
            step[index] = 0
            if free[index] && normal[index * size + index] > 0 { places.append(index) }
        }
        let (places, normal, gradient, size) = (places, normal, gradient, size)
        let isSolved = factor.withUnsafeMutableBufferPointer { factor in
            guard let rows = factor.baseAddress else { return false }
            let triangle = UpperTriangle(size: places.count, rows: rows)
            for row in places.indices {
                for column in row..<places.count {
                    triangle[row, column] = normal[places[row] * size + places[column]]
                }
                triangle[row, row] *= 1 + damping
            }
            return triangle.decompose()
        }
        guard isSolved else { return false }
        for (index, place) in places.enumerated() { solution[index / 4][index % 4] = -gradient[place] }
        Self.substitute(&factor, &solution, places.count)
        for (index, place) in places.enumerated() { step[place] = solution[index / 4][index % 4] }
        return true
    }

    private static func substitute(_ factor: inout [SIMD4<Double>], _ values: inout [SIMD4<Double>], _ count: Int) {
        factor.withUnsafeMutableBufferPointer { factor in
            values.withUnsafeMutableBufferPointer { values in
                guard let rows = factor.baseAddress, let values = values.baseAddress else { return }
                UpperTriangle(decomposed: rows, size: count).solve(values)
            }
        }
    }
}

/// The derivatives of a curve by three parameters, which are multiplied together: what was loaded once is used thrice.
private struct ThreeRows {
    let first, second, third: UnsafePointer<SIMD4<Double>>

    init(_ rows: UnsafePointer<SIMD4<Double>>, _ quads: Int) {
        (first, second, third) = (rows, rows + quads, rows + 2 * quads)
    }

    /// The scalar product of each row with `values` over some of the vectors.
    @inline(__always)
    func products(_ values: UnsafePointer<SIMD4<Double>>, _ places: Range<Int>) -> SIMD3<Double> {
        var (x, y, z) = (SIMD4<Double>.zero, SIMD4<Double>.zero, SIMD4<Double>.zero)
        for place in places {
            let value = values[place]
            x += first[place] * value
            y += second[place] * value
            z += third[place] * value
        }
        return SIMD3(x.sum(), y.sum(), z.sum())
    }

    /// Those of each row with each of the others.
    @inline(__always)
    func products(
        _ other: ThreeRows, _ places: Range<Int>
    ) -> (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) {
        var (xx, xy, xz) = (SIMD4<Double>.zero, SIMD4<Double>.zero, SIMD4<Double>.zero)
        var (yx, yy, yz) = (SIMD4<Double>.zero, SIMD4<Double>.zero, SIMD4<Double>.zero)
        var (zx, zy, zz) = (SIMD4<Double>.zero, SIMD4<Double>.zero, SIMD4<Double>.zero)
        for place in places {
            let (x, y, z) = (other.first[place], other.second[place], other.third[place])
            let (a, b, c) = (first[place], second[place], third[place])
            (xx, xy, xz) = (xx + a * x, xy + a * y, xz + a * z)
            (yx, yy, yz) = (yx + b * x, yy + b * y, yz + b * z)
            (zx, zy, zz) = (zx + c * x, zy + c * y, zz + c * z)
        }
        return (
            SIMD3(xx.sum(), xy.sum(), xz.sum()), SIMD3(yx.sum(), yy.sum(), yz.sum()),
            SIMD3(zx.sum(), zy.sum(), zz.sum())
        )
    }
}

/// Cholesky's decomposition UᵀU of a symmetric matrix, of which the upper triangle is given and taken (Golub & Van Loan,
/// Matrix Computations, section 4.2): whole rows at a time, so that no sum waits for the one before. What stands left of
/// the diagonal has no meaning.
private struct UpperTriangle {
    let size: Int
    /// Vectors of a row.
    let width: Int
    let rows: UnsafeMutablePointer<SIMD4<Double>>

    init(size: Int, rows: UnsafeMutablePointer<SIMD4<Double>>) {
        self.init(decomposed: rows, size: size)
        rows.update(repeating: .zero, count: size * width)
    }

    init(decomposed rows: UnsafeMutablePointer<SIMD4<Double>>, size: Int) {
        (self.size, self.rows, width) = (size, rows, (size + 3) / 4)
    }

    @inline(__always)
    static func cells(_ vectors: UnsafeMutablePointer<SIMD4<Double>>) -> UnsafeMutablePointer<Double> {
        UnsafeMutableRawPointer(vectors).assumingMemoryBound(to: Double.self)
    }

    @inline(__always)
    subscript(row: Int, column: Int) -> Double {
        get { Self.cells(rows)[4 * row * width + column] }
        nonmutating set { Self.cells(rows)[4 * row * width + column] = newValue }
    }

    /// - Returns: false when the matrix is not positive definite.
    func decompose() -> Bool {
        for row in 0..<size {
            guard self[row, row] > 0 else { return false }
            let (own, scale) = (rows + row * width, 1 / self[row, row].squareRoot())
            for quad in row / 4..<width { own[quad] *= scale }
            for below in row + 1..<max(row + 1, size) {
                let (other, factor) = (rows + below * width, self[row, below])
                for quad in below / 4..<width { other[quad] -= factor * own[quad] }
            }
        }
        return true
    }

    /// Solves UᵀU·x = b in place.
    func solve(_ vectors: UnsafeMutablePointer<SIMD4<Double>>) {
        let x = Self.cells(vectors)
        for row in 0..<size {
            let (value, next) = (x[row] / self[row, row], row / 4 + 1)
            for column in row + 1..<max(row + 1, min(4 * next, size)) { x[column] -= value * self[row, column] }
            for quad in next..<max(next, width) { vectors[quad] -= value * rows[row * width + quad] }
            x[row] = value
        }
        for row in (0..<size).reversed() {
            var sum = 0.0
            for column in row + 1..<max(row + 1, size) { sum += self[row, column] * x[column] }
            x[row] = (x[row] - sum) / self[row, row]
        }
    }
}
