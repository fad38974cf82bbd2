import Formats
import Foundation
import Pipeline
public import Study

extension StudyFolder {
    /// The files of a run's results, with their lengths and hashes; paths are relative to `derivatives`.
    func files(of results: ResultFolder) throws -> [ResultFile] {
        struct Named: Decodable { var outputs: [String]? }
        let input = try InputFile(results.provenance)
        let data = try input.read(at: 0, count: input.size)
        let outputs = try JSONDecoder().decode(Named.self, from: Data(data)).outputs ?? []
        let others = [results.provenance, results.report].map(\.lastPathComponent)
            .filter { FileManager.default.fileExists(atPath: results.folder.appendingPathComponent($0).path) }
        let base = derivatives.standardizedFileURL.path + "/"
        return try Set(outputs + others).sorted().map { name in
            let url = results.folder.appendingPathComponent(name, isDirectory: false)
            let hash = try InputHash(of: url)
            let path = url.standardizedFileURL.path
            return ResultFile(
                path: path.hasPrefix(base) ? String(path.dropFirst(base.count)) : path, bytes: hash.bytes,
                sha256: hash.sha256)
        }
    }

    /// Why the results of a run are not up to date; empty where they are.
    /// - Parameters:
    ///   - last: the run's latest analysis.
    ///   - inputs: the hash of the files that it would read now.
    ///   - parameters: the hash of the parameters that it would use now.
    func outdated(_ last: AnalysisRecord, inputs: String, parameters: String) -> [OutdatedCause] {
        let files = last.files.flatMap { try? JSONDecoder().decode([ResultFile].self, from: Data($0.utf8)) }
        return UpToDate.causes(
            made: .init(version: last.version, parametersSHA256: last.parametersHash, inputs: last.inputSHA256),
            wanted: .init(version: MareyVersion.current, parametersSHA256: parameters, inputs: inputs), files: files,
            in: derivatives)
    }

    /// Checks that results are up to date: those that `marey analyze` made of the study's runs, and those of batches in the
    /// study's `derivatives/marey` and in folders that the bookkeeping knows.
    /// - Parameter readsRecordings: whether recordings are read, to find those that have changed since they were analyzed.
    /// - Throws: what SQLite says.
    public func resultFindings(readsRecordings: Bool) throws -> [StudyFinding] {
        let bookkeeping = try Bookkeeping(self)
        let latest = try bookkeeping.latestAnalyses()
        let parameters = try? (parametersFile.map { try Parameters(reading: $0) } ?? Parameters()).hash()
        var findings: [StudyFinding] = []
        for run in try bookkeeping.runs() {
            guard let last = latest[run.id], last.status == .finished else { continue }
            let inputs = readsRecordings ? try? EditChoice.beside.hash(of: root.appendingPathComponent(run.file)) : nil
            let causes = outdated(
                last, inputs: inputs ?? last.inputSHA256, parameters: parameters ?? last.parametersHash)
            findings += causes.map {
                finding($0, of: run.name.folder + "/" + run.name.stem, in: derivatives, Self.again)
            }
        }
        let folders = [derivatives] + (try bookkeeping.outputs()).map { URL(fileURLWithPath: $0, isDirectory: true) }
        for folder in folders.map(BatchFolder.init) where folder.exists {
            for stem in folder.present() {
                guard let marker = folder.marker(stem), !marker.isPassing else { continue }
                let causes = UpToDate.changes(
                    of: marker.outputs, in: folder.root, sealed: UpToDate.changeTime(of: folder.doneFile(stem)))
                findings += causes.map { finding($0, of: stem, in: folder.root, Self.batchAgain) }
            }
        }
        var seen: Set<String> = []
        return findings.filter { seen.insert($0.path).inserted } + (try sameBytes(bookkeeping.runs()))
    }

    private static let again = "analyze the study again: marey analyze STUDY"
    private static let batchAgain = "run the batch again, participant level"

    private func finding(_ cause: OutdatedCause, of results: String, in folder: URL, _ advice: String) -> StudyFinding {
        let url = folder.appendingPathComponent(cause.file ?? results, isDirectory: false)
        return StudyFinding(
            severity: cause.file == nil ? .warning : .error, path: relativePath(of: url) ?? url.path,
            problem: "\(cause.file == nil ? "results are not up to date: " : "")\(cause); \(advice)")
    }

    /// Runs whose recordings hold the same bytes.
    private func sameBytes(_ runs: [RunRecord]) -> [StudyFinding] {
        let groups = Dictionary(grouping: runs.filter { $0.sha256 != nil }) { $0.sha256 ?? "" }.values
        return groups.filter { $0.count > 1 }.map { $0.sorted { $0.file < $1.file } }.sorted { $0[0].file < $1[0].file }
            .map { runs in
                StudyFinding(
                    severity: .warning, path: runs[0].file,
                    problem: "holds the same bytes as \(Listing.text(runs.dropFirst().map(\.file)))")
            }
    }

    /// The runs whose recordings hold the same bytes as a recording of the study.
    /// - Parameter path: the recording, relative to the study.
    /// - Throws: what SQLite says.
    public func copies(of path: String) throws -> [String] {
        let runs = try Bookkeeping(self).runs()
        guard let own = runs.first(where: { $0.file == path })?.sha256 else { return [] }
        return runs.filter { $0.file != path && $0.sha256 == own }.map(\.file).sorted()
    }
}
