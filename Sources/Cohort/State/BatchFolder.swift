import Formats
public import Foundation
import Pipeline
public import Study

/// The output folder of a batch: results as BIDS derivatives, a log per recording under `logs`, and under
/// `.marey/batch` a few small files per recording that say where it stands. Whoever can read the folder can tell;
/// there is no database.
public struct BatchFolder: Sendable {
    /// The output folder.
    public let root: URL

    /// The batch in `root`.
    public init(_ root: URL) {
        self.root = root
    }

    private static let parts = ["units", "done", "failed", "locks", "partial", "parameters"]

    /// Makes what is missing of the folder.
    /// - Parameter name: what the results are derived from.
    /// - Throws: `CohortError` when it cannot be written.
    public func make(derivedFrom name: String) throws {
        for part in Self.parts.map({ ".marey/batch/" + $0 }) + ["logs"] {
            try CohortFolder.make(root.appendingPathComponent(part), named: root)
        }
        Self.spreadFolders(in: state("partial"))
        do {
            try ignore()
            let description = root.appendingPathComponent("dataset_description.json", isDirectory: false)
            if access(description.path, F_OK) != 0 {
                let content = DatasetDescription(derivativeOf: name, version: MareyVersion.current)
                try writeAtomically(Array(content.json()), to: description)
            }
        } catch { throw CohortError(root, "cannot be written: \(error)") }
    }

    /// Whether a batch was ever begun here.
    public var exists: Bool { FileManager.default.fileExists(atPath: state("units").path) }

    /// What is to be done with a recording.
    func planFile(_ stem: String) -> URL { state("units/\(stem).json") }
    /// Says that its results are complete.
    func doneFile(_ stem: String) -> URL { state("done/\(stem).json") }
    /// Says why it has none.
    func failedFile(_ stem: String) -> URL { state("failed/\(stem).json") }
    /// Says who is at it.
    func lockFile(_ stem: String) -> URL { state("locks/\(stem).lock") }
    /// Where results are written until they are complete.
    func partialFolder(_ stem: String) -> URL {
        root.appendingPathComponent(".marey/batch/partial/\(stem).\(getpid())", isDirectory: true)
    }
    /// What the worker of this number of this process says when it goes down.
    func messages(_ number: Int) -> URL {
        state("partial/.\(ProcessIdentity.thisPlace).\(getpid()).\(number).messages")
    }
    /// The log of a recording.
    public func log(_ stem: String) -> URL { root.appendingPathComponent("logs/\(stem).log", isDirectory: false) }

    /// The stems of all recordings that were ever planned, in order.
    public func stems() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: state("units").path)) ?? []
        return names.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.map { String($0.dropLast(5)) }.sorted()
    }

    /// What is to be done with a recording; nil when nobody planned it.
    public func plan(_ stem: String) -> UnitPlan? { StateFile.read(from: planFile(stem)) }

    /// What is, or was, to be done with a recording: where its plan is damaged, what its results or its failure came of.
    func latestPlan(_ stem: String) -> UnitPlan? { plan(stem) ?? marker(stem)?.plan ?? failure(stem)?.plan }

    /// What was done with a recording; nil when it is not done.
    public func marker(_ stem: String) -> DoneMarker? { StateFile.read(from: doneFile(stem)) }

    /// Why a recording failed; nil when it did not.
    public func failure(_ stem: String) -> FailureRecord? { StateFile.read(from: failedFile(stem)) }

    /// Who is at a recording; nil when nobody is.
    public func lock(_ stem: String) -> WorkLock? { WorkLock(at: lockFile(stem)) }

    /// Takes the lock of a recording, over from a dead holder if need be.
    /// - Returns: whether it is ours now.
    /// - Throws: `CohortError` when it cannot be made.
    func takeLock(_ stem: String) throws -> Bool {
        do { return try WorkLock.take(lockFile(stem), job: Slurm.task) } catch let error as StudyError {
            throw CohortError("\(error)")
        }
    }

    /// Where the work on a recording stands.
    public func state(of plan: UnitPlan) -> UnitState { stateAndMarker(of: plan).state }

    /// Where the work on a recording stands, and what was done where it is done.
    func stateAndMarker(of plan: UnitPlan) -> (state: UnitState, marker: DoneMarker?) {
        let stem = plan.unit.stem
        if access(lockFile(stem).path, F_OK) == 0 {
            if !WorkLock.isLost(lockFile(stem)) { return (.running, nil) }
            // Dead, but perhaps only after all was done.
            return currentMarker(plan).map { (.done, $0) } ?? (.lost, nil)
        }
        if let marker = currentMarker(plan) { return (.done, marker) }
        if let failed = failure(stem)?.plan, failed.serves(plan) || plan.serves(failed) { return (.failed, nil) }
        return (refusal(of: stem) == nil ? .pending : .unreadable, nil)
    }

    /// What was done, where it is what is planned and all is there.
    private func currentMarker(_ plan: UnitPlan) -> DoneMarker? {
        marker(plan.unit.stem).flatMap { $0.isCurrent(for: plan, in: self) ? $0 : nil }
    }

    /// Keeps parameters under their hash for whoever computes.
    func keep(_ parameters: Parameters) throws -> String {
        let hash = try parameters.hash()
        let url = state("parameters/\(hash).json")
        if !FileManager.default.fileExists(atPath: url.path) { try writeAtomically(Array(parameters.json()), to: url) }
        return hash
    }

    /// The parameters of this hash.
    func parameters(_ hash: String) throws -> Parameters {
        let url = state("parameters/\(hash).json")
        let text = FileManager.default.contents(atPath: url.path).map(Array.init) ?? []
        guard InputHash.sha256(of: text) == hash, let parameters = try? Parameters(json: text) else {
            throw CohortError(url, "is missing or damaged", advice: "plan again with: marey batch")
        }
        return parameters
    }

    func state(_ path: String) -> URL { root.appendingPathComponent(".marey/batch/" + path, isDirectory: false) }

    /// Says what BIDS does not describe, below what others say so of.
    private func ignore() throws {
        let url = root.appendingPathComponent(".bidsignore")
        var text = String(decoding: FileManager.default.contents(atPath: url.path) ?? Data(), as: UTF8.self)
        let known = Set(text.split(whereSeparator: \.isNewline).map(String.init))
        let missing = Self.ignored.filter { !known.contains($0) }
        // Several may begin at once.
        if missing.isEmpty { return }
        if !text.isEmpty, text.last?.isNewline == false { text += "\n" }
        try writeAtomically(Array((text + missing.map { $0 + "\n" }.joined()).utf8), to: url)
    }

    private static let ignored = [".marey/", "logs/", "group/", "*_report.html", "*_participant.html"]
}
