import Formats
import Foundation
import Pipeline
import Study

/// Why a recording of a batch has no results.
public struct FailureRecord: Hashable, Codable, Sendable, Error {
    /// What kind of failure it is.
    public enum Class: String, Codable, CaseIterable, Sendable {
        /// The recording cannot be read: missing, damaged, or of no readable format.
        case unreadable
        /// It can be read, but holds nothing that can be computed, or not with these parameters.
        case notAnalyzable
        /// It needs more memory than it may have.
        case memory
        /// It brought the program down.
        case crashed
        /// Whoever computed it was ended from outside, three times over.
        case killed
        /// It was changed while it was being read.
        case changed
        /// This machine lacked what it takes, such as memory for a library; nothing is wrong with the recording.
        case environment
        /// Its results could not be written; nothing is wrong with the recording.
        case output
        /// Anything else.
        case other
    }

    /// What was to be done.
    public var plan: UnitPlan
    /// What kind of failure it is.
    public var kind: Class
    /// What went wrong and what to do about it.
    public var message: String
    /// The file and the place in it; nil when that is not known.
    public var place: String?
    /// The type of the error, for bug reports.
    public var type: String
    /// The bytes it could have, where it needed more.
    public var memoryLimit: Int?
    /// Whether one of its files was not there, or could not be opened by us: that may change without any mark on the file.
    public var isOutOfReach: Bool?

    /// A failure of this kind.
    public init(_ plan: UnitPlan, _ kind: Class, _ message: String, place: String? = nil, type: String = "") {
        self.plan = plan
        self.kind = kind
        self.message = message
        self.place = place
        self.type = type
    }

    /// What `error` means for a recording.
    /// - Parameter partial: the name of the folder that results were being written into.
    init(_ plan: UnitPlan, _ error: any Error, writingTo partial: String) {
        let type = String(describing: Swift.type(of: error))
        switch error {
        case let failure as FailureRecord: self = failure
        case let error as FormatError where error.file.contains(partial):
            self.init(plan, .output, error.description, place: nil, type: type)
        case var error as FormatError:
            error.file = plan.relative(error.file)
            let place = ([error.file] + (error.place.map { [$0] } ?? [])).joined(separator: ", ")
            self.init(plan, .unreadable, error.description, place: place, type: type)
            if Self.isOutOfReach(plan) { isOutOfReach = true }
        case let error as PipelineError:
            self.init(plan, .notAnalyzable, error.description, place: plan.unit.recording, type: type)
        case let error as CohortError:
            self.init(plan, .output, error.description, type: type)
        default:
            self.init(plan, .other, "\(error)", place: plan.unit.recording, type: type)
        }
    }

    /// Whether trying again makes sense although the recording and its parameters are the same.
    /// - Parameter memoryLimit: the bytes it could have now; nil: no limit.
    public func isPassing(memoryLimit limit: Int? = nil) -> Bool {
        switch kind {
        case .output, .changed, .killed, .environment: true
        case .memory: limit.map { $0 > memoryLimit ?? 0 } ?? true
        case .unreadable, .notAnalyzable, .crashed, .other: isOutOfReach ?? false
        }
    }

    private static func isOutOfReach(_ plan: UnitPlan) -> Bool {
        let dataset = URL(fileURLWithPath: plan.dataset, isDirectory: true)
        return ([plan.unit.recording] + plan.unit.files.map(\.path)).contains {
            access(URL(fileURLWithPath: $0, relativeTo: dataset).path, R_OK) != 0
        }
    }
}
