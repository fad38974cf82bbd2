public import Signals

/// Parameters of the convex decomposition of skin conductance (Greco et al., cvxEDA, IEEE Trans Biomed Eng
/// 63(4):797–804, 2016), with the authors' defaults.
public struct DecompositionParameters: Hashable, Codable, Sendable {
    /// Slow time constant of the Bateman function, seconds.
    public var slowTimeConstant: Seconds = 2
    /// Fast time constant of the Bateman function, seconds.
    public var fastTimeConstant: Seconds = 0.7
    /// Distance between the knots of the tonic spline, seconds.
    public var knotDistance: Seconds = 10
    /// Weight of the sudomotor activity's l₁ norm: how sparse it is.
    public var sparseness: Double = 8e-4
    /// Weight of the tonic spline coefficients' l₂ norm: how small the tonic detours are.
    public var tonicWeight: Double = 1e-2

    /// The authors' defaults.
    public init() {}

    /// Throws when a value has no meaning.
    /// - Throws: `ElectrodermalError`.
    public func check() throws(ElectrodermalError) {
        func require(_ isRight: Bool, _ problem: String) throws(ElectrodermalError) {
            if !isRight { throw ElectrodermalError(problem) }
        }
        try require(fastTimeConstant > 0, "eda.fastTimeConstant must be above 0 s, not \(fastTimeConstant)")
        try require(
            slowTimeConstant > fastTimeConstant,
            "eda.slowTimeConstant must exceed fastTimeConstant (\(fastTimeConstant) s), not \(slowTimeConstant)")
        try require(knotDistance > 0, "eda.knotDistance must be above 0 s, not \(knotDistance)")
        try require(sparseness >= 0, "eda.sparseness must not be negative, not \(sparseness)")
        try require(tonicWeight > 0, "eda.tonicWeight must be above 0, not \(tonicWeight)")
    }
}

/// A parameter or an input of skin conductance analysis that has no meaning.
public struct ElectrodermalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and what would be right.
    public var description: String

    /// An error described in a sentence.
    public init(_ description: String) {
        self.description = description
    }
}
