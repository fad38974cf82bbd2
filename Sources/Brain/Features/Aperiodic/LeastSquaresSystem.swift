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
    private var factor: [Double]
    private var solution: [Double]
    private var places: [Int] = []
    private let size: Int
    private let quads: Int

    init(size: Int, quads: Int) {
        (self.size, self.quads) = (size, quads)
        derivatives = Array(repeating: .zero, count: size * quads)
        gradient = Array(repeating: 0, count: size)
        (step, solution) = (gradient, gradient)
        normal = Array(repeating: 0, count: size * size)
        factor = normal
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
        guard decompose(damping) else { return false }
        substitute()
        for (index, place) in places.enumerated() { step[place] = solution[index] }
        return true
    }

    /// Cholesky's decomposition of the damped equations.
    private mutating func decompose(_ damping: Double) -> Bool {
        let (count, size) = (places.count, size)
        for row in 0..<count {
            for column in 0...row {
                var value = normal[places[row] * size + places[column]]
                if row == column { value *= 1 + damping }
                for k in 0..<column { value -= factor[row * count + k] * factor[column * count + k] }
                if row == column {
                    guard value > 0 else { return false }
                    factor[row * count + row] = value.squareRoot()
                } else {
                    factor[row * count + column] = value / factor[column * count + column]
                }
            }
        }
        return true
    }

    private mutating func substitute() {
        let count = places.count
        for row in 0..<count {
            var value = -gradient[places[row]]
            for k in 0..<row { value -= factor[row * count + k] * solution[k] }
            solution[row] = value / factor[row * count + row]
        }
        for row in (0..<count).reversed() {
            var value = solution[row]
            for k in row + 1..<max(row + 1, count) { value -= factor[k * count + row] * solution[k] }
            solution[row] = value / factor[row * count + row]
        }
    }
}
