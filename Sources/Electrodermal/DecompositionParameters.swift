public import Signals

/// Parameters of the convex decomposition of skin conductance (Greco et al., cvxEDA, IEEE Trans Biomed Eng
/// 63(4):797–804, 2016), with the authors' defaults.
public struct DecompositionParameters: Hashable, Codable, Sendable {
    /// Slow time constant of the Bateman function, seconds, above the fast one, at most 600.
    public var slowTimeConstant: Seconds = 2
    /// Fast time constant of the Bateman function, seconds, 0.01…60.
    public var fastTimeConstant: Seconds = 0.7
    /// Distance between the knots of the tonic spline, seconds, 0.1…600.
    public var knotDistance: Seconds = 10
    /// Weight of the sudomotor activity's l₁ norm: how sparse it is; 0…1000.
    public var sparseness: Double = 8e-4
    /// Weight of the tonic spline coefficients' l₂ norm: how small the tonic detours are; above 0, at most 1000.
    public var tonicWeight: Double = 1e-2

    /// The authors' defaults.
    public init() {}

    /// Throws when a value has no meaning.
    /// - Throws: `ElectrodermalError`.
    public func check() throws(ElectrodermalError) {
        func require(_ isRight: Bool, _ name: String, _ rule: String, _ value: Double) throws(ElectrodermalError) {
            if !isRight { throw ElectrodermalError("eda.convex.\(name) must be \(rule), not \(value)") }
        }
        try require((0.01...60).contains(fastTimeConstant), "fastTimeConstant", "from 0.01 to 60 s", fastTimeConstant)
        try require(
            slowTimeConstant > fastTimeConstant && slowTimeConstant <= 600, "slowTimeConstant",
            "above fastTimeConstant, \(fastTimeConstant) s, at most 600 s", slowTimeConstant)
        // A spline takes memory, and time by its square, as it is long.
        try require((0.1...600).contains(knotDistance), "knotDistance", "from 0.1 to 600 s", knotDistance)
        try require((0...1_000).contains(sparseness), "sparseness", "from 0 to 1000", sparseness)
        try require(tonicWeight > 0 && tonicWeight <= 1_000, "tonicWeight", "above 0, at most 1000", tonicWeight)
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
