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

            Reads a recording with ECG, BVP or intervals, an RR text file, or a table written by marey beats; the
            numbers are the same either way. What cannot be computed is n/a; --why tells the reasons.
            """)

    @Argument(help: "The recording, RR text file or beats table.")
    var file: String

    @OptionGroup var source: SourceOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var parameters: ParameterOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Instead of the values, list those that are missing and why.")
    var why = false

    @Flag(help: "Instead of the values, list every interval that correction changed.")
    var corrections = false

    func run() throws {
        let parameters = try parameters.parameters()
        let bar = ProgressBar("hrv")
        let result = try CardiacReading.result(
            of: URL(fileURLWithPath: file), source.request, parameters: parameters, computing: .hrv,
            opening: input.open,
            progress: bar.show)
        bar.clear()
        if why {
            try output.emit(CardiacTables.missing(result.windows, parameters: parameters.hrv))
        } else if corrections {
            try output.emit(Correction.table(result.corrections))
        } else {
            try output.emit(HRV.table(result.windows, parameters: parameters.hrv, quality: result.windowQuality))
        }
    }
}
