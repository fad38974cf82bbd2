public import Foundation
import Signals

/// Something a study check found.
public struct StudyFinding: Hashable, Codable, Sendable, CustomStringConvertible {
    /// How bad it is.
    public enum Severity: String, Codable, Sendable {
        /// Results cannot be trusted or reached.
        case error
        /// Worth a look.
        case warning
    }

    /// How bad it is.
    public var severity: Severity
    /// The file or folder, relative to the study.
    public var path: String
    /// What is wrong and what to do.
    public var problem: String

    /// A finding about a file or folder of the study.
    public init(severity: Severity, path: String, problem: String) {
        (self.severity, self.path, self.problem) = (severity, path, problem)
    }

    /// What it says of itself, for people.
    public var description: String { "\(severity.rawValue)\t\(path)\t\(problem)" }
}

extension StudyFolder {
    /// Checks the study's layout, its bookkeeping, and that every noted file is there and unchanged.
    /// - Parameter hash: the SHA-256 of a recording in hexadecimal; nil leaves contents unchecked.
    public func findings(hash: ((URL) throws -> String)? = nil) throws -> [StudyFinding] {
        var findings = layoutFindings() + participantFindings() + leftoverFindings()
        let bookkeeping = try Bookkeeping(self)
        findings += try bookkeeping.integrityProblems().map {
            StudyFinding(severity: .error, path: ".marey/study.sqlite", problem: $0)
        }
        let runs = try bookkeeping.runs()
        findings += unnotedFindings(runs)
        for run in runs {
            let url = root.appendingPathComponent(run.file)
            if let problem = Self.problem(reaching: url, toRead: hash != nil && run.sha256 != nil) {
                findings.append(.init(severity: .error, path: run.file, problem: problem))
                continue
            }
            if isInterrupted(run) {
                findings.append(.init(severity: .warning, path: run.file, problem: Self.interruption))
            }
            if let hash, let noted = run.sha256, try hash(url) != noted {
                findings.append(
                    .init(
                        severity: .error, path: run.file, problem: "has changed since it was noted; raw data must not"))
            }
        }
        return findings
    }

    /// Why a recording that is noted cannot be had; nil where it can.
    private static func problem(reaching url: URL, toRead: Bool) -> String? {
        if access(url.path, toRead ? R_OK : F_OK) == 0 { return nil }
        let cause = errno
        if [ENOENT, ENOTDIR].contains(cause) { return "is noted as a run but is not there" }
        let isRight = [EACCES, EPERM].contains(cause)
        return "is noted as a run but cannot be read: \(String(cString: strerror(cause)))"
            + (isRight ? "; ask the owner of the file and its folders for permission to read it" : "")
    }

    private static let interruption =
        "was not ended, its program was stopped: repair and note it with marey recover --in-place, then analyze"

    /// The runs that nobody is recording any more and that were never ended.
    /// - Throws: what SQLite says.
    public func interruptedRuns() throws -> [RunRecord] {
        try Bookkeeping(self).runs().filter(isInterrupted)
    }

    /// Whether nobody is recording a run any more and it was never ended.
    public func isInterrupted(_ run: RunRecord) -> Bool {
        [.running, .finishing].contains(run.status)
            && !RecordingLock.isHeld(on: root.appendingPathComponent(run.file))
    }

    private func layoutFindings() -> [StudyFinding] {
        var findings: [StudyFinding] = []
        for path in ["dataset_description.json", "derivatives/marey/dataset_description.json"] {
            let url = root.appendingPathComponent(path)
            let object = (try? Data(contentsOf: url)).flatMap { try? JSONSerialization.jsonObject(with: $0) }
            guard let fields = object as? [String: Any] else {
                findings.append(.init(severity: .error, path: path, problem: "is missing or not a JSON object"))
                continue
            }
            for field in ["Name", "BIDSVersion"] where !(fields[field] is String) {
                findings.append(.init(severity: .error, path: path, problem: "lacks the field \(field)"))
            }
        }
        return findings
    }

    private func participantFindings() -> [StudyFinding] {
        let table: ParticipantTable?
        do { table = try participantTable() } catch {
            let problem = ErasureReceipt.problem(error)
            return [.init(severity: .error, path: "participants.tsv", problem: problem)]
        }
        guard let table else {
            return [.init(severity: .error, path: "participants.tsv", problem: "is missing or empty")]
        }
        guard table.column == 0, table.heading == "participant_id" else {
            return [.init(severity: .error, path: "participants.tsv", problem: "first column is not participant_id")]
        }
        let listed = table.labels
        var findings: [StudyFinding] = []
        for subject in Set(listed).sorted() where listed.filter({ $0 == subject }).count > 1 {
            findings.append(
                .init(severity: .error, path: "participants.tsv", problem: "lists \(subject) more than once"))
        }
        for name in listed where RunName(subject: name) == nil || !name.hasPrefix("sub-") {
            findings.append(
                .init(severity: .error, path: "participants.tsv", problem: "'\(name)' is not sub-<letters and digits>"))
        }
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: sourcedata.path)) ?? []
        for folder in folders.sorted() where folder.hasPrefix("sub-") && !listed.contains(folder) {
            findings.append(
                .init(severity: .warning, path: "sourcedata/\(folder)", problem: "is not listed in participants.tsv"))
        }
        return findings
    }

    /// Temporary files that an interrupted write left behind.
    private func leftoverFindings() -> [StudyFinding] {
        let paths = FileManager.default.enumerator(atPath: root.path)
        var findings: [StudyFinding] = []
        while let path = paths?.nextObject() as? String {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            if name.hasPrefix("."), name.hasSuffix(".partial") {
                findings.append(
                    .init(
                        severity: .warning, path: path, problem: "was left by an interrupted write; it can be deleted"))
            }
        }
        return findings
    }
}
