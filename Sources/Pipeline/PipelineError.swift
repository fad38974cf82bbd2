/// Why an analysis cannot be done.
public struct PipelineError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, with the file and the part of it that is meant.
    public var problem: String
    /// What the user can do.
    public var advice: String?

    /// A problem, and what to do about it.
    public init(_ problem: String, advice: String? = nil) {
        self.problem = problem
        self.advice = advice
    }

    /// What it says of itself, for people.
    public var description: String { problem + (advice.map { "; \($0)" } ?? "") }
}
