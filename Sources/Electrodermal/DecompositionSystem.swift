/// The unknowns of one decomposition, or a step of them.
struct DecompositionVariables {
    /// The auxiliary signal, one value per sample.
    var q: [Double]
    /// The tonic spline's coefficients.
    var spline: [Double]
    /// Offset and slope over the whole stretch.
    var trend: SIMD2<Double>

    static func zero(_ problem: DecompositionProblem) -> DecompositionVariables {
        DecompositionVariables(
            q: Array(repeating: 0, count: problem.y.count), spline: Array(repeating: 0, count: problem.spline.count),
            trend: .zero)
    }

    mutating func add(_ step: DecompositionVariables, times factor: Double) {
        for k in q.indices { q[k] += factor * step.q[k] }
        for j in spline.indices { spline[j] += factor * step.spline[j] }
        trend += factor * step.trend
    }
}

/// The data of one decomposition.
struct DecompositionProblem {
    let y: [Double]
    /// Which of the values count.
    let isKept: [Bool]
    let model: BatemanModel
    let spline: TonicSpline
    let sparseness: Double
    let tonicWeight: Double

    /// - Parameter place: samples from a knot of the tonic spline to the first value.
    init(
        _ y: [Double], _ parameters: DecompositionParameters, sampleRate: Double, isKept: [Bool], place: Int
    ) {
        (self.y, self.isKept) = (y, isKept)
        model = BatemanModel(parameters, sampleRate: sampleRate)
        spline = TonicSpline(
            step: Swift.max(1, Int((parameters.knotDistance * sampleRate).rounded())), length: y.count,
            place: place)
        (sparseness, tonicWeight) = (parameters.sparseness, parameters.tonicWeight)
    }

    /// Offset and slope regressors at a sample.
    func trend(at sample: Int) -> SIMD2<Double> {
        SIMD2(1, Double(sample + 1) / Double(y.count))
    }

    /// The tonic component B l + C d.
    func tonic(_ x: DecompositionVariables) -> [Double] {
        let slope = x.trend.y / Double(y.count)
        var tonic = y.indices.map { x.trend.x + slope * Double($0 + 1) }
        for (j, coefficient) in x.spline.enumerated() {
            let reached = spline.samples(of: j, within: y.count)
            let shift = spline.reach - spline.knot(of: j)
            for k in reached { tonic[k] += coefficient * spline.values[k + shift] }
        }
        return tonic
    }

    /// M q + B l + C d − y, 0 where the value does not count.
    func residual(_ x: DecompositionVariables) -> [Double] {
        let phasic = model.response(x.q)
        var residual = tonic(x)
        for k in residual.indices { residual[k] = isKept[k] ? residual[k] + (phasic[k] - y[k]) : 0 }
        return residual
    }

    /// ½‖residual‖² + α Σ p + γ/2 ‖l‖², the quantity that is minimised.
    func objective(_ x: DecompositionVariables, residual: [Double], activity: [Double]) -> Double {
        let squares = residual.reduce(0) { $0 + $1 * $1 }
        let coefficients = x.spline.reduce(0) { $0 + $1 * $1 }
        return squares / 2 + sparseness * activity.reduce(0, +) + tonicWeight * coefficients / 2
    }

    /// The gradient of the objective minus Aᵀ z.
    func gradient(
        _ x: DecompositionVariables, residual: [Double], multipliers z: [Double]
    ) -> DecompositionVariables {
        var gradient = DecompositionVariables.zero(self)
        model.addDriverTransposed(z.map { sparseness - $0 }, to: &gradient.q)
        model.addPhasicTransposed(residual, to: &gradient.q)
        for j in x.spline.indices {
            let shift = spline.reach - spline.knot(of: j)
            var sum = tonicWeight * x.spline[j]
            for k in spline.samples(of: j, within: y.count) { sum += spline.values[k + shift] * residual[k] }
            gradient.spline[j] = sum
        }
        for k in y.indices { gradient.trend += trend(at: k) * residual[k] }
        return gradient
    }
}
