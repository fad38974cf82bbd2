import Formats
import Foundation
import Pipeline
import Signals
import Study

/// Computes one recording of a batch: takes its lock, writes its results beside their final place, moves them there,
/// and only then says that it is done.
public struct UnitRun {
    /// How it went.
    public enum Outcome: String, Sendable {
        /// Computed now.
        case done
        /// Nothing had changed after all.
        case unchanged
        /// Someone else is at it.
        case busy
        /// Its plan is gone, as where the person was erased meanwhile, or says nothing: it is left alone.
        case withdrawn
        /// It could not be done; its `FailureRecord` says why.
        case failed
    }

    /// The batch.
    public var folder: BatchFolder
    /// Called with the work that begins, once its lock is held, and with nil when it is over.
    var holding: (UnitPlan?) -> Void = { _ in }
    /// Runs what brings the work to its end, its marker or its failure. Whoever ends the process from beside, and takes
    /// half-made results away, waits for it; from then on it does not run any more.
    var concluding: (() throws -> Void) throws -> Void = { try $0() }
    /// Takes what there is to tell of the tables that are written; nil: nothing is told.
    public var series: ToldSeries?
    /// Makes the descriptions of columns, from those that are declared. Nothing but the descriptions may depend on it.
    package var describing: @Sendable (String) -> String = { $0 }
    private let parameters = KeptParameters()
    private let tables: ResultTables

    /// Work on the batch in `folder`.
    public init(_ folder: BatchFolder) {
        self.folder = folder
        tables = ResultTables(folder)
    }

    /// Does what is planned for the recording `stem`; what goes wrong with it is noted in the folder.
    /// - Throws: `CohortError` when the folder cannot be written.
    public func perform(_ stem: String) throws -> Outcome {
        guard let plan = folder.plan(stem) else { return .withdrawn }
        let lock = folder.lockFile(stem)
        guard try folder.takeLock(stem) else { return .busy }
        holding(plan)
        defer {
            holding(nil)
            WorkLock.release(lock)
        }
        let earlier = folder.marker(stem)
        if let earlier, earlier.isCurrent(for: plan, in: folder) { return .unchanged }
        var log = UnitLog(folder.log(stem))
        log.begin(plan)
        do {
            let outcome = try compute(plan, earlier, &log)
            unlink(folder.failedFile(stem).path)
            return outcome
        } catch {
            let failure = FailureRecord(plan, error, writingTo: folder.partialFolder(stem).lastPathComponent)
            try concluding {
                log.add("failed (\(failure.kind.rawValue)): \(failure.message)")
                try folder.note(failure)
            }
            return .failed
        }
    }

    private func compute(_ plan: UnitPlan, _ earlier: DoneMarker?, _ log: inout UnitLog) throws -> Outcome {
        let stem = plan.unit.stem
        let dataset = URL(fileURLWithPath: plan.dataset, isDirectory: true)
        guard plan.version == MareyVersion.current else {
            throw CohortError(
                "\(stem) was planned by version \(plan.version), this is \(MareyVersion.current)", advice: "plan again")
        }
        let files = plan.unit.files.map { URL(fileURLWithPath: $0.path, relativeTo: dataset) }
        let inputs = try files.map(InputHash.init(of:))
        try demandUnchanged(plan, dataset)
        let key = try plan.key(inputs)
        if try renew(earlier, for: plan, key: key) {
            log.add("nothing changed")
            return .unchanged
        }
        let partial = folder.partialFolder(stem)
        try Publication.begin(partial)
        // Where all went well it is there no more.
        defer { if access(partial.path, F_OK) == 0 { try? FileManager.default.removeItem(at: partial) } }
        var run = try analysis(of: plan, dataset, into: partial)
        // The stamps of the files tell whether they were written to in between.
        run.hashes = Dictionary(
            zip(files.map(\.absoluteURL.standardizedFileURL), inputs), uniquingKeysWith: { first, _ in first })
        let tells = series != nil
        let scratch = ScratchFolder(
            partial, hash: { ContentHash() },
            keepsTable: { tells && $0.hasSuffix(".tsv") && !$0.hasSuffix("_events.tsv") })
        let summary = try scratch.fill { try run.perform() }
        // The report moves on in a moment.
        log.add(summary.split(separator: "\n").filter { !$0.hasPrefix("  report: ") }.joined(separator: "\n"))
        try demandUnchanged(plan, dataset)
        var marker: DoneMarker?
        try concluding {
            marker = try Publication(folder, plan, key: key, inputs: inputs.map(\.sha256), earlier: earlier).publish(
                partial, scratch)
        }
        if let series, let marker, let line = try? tables.telling(marker, { scratch.content($0)?.table }) {
            series.add(line, of: stem)
        }
        log.end()
        return .done
    }

    /// Whether what a marker pins is what the plan asks for, to the byte: the marker is then one of this plan.
    private func renew(_ marker: DoneMarker?, for plan: UnitPlan, key: String) throws -> Bool {
        guard var marker, marker.key == key, marker.isIntact(in: folder.root) else { return false }
        marker.plan = plan
        try StateFile.write(marker, to: folder.doneFile(plan.unit.stem), isSynced: false)
        return true
    }

    /// Takes a recording for done whose files have other dates than when its results were made, but the same content.
    /// - Returns: whether it is done.
    /// - Throws: `CohortError` when the folder cannot be written.
    func confirm(_ plan: UnitPlan) throws -> Bool {
        let stem = plan.unit.stem
        guard let marker = folder.marker(stem), try folder.takeLock(stem) else { return false }
        defer { WorkLock.release(folder.lockFile(stem)) }
        guard let renewed = folder.renewed(marker, for: plan) else { return false }
        try StateFile.write(renewed, to: folder.doneFile(stem))
        try StateFile.write(renewed.plan, to: folder.planFile(stem))
        return true
    }

    private func analysis(of plan: UnitPlan, _ dataset: URL, into partial: URL) throws -> AnalysisRun {
        // Relative, so that results and messages are the same wherever the data set lies.
        let input = URL(fileURLWithPath: plan.unit.recording, relativeTo: dataset)
        var run = AnalysisRun(
            input: input, parameters: try parameters.value(of: plan.parametersSHA256, in: folder),
            results: ResultFolder(partial, stem: plan.unit.stem), edits: .beside)
        run.results.describing = describing
        run.parametersHash = plan.parametersSHA256
        run.title = plan.unit.stem
        run.adviceOnKinds =
            "see marey info; what columns of text and of BIDS physio are can be told in study.yaml "
            + "(cohort: { recordings: …, columns: { columns: [{ column: NAME, kind: ecg }] } }), in other files it is told "
            + "by the channels' names"
        run.writesReport = plan.hasReport
        if let columns = plan.unit.columns { run.open = { try RecordingFile.open($0, columnsOfText: columns) } }
        return run
    }

    private func demandUnchanged(_ plan: UnitPlan, _ dataset: URL) throws {
        for file in plan.unit.files where FileStamp(file.path, in: dataset) != file {
            throw FailureRecord(
                plan, .changed, "\(file.path): has changed since the batch was planned; run the batch again",
                place: file.path)
        }
    }
}

extension BatchFolder {
    /// Says why a recording has no results.
    func note(_ failure: FailureRecord) throws {
        let stem = failure.plan.unit.stem
        try StateFile.write(failure, to: failedFile(stem))
    }
}
