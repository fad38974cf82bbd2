import Cohort
public import Foundation
import Pipeline
public import Signals
public import Study
import Upload

/// Where a session is recorded: a file, or a run of a study.
public struct SessionTarget: Sendable {
    /// The recording to make.
    public let file: URL
    /// The study it belongs to; nil for a file of its own.
    public let study: StudyFolder?
    /// The run it becomes; nil for a file of its own.
    public let name: RunName?
    /// Whether nobody chose the run's number.
    private let isNumbered: Bool

    /// A file of its own.
    public init(file: URL) {
        (self.file, study, name, isNumbered) = (file, nil, nil, false)
    }

    /// A run of a study.
    /// - Parameter run: the run's number; nil: the next free one.
    /// - Throws: `SessionRefusal` when a label is none or there is no free run; `StudyError`.
    public init(
        study: StudyFolder, subject: String, session: String? = nil, task: String? = nil, run: Int? = nil
    ) throws {
        let name = try Self.freeName(study, subject: subject, session: session, task: task, run: run)
        (self.study, self.name, isNumbered) = (study, name, run == nil)
        file = Self.place(of: name, in: study)
    }

    /// The next free run after this one, where the number was not chosen by anybody; nil where it was, and for a file
    /// of its own.
    func next() throws -> SessionTarget? {
        guard isNumbered, let study, let name else { return nil }
        return try SessionTarget(following: name, in: study)
    }

    private init(following last: RunName, in study: StudyFolder) throws {
        let name = try Self.freeName(
            study, subject: last.subject, session: last.session, task: last.task, run: nil, after: last.run ?? 0)
        (self.study, self.name, isNumbered) = (study, name, true)
        file = Self.place(of: name, in: study)
    }

    private static func place(of name: RunName, in study: StudyFolder) -> URL {
        study.sourcedata.appendingPathComponent(name.folder).appendingPathComponent(name.stem + ".xdf")
    }

    private static func freeName(
        _ study: StudyFolder, subject: String, session: String?, task: String?, run: Int?, after last: Int = 0
    ) throws -> RunName {
        func named(_ run: Int?) throws -> RunName {
            guard let name = RunName(subject: subject, session: session, task: task, run: run) else {
                throw SessionRefusal.misuse(
                    RunName.problem(subject: subject, session: session, task: task, run: run)
                        ?? "these labels name no run")
            }
            return name
        }
        if let run {
            let name = try named(run)
            if let path = study.relativePath(of: place(of: name, in: study)) { try study.demandFree(name, for: path) }
            return name
        }
        let taken = Set(try Bookkeeping(study).runs().map(\.name))
        for number in 1...10_000 where number > last {
            let name = try named(number)
            if !taken.contains(name), study.recordings(named: name).isEmpty {
                return name
            }
        }
        throw SessionRefusal.unavailable("sub-\(subject) has ten thousand runs already")
    }

    /// Makes the folder of a study's run; that of a file of its own must be there.
    /// - Throws: `SessionRefusal` when it is not, or what keeps the folder from being made.
    public func makeFolder() throws {
        let folder = file.deletingLastPathComponent()
        guard study != nil else {
            guard FileManager.default.fileExists(atPath: folder.path) else {
                throw SessionRefusal.unavailable("\(folder.relativePath): there is no such folder")
            }
            return
        }
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Notes where the run stands.
    /// - Parameter message: why it failed.
    /// - Returns: the run's row id; nil outside a study.
    @discardableResult
    public func note(_ status: RunStatus, because message: String? = nil, at now: Timestamp) throws -> Int64? {
        guard let study, let name, let path = study.relativePath(of: file) else { return nil }
        if status == .running { try study.enroll(subject: name.subject) }
        let isWhole = status == .finished || status == .recovered
        return try Bookkeeping(study).noteRun(
            name, file: path, sha256: isWhole ? StudyImport.hash(of: file) : nil, status: status, message: message,
            at: now)
    }

    /// Queues the run's files for the place this study is copied to, if it ever was.
    /// - Returns: that place; nil when there is none.
    public func queueUpload(at now: Timestamp) throws -> String? {
        guard let study, let path = study.relativePath(of: file) else { return nil }
        let bookkeeping = try Bookkeeping(study)
        guard let remote = try bookkeeping.uploadDestination(),
            let run = try bookkeeping.runs().first(where: { $0.file == path })
        else { return nil }
        try bookkeeping.queueUploads(of: try study.files(of: run), run: run.id, to: remote, at: now)
        return remote
    }
}
