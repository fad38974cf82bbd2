/// The normal equations of a nonlinear least-squares step over parameters that come in threes, in four lanes; a few
/// parameters, so no library.
struct LeastSquaresSystem {
    /// Rows of derivatives, one per parameter, `quads` vectors each; only those within the support of their three count.
    var derivatives: [SIMD4<Double>]
    /// Jᵀr.
    private(set) var gradient: [Double]
    /// What was solved for last, 0 for parameters that were not free.
    private(set) var step: [Double]
    /// JᵀJ and, as a last column, −Jᵀr; row by row from the diagonal on, each filled up to whole vectors.
    private var normal: [SIMD4<Double>]
    /// What elimination makes of these.
    private var reduced: [SIMD4<Double>]
    /// The reciprocals of its pivots.
    private var reciprocals: [Double]
    private let size: Int
    /// Vectors of a row.
    private let width: Int
    private let quads: Int

    init(size: Int, quads: Int) {
        (self.size, self.quads) = (size, quads)
        width = size / 4 + 1
        derivatives = Array(repeating: .zero, count: size * quads)
        gradient = Array(repeating: 0, count: size)
        step = gradient
        reciprocals = gradient
        normal = Array(repeating: .zero, count: size * width)
        reduced = normal
    }

    /// The equations for these residuals and the derivatives as they are.
    /// - Parameter supports: for each three parameters the vectors in which their derivatives are not 0.
    mutating func formNormalEquations(_ residuals: [SIMD4<Double>], _ supports: [Range<Int>]) {
        let (derivatives, size, width, quads) = (derivatives, size, width, quads)
        normal.withUnsafeMutableBufferPointer { normal in
            derivatives.withUnsafeBufferPointer { derivatives in
                residuals.withUnsafeBufferPointer { residuals in
                    guard let normal = normal.baseAddress, let derivatives = derivatives.baseAddress,
                        let residuals = residuals.baseAddress
                    else { return }
                    let rows = Rows(vectors: normal, width: width)
                    for (number, support) in supports.enumerated() {
                        let own = ThreeRows(derivatives + 3 * number * quads, quads)
                        let slopes = own.products(residuals, support)
                        for offset in 0..<3 {
                            gradient[3 * number + offset] = slopes[offset]
                            rows[3 * number + offset, size] = -slopes[offset]
                        }
                        for other in number..<supports.count {
                            let both = support.clamped(to: supports[other])
                            rows.place(
                                own.products(ThreeRows(derivatives + 3 * other * quads, quads), both), 3 * number,
                                3 * other)
                        }
                    }
                }
            }
        }
    }

    /// By how much the step that was solved for with this `damping` makes the sum of squares less, as far as the equations
    /// tell.
    func expectedGain(damping: Double) -> Double {
        var sum = 0.0
        for index in 0..<size {
            let own = normal[index * width + index / 4][index % 4]
            sum += step[index] * (damping * own * step[index] - gradient[index])
        }
        return sum
    }

    /// Solves for the step −(JᵀJ + `damping`·diag)⁻¹·Jᵀr over the free parameters.
    /// - Returns: whether it could be solved.
    mutating func solve(damping: Double, free: [Bool]) -> Bool {
        let (normal, size, width) = (normal, size, width)
        return reduced.withUnsafeMutableBufferPointer { reduced in
            guard let vectors = reduced.baseAddress else { return false }
            for place in normal.indices { vectors[place] = normal[place] }
            let rows = Rows(vectors: vectors, width: width)
            for row in 0..<size {
                rows[row, row] *= 1 + damping
                if !free[row] || rows[row, row] <= 0 { rows.fix(row, size) }
            }
            for row in 0..<size {
                guard rows[row, row] > 0 else { return false }
                reciprocals[row] = 1 / rows[row, row]
                rows.eliminate(row, reciprocals[row], size)
            }
            // Column by column, so that no sum waits for the one before.
            for row in (0..<size).reversed() {
                let value = rows[row, size] * reciprocals[row]
                step[row] = value
                for above in 0..<row { rows[above, size] -= rows[above, row] * value }
            }
            return true
        }
    }
}

/// Rows of a positive definite matrix and a right side, of which those from the diagonal on have a meaning.
private struct Rows {
    let vectors: UnsafeMutablePointer<SIMD4<Double>>
    /// Vectors of a row.
    let width: Int

    @inline(__always)
    subscript(row: Int, column: Int) -> Double {
        get { cell(row, column).pointee }
        nonmutating set { cell(row, column).pointee = newValue }
    }

    @inline(__always)
    private func cell(_ row: Int, _ column: Int) -> UnsafeMutablePointer<Double> {
        UnsafeMutableRawPointer(vectors + row * width).assumingMemoryBound(to: Double.self) + column
    }

    /// Puts the products of three parameters with three others in their rows.
    @inline(__always)
    func place(_ products: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>), _ row: Int, _ column: Int) {
        for offset in 0..<3 {
            self[row, column + offset] = products.0[offset]
            self[row + 1, column + offset] = products.1[offset]
            self[row + 2, column + offset] = products.2[offset]
        }
    }

    /// Makes what is solved for at a place 0.
    func fix(_ place: Int, _ size: Int) {
        for row in 0..<place { self[row, place] = 0 }
        for column in place...size { self[place, column] = 0 }
        self[place, place] = 1
    }

    /// Takes a row out of those below, without pivoting and whole vectors at a time, so that no sum waits for the one
    /// before (Golub & Van Loan, Matrix Computations, sections 3.2 and 4.1).
    @inline(__always)
    func eliminate(_ row: Int, _ reciprocal: Double, _ size: Int) {
        let own = vectors + row * width
        for below in row + 1..<max(row + 1, size) {
            let (other, factor) = (vectors + below * width, self[row, below] * reciprocal)
            // What lies far apart has nothing in common.
            if factor == 0 { continue }
            for quad in below / 4..<width { other[quad] -= factor * own[quad] }
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
