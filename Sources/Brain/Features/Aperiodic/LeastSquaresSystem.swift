/// The normal equations of a nonlinear least-squares step, in four lanes; a few parameters, so no library.
struct LeastSquaresSystem {
    /// Rows of derivatives, one per parameter, `quads` vectors each.
    var derivatives: [SIMD4<Double>]
    /// Jᵀr.
    private(set) var gradient: [Double]
    /// JᵀJ, row by row.
    private var normal: [Double]
    private let size: Int
    private let quads: Int

    init(size: Int, quads: Int) {
        (self.size, self.quads) = (size, quads)
        derivatives = Array(repeating: .zero, count: size * quads)
        gradient = Array(repeating: 0, count: size)
        normal = Array(repeating: 0, count: size * size)
    }

    /// The equations for these residuals and the derivatives as they are.
    mutating func formNormalEquations(_ residuals: [SIMD4<Double>]) {
        for row in 0..<size {
            var sum = SIMD4<Double>.zero
            for quad in 0..<quads { sum += derivatives[row * quads + quad] * residuals[quad] }
            gradient[row] = sum.sum()
            for column in row..<size {
                var product = SIMD4<Double>.zero
                for quad in 0..<quads {
                    product += derivatives[row * quads + quad] * derivatives[column * quads + quad]
                }
                normal[row * size + column] = product.sum()
                normal[column * size + row] = normal[row * size + column]
            }
        }
    }

    /// The step −(JᵀJ + `damping`·diag)⁻¹·Jᵀr over the free parameters, 0 for the others; nil where it cannot be solved.
    func step(damping: Double, free: [Bool]) -> [Double]? {
        let places = (0..<size).filter { free[$0] && normal[$0 * size + $0] > 0 }
        let count = places.count
        var factor = [Double](repeating: 0, count: count * count)
        for row in 0..<count {
            for column in 0...row {
                var value = normal[places[row] * size + places[column]]
                if row == column { value *= 1 + damping }
                for k in 0..<column { value -= factor[row * count + k] * factor[column * count + k] }
                if row == column {
                    guard value > 0 else { return nil }
                    factor[row * count + row] = value.squareRoot()
                } else {
                    factor[row * count + column] = value / factor[column * count + column]
                }
            }
        }
        var solution = places.map { -gradient[$0] }
        for row in 0..<count {
            for k in 0..<row { solution[row] -= factor[row * count + k] * solution[k] }
            solution[row] /= factor[row * count + row]
        }
        for row in (0..<count).reversed() {
            for k in row + 1..<max(row + 1, count) { solution[row] -= factor[k * count + row] * solution[k] }
            solution[row] /= factor[row * count + row]
        }
        var step = [Double](repeating: 0, count: size)
        for (index, place) in places.enumerated() { step[place] = solution[index] }
        return step
    }
}
