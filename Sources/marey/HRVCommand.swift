import ArgumentParser
import Cardiac
import Formats
import Foundation
import Pipeline
import Signals

struct HRVCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hrv", abstract: "Heart-rate variability: one row per window.",
        discussion: """
            Example: marey hrv 100.hea --window 300 --step 30

            Reads a recording with ECG, BVP or intervals, an RR text file, or a table written by marey beats; the \
            numbers are the same either way, but only a signal, or the sidecar of a table, tells of time without beats \
            at its ends. What cannot be computed is n/a; --why tells the reasons.
            """)

    @Argument(help: "The recording, RR text file or beats table.")
    var file: String

    @Option(help: SourceOptions.heartStreamHelp)
    var stream: String?

    @OptionGroup var source: SourceOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var edits: EditOptions
    @OptionGroup var parameters: ParameterOptions
    @OptionGroup var output: OutputOptions

    @Option(help: "The only indexes to compute, separated by commas, such as rmssd,sampEn (default: all).")
    var indexes: String?

    @Flag(help: "Instead of the values, list those that are missing and why.")
    var why = false

    @Flag(help: "Instead of the values, list every interval that correction or a beat edit changed.")
    var corrections = false

    @Flag(help: "Instead of the values, heart-rate turbulence over the whole recording.")
    var turbulence = false

    func validate() throws {
        guard [why, corrections, turbulence].count(where: { $0 }) <= 1 else {
            throw ValidationError(
                "--why, --corrections and --turbulence are a table each instead of the values; give one of them")
        }
        guard indexes == nil || !corrections && !turbulence else {
            throw ValidationError("--indexes names values; those are not in the table of --corrections or --turbulence")
        }
    }

    func run() throws {
        try output.demandPlace(beside: file, and: input.files + edits.files + parameters.files)
        var parameters = try parameters.parameters()
        if let indexes {
            parameters.hrv.indexes = try OptionList.some(in: indexes, of: "--indexes")
            do { try parameters.validate() } catch { throw Failure.misuse("\(error)") }
        }
        let bar = ProgressBar("hrv")
        let result = try CardiacReading.result(
            of: URL(fileURLWithPath: file), source.request(of: stream), parameters: parameters, computing: outputs,
            edits: edits.edits(for: URL(fileURLWithPath: file)), opening: source.opening(input),
            progress: bar.show)
        bar.clear()
        result.notes.forEach { Terminal.note("note: \($0)") }
        if why {
            try output.emit(CardiacTables.missing(result.windows, parameters: parameters.hrv))
        } else if turbulence {
            try output.emit(HeartRateTurbulence(of: result.intervals).table)
        } else if corrections {
            try output.emit(Correction.table(result.audit))
        } else {
            try output.emit(HRVRows(result.windows, parameters: parameters.hrv, quality: result.windowQuality))
        }
    }

    /// What the table that is asked for rests on; from the rhythm a note tells whether the correction suits it.
    private var outputs: CardiacTrack.Outputs { [corrections || turbulence ? .intervals : .hrv, .rhythm] }
}
