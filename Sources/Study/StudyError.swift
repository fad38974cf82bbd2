public import Foundation

/// Why a study folder or its bookkeeping could not be used.
public struct StudyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The folder or file concerned, as the user named it.
    public var path: String
    /// What was found and what was expected.
    public var problem: String
    /// What the user can do.
    public var advice: String?

    /// A problem with `path`.
    public init(_ path: URL, _ problem: String, advice: String? = nil) {
        self.path = path.relativePath
        self.problem = problem
        self.advice = advice
    }

    /// Problem and advice, for those to whom the path says nothing.
    public var told: String { problem + (advice.map { "; \($0)" } ?? "") }

    /// One line: path, problem, advice.
    public var description: String { path + ": " + told }
}

extension StudyError {
    /// A run whose labels another recording has.
    static func taken(_ name: RunName, by file: String) -> StudyError {
        StudyError(
            URL(fileURLWithPath: file), "is \(name) already, and the results of one would replace those of the other",
            advice: "give another --run number, --task or --session")
    }
}
