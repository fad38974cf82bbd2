import Cohort
import Foundation
import Pipeline
import Signals
import Study
import Upload

/// Where a session is recorded: a file, or a run of a study.
struct SessionTarget {
    let file: URL
    let devices: [String]
    private(set) var study: StudyFolder?
    private(set) var name: RunName?

    init(
        study folder: String?, arguments: [String], subject: String?, session: String?, task: String?, run: Int?
    ) throws {
        if let folder {
            let study = try StudyFolder(opening: URL(fileURLWithPath: folder, isDirectory: true))
            guard let subject else { throw Failure.misuse("--study needs --subject") }
            let name = try Self.freeName(study, subject: subject, session: session, task: task, run: run)
            (self.study, self.name, devices) = (study, name, arguments)
            file = study.sourcedata.appendingPathComponent(name.folder).appendingPathComponent(name.stem + ".xdf")
        } else {
            guard let first = arguments.first, first.lowercased().hasSuffix(".xdf") else {
                throw Failure.misuse("name the recording to make first, such as session.xdf, or give --study")
            }
            file = URL(fileURLWithPath: first)
            devices = Array(arguments.dropFirst())
        }
        guard !devices.isEmpty else { throw Failure.misuse("name at least one device: MODEL@PLACE") }
    }

    private static func freeName(
        _ study: StudyFolder, subject: String, session: String?, task: String?, run: Int?
    ) throws -> RunName {
        func named(_ run: Int?) throws -> RunName {
            guard let name = RunName(subject: subject, session: session, task: task, run: run) else {
                throw Failure.misuse("labels are made of letters and digits, and runs are counted from 1")
            }
            return name
        }
        if let run { return try named(run) }
        let taken = Set(try Bookkeeping(study).runs().map(\.name))
        for number in 1...10_000 {
            let name = try named(number)
            let place = study.sourcedata.appendingPathComponent(name.folder).appendingPathComponent(name.stem + ".xdf")
            if !taken.contains(name), !FileManager.default.fileExists(atPath: place.path) { return name }
        }
        throw Failure.nothingDone("sub-\(subject) has ten thousand runs already")
    }

    func makeFolder() throws {
        let folder = file.deletingLastPathComponent()
        guard study != nil else {
            guard FileManager.default.fileExists(atPath: folder.path) else {
                throw Failure.nothingDone("\(folder.relativePath): there is no such folder")
            }
            return
        }
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Notes where the run stands; nothing outside a study.
    func note(_ status: RunStatus) throws {
        guard let study, let name, let path = study.relativePath(of: file) else { return }
        if status == .running { try study.enroll(subject: name.subject) }
        let isWhole = status == .finished || status == .recovered
        try Bookkeeping(study).noteRun(
            name, file: path, sha256: isWhole ? StudyImport.hash(of: file) : nil, status: status, at: .now)
    }

    /// Queues the run's files for the place this study is copied to, if it ever was.
    func queueUpload() throws {
        guard let study, let path = study.relativePath(of: file) else { return }
        let bookkeeping = try Bookkeeping(study)
        guard let remote = try bookkeeping.uploads().last?.remote,
            let run = try bookkeeping.runs().first(where: { $0.file == path })
        else { return }
        try bookkeeping.queueUploads(of: try study.files(of: run), run: run.id, to: remote, at: .now)
        Terminal.note("queued for \(remote): send it with marey upload \(study.root.relativePath)")
    }
}
