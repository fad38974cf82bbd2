public import Foundation

/// Why a file could not be read or written: which file, where in it, what is wrong, and what to do about it.
public struct FormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file, as the user named it.
    public var file: String
    /// Where in the file, such as `line 3`, `byte 512`, `record 17`; nil when the whole file is meant.
    public var place: String?
    /// What was found and what was expected.
    public var problem: String
    /// What the user can do; nil when nothing sensible can be said.
    public var advice: String?

    /// A problem at a place of a file.
    public init(_ file: String, at place: String? = nil, _ problem: String, advice: String? = nil) {
        self.file = file
        self.place = place
        self.problem = problem
        self.advice = advice
    }

    /// A problem at a place of a file.
    public init(_ file: URL, at place: String? = nil, _ problem: String, advice: String? = nil) {
        self.init(file.relativePath, at: place, problem, advice: advice)
    }

    /// One line: file, place, problem, advice.
    public var description: String {
        file + (place.map { ", \($0)" } ?? "") + ": " + problem + (advice.map { "; \($0)" } ?? "")
    }
}
