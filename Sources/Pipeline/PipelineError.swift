/// Why an analysis cannot be done.
public struct PipelineError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, with the file and the part of it that is meant.
    public var problem: String
    /// What the user can do.
    public var advice: String?

    /// What it comes of, where programs ask for it.
    public var cause: Cause?

    /// Causes that programs tell apart.
    public enum Cause: Hashable, Sendable {
        /// The recording has no EEG that can be used.
        case noEEG
    }

    /// A problem, and what to do about it.
    public init(_ problem: String, advice: String? = nil, cause: Cause? = nil) {
        self.problem = problem
        self.advice = advice
        self.cause = cause
    }

    /// What it says of itself, for people.
    public var description: String { problem + (advice.map { "; \($0)" } ?? "") }
}
