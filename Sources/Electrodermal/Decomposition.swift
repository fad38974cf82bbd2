/// Skin conductance taken apart.
public struct Decomposition: Sendable {
    /// The slow component, in the unit of the input. This and the other components are NaN where a value was left out.
    public var tonic: [Double]
    /// The skin conductance responses, in the unit of the input.
    public var phasic: [Double]
    /// Sudomotor activity, never negative but for rounding, in the unit of the input per second.
    public var driver: [Double]
    /// The value that was minimised.
    public var objective: Double
    /// How many steps it took.
    public var iterations: Int

    /// The convex decomposition of a stretch without gaps into tonic component, responses and noise: the maximum a
    /// posteriori estimate of Greco et al., cvxEDA, IEEE Trans Biomed Eng 63(4):797–804, 2016 (eq. 13).
    ///
    /// Time and memory are linear in the length.
    /// - Parameters:
    ///   - conductance: at least three finite values, and no others but artefacts; the weights of `parameters` were chosen for values of
    ///     standard deviation 1.
    ///   - sampleRate: Hz.
    ///   - artefacts: which of the values are not skin's; nil for none. Their errors weigh nothing.
    ///   - place: how many values of the run came before these. The knots of the tonic spline lie on the run's grid, whatever
    ///     piece of it is given: where they lie can change the phasic component of weak responses by a third and more.
    /// - Throws: `ElectrodermalError`.
    public init(
        of conductance: [Double], sampleRate: Double, _ parameters: DecompositionParameters = DecompositionParameters(),
        leavingOut artefacts: [Bool]? = nil, at place: Int = 0
    ) throws(ElectrodermalError) {
        try parameters.check()
        let isKept = artefacts?.map { !$0 } ?? Array(repeating: true, count: conductance.count)
        precondition(isKept.count == conductance.count, "one mark per value")
        precondition(place >= 0, "a place in a run")
        // Before the first and after the last value that is kept, the problem would say nothing of the responses.
        let known = (isKept.firstIndex(of: true) ?? 0)..<(isKept.lastIndex(of: true).map { $0 + 1 } ?? 0)
        guard known.count >= 3, sampleRate > 0, known.allSatisfy({ !isKept[$0] || conductance[$0].isFinite }) else {
            throw ElectrodermalError("A decomposition needs at least three finite values and a sample rate above 0 Hz.")
        }
        let problem = DecompositionProblem(
            Array(conductance[known]), parameters, sampleRate: sampleRate, isKept: Array(isKept[known]),
            place: place + known.lowerBound)
        let solution = try InteriorPoint(problem)
        func placed(_ component: [Double]) -> [Double] {
            conductance.indices.map { isKept[$0] ? component[$0 - known.lowerBound] : .nan }
        }
        tonic = placed(problem.tonic(solution.x))
        phasic = placed(problem.model.response(solution.x.q))
        driver = placed(problem.model.activity(solution.x.q))
        objective = solution.objective
        iterations = solution.iterations
    }
}
