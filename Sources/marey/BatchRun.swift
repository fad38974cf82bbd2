import ArgumentParser
import Cohort
import Foundation
import Pipeline
import Signals

struct BatchRun: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Compute what needs computing (the default).")

    @Argument(help: "The data set.")
    var dataset: String

    @Argument(help: "The folder for the results.")
    var output: String

    @Argument(help: "participant: every recording by itself; group: tables over all of them.")
    var level: BatchLevel

    @OptionGroup var selection: BatchSelection
    @OptionGroup var machine: BatchMachine
    @OptionGroup var cluster: BatchCluster
    @OptionGroup var parameters: ParameterOptions

    @Flag(help: "Try again what failed before.")
    var retryFailed = false

    @Flag(
        inversion: .prefixedNo,
        help: "Write a page for every recording and, with the group's tables, for every participant.")
    var reports = true

    @Flag(help: "participant: write the group's tables afterwards.")
    var thenGroup = false

    @Flag(help: "group: go on although recordings have no results yet.")
    var allowMissing = false

    @Flag(help: "Say what would be done, and do nothing.")
    var dryRun = false

    @Flag(help: "Print JSON instead of text.")
    var json = false

    func run() throws {
        let root = URL(fileURLWithPath: dataset, isDirectory: true)
        let standing = root.appendingPathComponent("study.yaml")
        let hasStanding = FileManager.default.fileExists(atPath: standing.path)
        let file = parameters.config.map { URL(fileURLWithPath: $0) } ?? (hasStanding ? standing : nil)
        if hasStanding, let file, file.standardizedFileURL != standing.standardizedFileURL {
            Terminal.note("\(dataset): its study.yaml is not read, \(file.relativePath) is in its place")
        }
        let all = try CohortDataset(
            root, mapping: try file.flatMap(CohortMapping.read), isValidated: !selection.skipsValidation)
        try all.demandApart(from: URL(fileURLWithPath: output, isDirectory: true))
        let parameters = try parameters.parameters(standing: hasStanding ? standing : nil)
        if !all.leftOut.isEmpty {
            Terminal.note(
                "\(dataset): it cannot be told whose these are, so they are left out: "
                    + all.leftOut.joined(separator: ", "))
        }
        // Whoever names people asks for no others.
        let isOfEverybody = selection.selection.participants.isEmpty
        if isOfEverybody { all.warnings.forEach { Terminal.note("\(dataset): \($0)") } }
        let refused = all.refused.filter(selection.selection.concerns)
        for recording in refused {
            Terminal.complain("\(dataset)/\(recording.shownPath): left out, as it \(recording.problem)")
        }
        let chosen = try selection.selection.chosen(of: all.units)
        func plan() throws -> BatchPlan {
            try BatchPlan(
                chosen, of: root, into: BatchFolder(URL(fileURLWithPath: output, isDirectory: true)),
                parameters: parameters, hasReport: reports && level == .participant)
        }
        let batch = try plan()
        try batch.demandSameDataset()
        if dryRun { return try OutputOptions.show(BatchStatus(foreseen: batch).table, asJSON: json) }
        try batch.folder.make(derivedFrom: root.standardizedFileURL.lastPathComponent)
        BatchTrace.note(batch.folder.root, of: root)
        // A node of a cluster opens no bookkeeping.
        if BatchMachine.job == nil { noteCalibrations(batch.folder, root) }
        tell(OrphanedResults(try batch.folder.noteOrphans(besides: all), in: batch.folder, besides: all))
        let series = thenGroup ? ToldSeries() : nil
        let open = level == .participant ? work(batch, retryFailed) : []
        if level == .participant {
            batch.folder.sweep()
            try batch.keep(parameters: parameters)
            try compute(batch, open, again: plan, series)
            if cluster.executor == .slurm, cluster.noWait { return }
        }
        // Tables alone compute nothing that would change it.
        let ended = level == .participant ? try plan() : batch
        // Where nothing is done, what failed says why.
        let isGathered = thenGroup && cluster.executor == .local && ended.entries.contains { $0.state == .done }
        if level == .group || isGathered {
            try gather(
                ended, design: try file.map(GroupDesign.read) ?? GroupDesign(),
                notes: isOfEverybody ? all.warningsOnPeople : [], series)
            if let job = BatchMachine.job { batch.folder.noteEnd(of: job) }
        }
        if level == .participant, !isGathered { ended.sameBytes.forEach { Terminal.note("\(dataset): \($0)") } }
        let status = BatchStatus(ended)
        if json {
            OutputOptions.tell(asJSON: status.table)
        } else {
            StandardOutput.tell("\(output): \(status.summary)")
        }
        if level == .participant {
            try conclude(status, refused: refused.count, tried: open, of: batch, groupLog: groupLog(ended))
        }
    }

    /// The log of the cluster's job that was to write the group's tables and did not; nil where they are there, or could
    /// not be.
    private func groupLog(_ ended: BatchPlan) -> String? {
        guard thenGroup, cluster.executor == .slurm, ended.entries.contains(where: { $0.state == .done }) else {
            return nil
        }
        return ended.folder.logOfLostGroup.map { "\(output)/\($0)" }
    }

    /// A study on a disk that cannot be written is no reason to compute nothing.
    private func noteCalibrations(_ folder: BatchFolder, _ root: URL) {
        do { try folder.noteCalibrations(of: root) } catch {
            Terminal.note("the group's page will not tell of calibrations: \(error)")
        }
    }

    private func tell(_ orphans: OrphanedResults) {
        guard !orphans.stems.isEmpty else { return }
        let count = orphans.stems.count
        Terminal.note(
            "\(output): has results of \(count) \(count == 1 ? "recording" : "recordings") that \(dataset) no longer has "
                + "(\(Listing.text(orphans.stems))); no table takes them up; "
                + orphans.advice(ShellWord.quoted(output)))
    }

    private func compute(
        _ batch: BatchPlan, _ open: [UnitPlan], again plan: () throws -> BatchPlan, _ series: ToldSeries?
    ) throws {
        let screen = BatchScreen(open)
        defer { screen.clear() }
        switch cluster.executor {
        case .local:
            var executor = try machine.executor(for: open.count)
            executor.series = series
            try executor.run(open, in: batch.folder) { screen.take($0) }
        case .slurm:
            try onCluster(batch, plan, screen)
        }
    }

    private func work(_ plan: BatchPlan, _ retryFailed: Bool) -> [UnitPlan] {
        switch cluster.executor {
        case .local:
            // The fewer are computed, the more each of them may hold.
            return plan.work(retryFailed: retryFailed, share: machine.memoryLimit(for:))
        case .slurm:
            return plan.work(retryFailed: retryFailed, memoryLimit: cluster.slurm(machine).memoryLimit)
        }
    }

    private func onCluster(_ batch: BatchPlan, _ plan: () throws -> BatchPlan, _ screen: BatchScreen) throws {
        var executor = cluster.slurm(machine)
        if thenGroup { executor.group = groupCommand }
        if cluster.noWait {
            let jobs = try executor.submit(work(batch, retryFailed), in: batch.folder) { screen.take($0) }
            return StandardOutput.tell(
                jobs.isEmpty ? "nothing to submit" : "submitted \(jobs.joined(separator: ", "))")
        }
        let (asked, folder) = (executor, batch.folder)
        StopRequest.handle { [cluster, output] in
            if cluster.cancelOnInterrupt { asked.cancel(in: folder) }
            let words = cluster.cancelOnInterrupt ? "the jobs were cancelled" : "the jobs go on without being watched"
            Terminal.note("\(words); see: marey batch status \(ShellWord.quoted(output))")
            _exit(130)
        }
        var isFirst = true
        try executor.run(in: folder, all: batch.entries.map(\.plan)) {
            defer { isFirst = false }
            return try work(plan(), retryFailed && isFirst)
        } tell: {
            screen.take($0)
        }
    }

    /// What writes the group's tables, as a node of the cluster runs it.
    private var groupCommand: [String] {
        func whole(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
        var words = [BatchMachine.program, "batch", "run", whole(dataset), whole(output), "group", "--allow-missing"]
        if !selection.participants.isEmpty { words += ["--participant-label"] + selection.participants }
        if !selection.sessions.isEmpty { words += ["--session-label"] + selection.sessions }
        if !selection.tasks.isEmpty { words += ["--task-label"] + selection.tasks }
        if selection.skipsValidation { words.append("--skip-bids-validation") }
        if !reports { words.append("--no-reports") }
        return words + parameters.words(path: whole)
    }

    private func gather(
        _ plan: BatchPlan, design: GroupDesign, notes: [String], _ series: ToldSeries?
    ) throws {
        let bar = ProgressBar("group")
        defer { bar.clear() }
        let tables = try GroupTables(plan, design: design, hasPages: reports, notes: notes, series: series)
        let count = try tables.write(
            allowMissing: allowMissing, progress: bar.show
        ) { warning in
            bar.clear()
            Terminal.note(warning)
        }
        bar.clear()
        Terminal.note("wrote \(output)/group: tables over \(count) of \(plan.entries.count) recordings")
    }

    /// Names what failed or was left undone.
    private func conclude(
        _ status: BatchStatus, refused: Int, tried: [UnitPlan], of before: BatchPlan, groupLog: String?
    ) throws {
        for failure in status.rows.compactMap(\.failure) {
            Terminal.complain("\(failure.plan.unit.stem): \(failure.kind.rawValue): \(failure.message)")
        }
        let isTried = Set(tried.map(\.unit.stem))
        let old = before.entries.filter { $0.state == .failed && !isTried.contains($0.plan.unit.stem) }
        if !old.isEmpty {
            let are = old.count == 1 ? "1 of these is a failure" : "\(old.count) of these are failures"
            Terminal.complain("\(are) of an earlier run, not tried again; add --retry-failed to try")
        }
        let undone = status.rows.filter { $0.state != .done && $0.state != .failed }
        for row in undone {
            let words = row.refusal?.description ?? "\(row.state.rawValue); run the batch again"
            Terminal.complain("\(row.plan.unit.stem): \(words)")
        }
        let all = status.rows.count + refused
        if let groupLog { Terminal.complain("the group's tables were not written; its job says why in \(groupLog)") }
        if let failure = Failure.inputs(failed: status.count(.failed) + undone.count + refused, of: all) {
            throw failure
        }
        if groupLog != nil { throw Failure(code: ExitStatus.someFailed, message: "the group step failed") }
    }
}
