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
        let (held, quads) = (derivatives, quads)
        let derivatives = held.span
        for row in 0..<size {
            let own = supports[row / 3]
            var sum = SIMD4<Double>.zero
            for quad in own { sum += derivatives[row * quads + quad] * residuals[quad] }
            gradient[row] = sum.sum()
            for column in row..<size {
                let both = own.clamped(to: supports[column / 3])
                let (a, b) = (row * quads, column * quads)
                var product = SIMD4<Double>.zero
                for quad in both { product += derivatives[a + quad] * derivatives[b + quad] }
                normal[row * size + column] = product.sum()
                normal[column * size + row] = normal[row * size + column]
            }
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
