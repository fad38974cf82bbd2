import Formats
import Foundation
import Pipeline
import Signals
import Study

/// Analyzes the runs of a study that need it.
struct StudyAnalysis {
    var study: StudyFolder
    var parameters: Parameters
    var edits: EditOptions?
    var force: Bool

    /// Analyzes all runs, or only the one of this name. Runs that are still being recorded, or were torn and not
    /// recovered, are left alone.
    func run(only name: RunName? = nil) throws {
        let bookkeeping = try Bookkeeping(study)
        let whole: Set<RunStatus> = [.finished, .recovered]
        let runs = try bookkeeping.runs().filter { whole.contains($0.status) && (name == nil || $0.name == name) }
        guard !runs.isEmpty else {
            throw Failure.nothingDone(
                "\(study.root.relativePath): has no runs; add one with: marey study add \(study.root.relativePath) FILE --subject 01"
            )
        }
        let latest = try bookkeeping.latestAnalyses()
        let parametersHash = try parameters.hash()
        var failed = 0
        for run in runs {
            do {
                let hash = try hash(of: study.root.appendingPathComponent(run.file))
                if !force, let last = latest[run.id], isCurrent(last, hash, parametersHash, run) {
                    print("\(run.name): nothing changed")
                    continue
                }
                try analyze(run, inputHash: hash, parametersHash: parametersHash, bookkeeping)
            } catch {
                Terminal.complain("\(run.name): \(error)")
                failed += 1
            }
        }
        if let failure = Failure.inputs(failed: failed, of: runs.count) { throw failure }
    }

    /// One hash over a recording and the edits to its beats.
    private func hash(of recording: URL) throws -> String {
        let files = try RecordingFile.files(of: recording) + (editsFile(for: recording).map { [$0] } ?? [])
        return InputHash.combined(try files.map(InputHash.init(of:)))
    }

    private func editsFile(for recording: URL) -> URL? {
        if let edits { edits.file(for: recording) } else { BeatEditsFile.found(beside: recording) }
    }

    private func isCurrent(_ last: AnalysisRecord, _ hash: String, _ parametersHash: String, _ run: RunRecord) -> Bool {
        last.status == .finished && last.version == MareyVersion.current && last.inputSHA256 == hash
            && last.parametersHash == parametersHash
            && FileManager.default.fileExists(atPath: results(of: run).provenance.path)
    }

    private func results(of run: RunRecord) -> ResultFolder {
        ResultFolder(study.derivatives.appendingPathComponent(run.name.folder), stem: run.name.stem)
    }

    private func analyze(_ run: RunRecord, inputHash: String, parametersHash: String, _ bookkeeping: Bookkeeping) throws
    {
        let id = try bookkeeping.beginAnalysis(
            ofRun: run.id, version: MareyVersion.current,
            parameters: String(decoding: parameters.json(), as: UTF8.self), parametersHash: parametersHash,
            inputSHA256: inputHash, at: .now)
        do {
            var analysis = AnalysisRun(
                input: study.root.appendingPathComponent(run.file), parameters: parameters, results: results(of: run))
            analysis.title = run.name.stem
            analysis.edits = edits
            print(try analysis.perform(title: run.name.stem))
            try bookkeeping.endAnalysis(id, status: .finished, message: nil, at: .now)
        } catch {
            try bookkeeping.endAnalysis(id, status: .failed, message: "\(error)", at: .now)
            throw error
        }
    }
}
