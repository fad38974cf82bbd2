import ArgumentParser
import Formats
import Foundation
import Pipeline
import Reports
import Signals

struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Score beat detection against reference beats, record by record.",
        discussion: """
            Example: marey validate mitdb --ec57 --report mitdb.html

            Takes folders of WFDB records with annotations (or single records), simulated recordings with their truth, \
            and recordings with both ECG and BVP, whose pulse is scored against their ECG. Detected and reference beats \
            are matched one to one within each tolerance. The record with the most errors comes first.

            Conventions are told in docs/validation.md.
            """)

    @Argument(help: "Folders or records.")
    var paths: [String]

    @Option(
        help: """
            The stream whose beats are scored: its name, its kind (ecg, bvp, ibi) or its number from 0. Default: ECG, else \
            BVP, else IBI.
            """)
    var stream: String?

    @OptionGroup var source: SourceOptions
    @OptionGroup var parameters: StageParameterOptions
    @OptionGroup var scoring: ScoringOptions
    @OptionGroup var output: OutputOptions

    @Option(help: "What a row is: record, lead, set, noise, activity, or a column of --groups.")
    var by = "record"

    @Option(help: "A TSV with a column record and others that say which group each record belongs to.")
    var groups: String?

    @Flag(inversion: .prefixedNo, help: "Whether the row with the lowest F1 comes first (default for records).")
    var worstFirst: Bool?

    @Option(help: "How many recordings are worked on at a time (default: one per core).")
    var jobs: Int?

    @Option(help: "Also write a page with the scores and the worst strips of signal drawn.")
    var report: String?

    @Option(help: "How many strips the page draws.")
    var strips = 24

    func run() throws {
        guard jobs.map({ $0 >= 1 }) ?? true else { throw Failure.misuse("--jobs must be at least 1") }
        guard (0...500).contains(strips) else { throw Failure.misuse("--strips must be 0 to 500") }
        var request = try scoring.request(source.request(of: stream))
        request.groups = try groups.map { try GroupTable(reading: URL(fileURLWithPath: $0)) }
        request.jobs = jobs
        let grouping = try grouping(request.groups)
        let found = try ValidationPaths(paths)
        try demandPlaces(found)
        let bar = ProgressBarBox("validating")
        let validation = BeatValidation(
            of: found.subjects, candidates: found.candidates, request,
            parameters: try parameters.parameters(window: nil),
            progress: bar.show)
        bar.clear()
        for failure in validation.failures { Terminal.complain(failure.reason) }
        guard !validation.channels.isEmpty else { throw nothingScored(validation) }
        try show(validation, by: grouping)
        if let report { try writeReport(validation, by: grouping, to: URL(fileURLWithPath: report)) }

        let all = validation.failures.count + Set(validation.channels.map(\.url)).count + validation.excluded.count
        if let failure = Failure.inputs(failed: validation.failures.count, of: all) { throw failure }
    }

    /// - Throws: when the page or the table would replace a recording that is scored, or another file that is read.
    private func demandPlaces(_ found: ValidationPaths) throws {
        let others = [groups].compactMap(\.self) + parameters.files
        let page = [report].compactMap(\.self).map { URL(fileURLWithPath: $0) }
        try OutputFiles.refuseTwice(output.files + page)
        for subject in found.subjects + found.candidates where report != nil || output.output != nil {
            try output.demandPlace(beside: subject.url.path, and: others)
            try OutputFiles.refuseInputs(page, of: subject.url, and: others)
        }
        try ResultPlace.demand(page)
    }

    private func grouping(_ table: GroupTable?) throws -> ValidationGrouping {
        let known = ["record", "lead", "set", "noise", "activity"] + (table?.names ?? [])
        guard known.contains(by) else {
            throw Failure.misuse("--by is '\(by)'; it must be one of \(known.joined(separator: ", "))")
        }
        return ValidationGrouping(by)
    }

    private func show(_ validation: BeatValidation, by grouping: ValidationGrouping) throws {
        let isWorstFirst = worstFirst ?? (grouping == .record)
        if !validation.knows(grouping) {
            Terminal.note("note: nothing is said of the \(grouping.name) of these records; see --groups")
        }
        for remark in validation.remarks { Terminal.note(remark) }
        if output.json {
            try output.emit(validation.json(by: grouping, worstFirst: isWorstFirst))
        } else if Terminal.showsResults, output.output == nil {
            StandardOutput.print(
                AlignedTable.text(validation.overview(by: grouping, worstFirst: isWorstFirst)), terminator: "")
        } else {
            try output.emit(validation.table(by: grouping, worstFirst: isWorstFirst))
        }
    }

    private func writeReport(_ validation: BeatValidation, by grouping: ValidationGrouping, to url: URL) throws {
        let names = paths.map { URL(fileURLWithPath: $0).standardizedFileURL.lastPathComponent }
        let page = try ValidationReport(
            validation, title: names.joined(separator: ", "), grouping: grouping, stripCount: strips)
        try writeAtomically(Array(page.html().utf8), to: url)
        Terminal.note("report: \(url.relativePath)")
    }

    private func nothingScored(_ validation: BeatValidation) -> Failure {
        let left = validation.excluded + validation.passedOver
        for one in left.prefix(20) { Terminal.note("\(one.record): \(one.reason)") }
        return Failure.nothingDone("\(paths.joined(separator: ", ")): no record could be scored")
    }
}
