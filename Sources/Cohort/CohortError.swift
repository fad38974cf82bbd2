public import Foundation

/// Why a cohort could not be found, planned or computed as a whole. What goes wrong with one recording is a
/// `FailureRecord` instead.
public struct CohortError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, with the file or folder it is about.
    public var problem: String
    /// What the user can do.
    public var advice: String?

    /// A problem, and what to do about it.
    public init(_ problem: String, advice: String? = nil) {
        self.problem = problem
        self.advice = advice
    }

    /// A problem with a file or folder.
    public init(_ place: URL, _ problem: String, advice: String? = nil) {
        self.init("\(place.relativePath): \(problem)", advice: advice)
    }

    /// One line: problem, advice.
    public var description: String { problem + (advice.map { "; \($0)" } ?? "") }
}
