import ArgumentParser
import Foundation
import Pipeline
import Signals

struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Score beat detection against reference beats, record by record.",
        discussion: """
            Example: marey validate mitdb --start 300

            Takes folders of WFDB records with annotations (or single records), and simulated recordings with their
            truth. Detected and reference beats are matched one to one within each tolerance.
            """)

    @Argument(help: "Folders or records.")
    var paths: [String]

    @OptionGroup var source: SourceOptions
    @OptionGroup var parameters: ParameterOptions
    @OptionGroup var output: OutputOptions

    @Option(help: "Ending of the reference annotation files.")
    var annotator = "atr"

    @Option(help: "Tolerances in milliseconds, separated by commas.")
    var tolerance = "150,50,20"

    @Option(help: "Leave out what comes before, in seconds; 300 is the habit of EC57.")
    var start = 0.0

    @Option(help: "Leave out what comes after, in seconds.")
    var stop = Double.infinity

    @Flag(help: "Leave out ventricular flutter and fibrillation, from [ to ].")
    var excludeFlutter = false

    @Flag(help: "List the worst records first.")
    var worstFirst = false

    func run() throws {
        let request = try request()
        let recordings = try recordings()
        let bar = ProgressBarBox("validating")
        let validation = BeatValidation(of: recordings, request, parameters: try parameters.parameters()) {
            bar.show($0)
        }
        bar.clear()
        for failure in validation.failures { Terminal.complain("\(failure.error)") }
        guard !validation.records.isEmpty else { throw Failure(code: ExitStatus.nothingDone, message: "") }
        let table = validation.table(worstFirst: worstFirst)
        if Terminal.showsResults, !output.json, output.output == nil {
            print(AlignedTable.text(table), terminator: "")
        } else {
            try output.emit(table)
        }
        if let failure = Failure.inputs(failed: validation.failures.count, of: recordings.count) { throw failure }
    }

    private func request() throws -> BeatValidation.Request {
        var request = BeatValidation.Request()
        request.annotator = annotator
        request.source = source.request
        let milliseconds = tolerance.split(separator: ",").map { Double($0) ?? .nan }
        guard !milliseconds.isEmpty, milliseconds.allSatisfy({ $0 >= 0 && $0 <= 10_000 }) else {
            throw Failure.misuse("--tolerance is '\(tolerance)'; it must be milliseconds such as 150,50,20")
        }
        request.tolerances = milliseconds.map { $0 / 1_000 }
        guard start >= 0, stop > start else { throw Failure.misuse("--start must be at least 0 and below --stop") }
        request.span = start..<stop
        request.excludesFlutter = excludeFlutter
        return request
    }

    private func recordings() throws -> [URL] {
        var recordings: [URL] = []
        for path in paths {
            let url = URL(fileURLWithPath: path)
            var isDirectory: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
                // A WFDB record may be named without an ending.
                recordings.append(url.appendingPathExtension("hea"))
                continue
            }
            recordings += isDirectory.boolValue ? BeatValidation.recordings(in: url, annotator: annotator) : [url]
        }
        guard !recordings.isEmpty else {
            throw Failure.nothingDone(
                "\(paths.joined(separator: ", ")): no record with reference beats (.\(annotator) or _truth.tsv) beside it"
            )
        }
        return recordings
    }
}
