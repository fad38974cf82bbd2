/// Skin conductance taken apart.
public struct Decomposition: Sendable {
    /// The slow component, in the unit of the input.
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
    ///   - conductance: at least three values, all finite; the weights of `parameters` were chosen for values of
    ///     standard deviation 1.
    ///   - sampleRate: Hz.
    /// - Throws: `ElectrodermalError`.
    public init(
        of conductance: [Double], sampleRate: Double, _ parameters: DecompositionParameters = DecompositionParameters()
    ) throws(ElectrodermalError) {
        try parameters.check()
        guard conductance.count >= 3, conductance.allSatisfy(\.isFinite), sampleRate > 0 else {
            throw ElectrodermalError("A decomposition needs at least three finite values and a sample rate above 0 Hz.")
        }
        let problem = DecompositionProblem(conductance, parameters, sampleRate: sampleRate)
        let solution = try InteriorPoint(problem)
        tonic = problem.tonic(solution.x)
        phasic = problem.model.response(solution.x.q)
        driver = problem.model.activity(solution.x.q)
        objective = solution.objective
        iterations = solution.iterations
    }
}
