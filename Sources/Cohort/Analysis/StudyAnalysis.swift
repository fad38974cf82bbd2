import Formats
import Foundation
public import Pipeline
public import Signals
public import Study

/// Analyzes the runs of a study that need it.
public struct StudyAnalysis {
    /// What there is to say while the runs are analyzed.
    public enum Message {
        /// The analysis of a run has come this far, 0…1.
        case progress(RunName, Double)
        /// A run needs no analysis.
        case unchanged(RunName)
        /// A run was analyzed; a few lines for people.
        case finished(RunName, String)
        /// A run could not be analyzed.
        case failed(RunName, any Error)
    }

    /// The study.
    public var study: StudyFolder
    /// How its runs are analyzed.
    public var parameters: Parameters
    /// Where a person's edits to the beats are.
    public var edits: EditChoice
    /// Whether runs are analyzed again where nothing changed.
    public var force: Bool
    /// Whether a run whose session is just being ended is analyzed, too: for the one that ends it.
    public var takesFinishing = false
    /// What time it is.
    public var now: () -> Timestamp
    /// Where messages go.
    public var tell: (Message) -> Void

    /// The time the machine's clock shows.
    public static func thisMoment() -> Timestamp { Timestamp(secondsSince1970: Date().timeIntervalSince1970) }

    /// The analysis of `study`.
    public init(
        study: StudyFolder, parameters: Parameters, edits: EditChoice = .beside, force: Bool = false,
        now: @escaping () -> Timestamp = StudyAnalysis.thisMoment, tell: @escaping (Message) -> Void = { _ in }
    ) {
        self.study = study
        self.parameters = parameters
        self.edits = edits
        self.force = force
        self.now = now
        self.tell = tell
    }

    /// Analyzes all runs, or only the one of this name. Runs that are still being recorded, or were torn and not
    /// recovered, are left alone; of those that are erased meanwhile nothing is written.
    /// - Returns: how many runs there are and how many of them failed, each of which was told.
    /// - Throws: `StudyError` when the bookkeeping cannot be used.
    public func run(only name: RunName? = nil) throws -> (failed: Int, all: Int) {
        let bookkeeping = try Bookkeeping(study)
        let whole: Set<RunStatus> = takesFinishing ? [.finishing, .finished, .recovered] : [.finished, .recovered]
        let runs = try bookkeeping.runs().filter { whole.contains($0.status) && (name == nil || $0.name == name) }
        let latest = try bookkeeping.latestAnalyses()
        let parametersHash = try parameters.hash()
        var failed = 0
        for run in runs {
            do {
                try demandThere(run, bookkeeping)
                let hash = try hash(of: study.root.appendingPathComponent(run.file))
                if !force, let last = latest[run.id], last.status == .finished,
                    study.outdated(last, inputs: hash, parameters: parametersHash).isEmpty
                {
                    tell(.unchanged(run.name))
                    continue
                }
                try analyze(run, inputHash: hash, parametersHash: parametersHash, bookkeeping)
            } catch {
                tell(.failed(run.name, error))
                failed += 1
            }
        }
        return (failed, runs.count)
    }

    /// Whoever was erased since the runs were listed must not come back.
    private func demandThere(_ run: RunRecord, _ bookkeeping: Bookkeeping) throws {
        guard try bookkeeping.hasRun(run.id) else { throw StudyError.erasedMeanwhile(in: study) }
    }

    /// One hash over a recording, the table of its channels and the edits to its beats.
    private func hash(of recording: URL) throws -> String { try edits.hash(of: recording) }

    private func results(of run: RunRecord) -> ResultFolder {
        ResultFolder(study.derivatives.appendingPathComponent(run.name.folder), stem: run.name.stem)
    }

    private func analyze(_ run: RunRecord, inputHash: String, parametersHash: String, _ bookkeeping: Bookkeeping) throws
    {
        let id = try bookkeeping.beginAnalysis(
            ofRun: run.id, version: MareyVersion.current,
            parameters: String(decoding: parameters.json(), as: UTF8.self), parametersHash: parametersHash,
            inputSHA256: inputHash, at: now())
        do {
            var analysis = AnalysisRun(
                input: study.root.appendingPathComponent(run.file), parameters: parameters, results: results(of: run),
                edits: edits)
            analysis.title = run.name.stem
            if let plan = try PredictionPlan(beside: analysis.input) {
                analysis.predictions = try plan.request(in: study)
            }
            analysis.progress = { tell(.progress(run.name, $0)) }
            analysis.placing = { place in
                try study.writingResults {
                    try demandThere(run, bookkeeping)
                    try place()
                }
            }
            tell(.finished(run.name, try analysis.perform()))
            let files = try study.files(of: analysis.results)
            try bookkeeping.endAnalysis(
                id, status: .finished, message: nil, files: try StableJSON.text(files), at: now())
        } catch {
            try bookkeeping.endAnalysis(id, status: .failed, message: "\(error)", at: now())
            throw error
        }
    }
}
