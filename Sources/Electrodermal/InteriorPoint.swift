/// A primal-dual interior-point method with Mehrotra's predictor and corrector (S. Mehrotra, SIAM J Optim 2:575–601,
/// 1992) for the convex quadratic programme of the decomposition: minimise the objective subject to A q ≥ 0.
struct InteriorPoint {
    private let problem: DecompositionProblem
    private var factor: FrontalFactor
    private(set) var x: DecompositionVariables
    /// Activity, kept above zero.
    private var s: [Double]
    /// Multipliers of the constraints.
    private var z: [Double]
    private(set) var iterations = 0
    /// What was reached.
    private(set) var objective = Double.infinity

    /// Solves a problem of at least three samples.
    /// - Parameter tolerance: the duality gap at which to stop, relative to the objective.
    /// - Throws: `ElectrodermalError` when it does not converge.
    init(_ problem: DecompositionProblem, tolerance: Double = 1e-7) throws(ElectrodermalError) {
        self.problem = problem
        factor = FrontalFactor(problem)
        x = .zero(problem)
        let count = problem.y.count
        (s, z) = (Array(repeating: 0, count: count), Array(repeating: 0, count: count))
        start()
        while iterations < 100 {
            let activity = problem.model.activity(x.q)
            let residual = problem.residual(x)
            objective = problem.objective(x, residual: residual, activity: activity)
            let dual = problem.gradient(x, residual: residual, multipliers: z)
            var primal = activity
            for k in 2..<count { primal[k] -= s[k] }
            if isDone(dual, primal, tolerance) { return }
            step(dual, primal)
            iterations += 1
        }
        throw ElectrodermalError("The decomposition of \(count) samples did not converge; are the values finite?")
    }

    /// The solution without the constraint, moved inside it.
    private mutating func start() {
        factor.factor(weights: Array(repeating: 1, count: s.count))
        var right = problem.gradient(x, residual: problem.residual(x), multipliers: z)
        right.negate()
        x = factor.solve(right)
        let activity = problem.model.activity(x.q)
        let lowest = activity.dropFirst(2).min() ?? 0
        let highest = activity.dropFirst(2).max() ?? 0
        for k in 2..<s.count {
            s[k] = activity[k] + (lowest > 0 ? 0 : 1 - lowest)
            z[k] = -activity[k] + (highest < 0 ? 0 : 1 + highest)
        }
    }

    private func isDone(_ dual: DecompositionVariables, _ primal: [Double], _ tolerance: Double) -> Bool {
        guard iterations > 0 else { return false }
        let gap = zip(s, z).reduce(0) { $0 + $1.0 * $1.1 }
        guard gap <= tolerance * Swift.max(abs(objective), 1e-9) else { return false }
        let largest = { (values: [Double]) in values.reduce(0) { Swift.max($0, abs($1)) } }
        return largest(primal) <= 1e-6 * Swift.max(1, largest(s)) && largest(dual.q) <= 1e-6 * Swift.max(1, largest(z))
    }

    private mutating func step(_ dual: DecompositionVariables, _ primal: [Double]) {
        let count = s.count
        let middle = zip(s, z).reduce(0) { $0 + $1.0 * $1.1 } / Double(Swift.max(1, count - 2))
        var weights = [Double](repeating: 0, count: count)
        for k in 2..<count { weights[k] = z[k] / s[k] }
        factor.factor(weights: weights)
        var products = [Double](repeating: 0, count: count)
        for k in 2..<count { products[k] = s[k] * z[k] }
        let predictor = direction(dual, primal, products)
        let reach = Swift.min(Self.reach(s, predictor.s), Self.reach(z, predictor.z))
        var ahead = 0.0
        for k in 2..<count { ahead += (s[k] + reach * predictor.s[k]) * (z[k] + reach * predictor.z[k]) }
        ahead /= Double(Swift.max(1, count - 2))
        let ratio = ahead / middle
        let target = ratio * ratio * ratio * middle
        for k in 2..<count { products[k] += predictor.s[k] * predictor.z[k] - target }
        let corrector = direction(dual, primal, products)
        let length = Swift.min(1, 0.99 * Swift.min(Self.reach(s, corrector.s), Self.reach(z, corrector.z)))
        x.add(corrector.x, times: length)
        for k in 2..<count {
            s[k] += length * corrector.s[k]
            z[k] += length * corrector.z[k]
        }
    }

    private func direction(
        _ dual: DecompositionVariables, _ primal: [Double], _ products: [Double]
    ) -> (x: DecompositionVariables, s: [Double], z: [Double]) {
        let count = s.count
        var right = dual
        right.negate()
        var pull = [Double](repeating: 0, count: count)
        for k in 2..<count { pull[k] = -(products[k] + z[k] * primal[k]) / s[k] }
        problem.model.addDriverTransposed(pull, to: &right.q)
        let x = factor.solve(right)
        var stepS = problem.model.activity(x.q)
        var stepZ = [Double](repeating: 0, count: count)
        for k in 2..<count {
            stepS[k] += primal[k]
            stepZ[k] = -(products[k] + z[k] * stepS[k]) / s[k]
        }
        return (x, stepS, stepZ)
    }

    /// How far one may go before a value reaches zero, at most 1e10.
    private static func reach(_ values: [Double], _ step: [Double]) -> Double {
        var reach = 1e10
        for k in 2..<values.count where step[k] < 0 { reach = Swift.min(reach, -values[k] / step[k]) }
        return reach
    }
}

extension DecompositionVariables {
    mutating func negate() {
        for k in q.indices { q[k] = -q[k] }
        for j in spline.indices { spline[j] = -spline[j] }
        trend = -trend
    }
}
