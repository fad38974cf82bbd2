import ArgumentParser
import Cardiac
import Foundation
import Pipeline
import Signals

struct RespirationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "respiration",
        abstract: "Respiration rate in windows, from a belt or from what breathing modulates.",
        discussion: """
            Example: marey respiration session.edf
                     marey respiration session.edf --stream ecg

            A respiration belt, chest impedance or airflow channel is used where there is one; else, or with --stream \
            or --as, the rate is told from the heights of QRS complexes and the lengths of intervals (ECG), from \
            height, level and spacing of pulses (BVP) or from intervals. Every method has a row per window, and \
            bvpFusion or fusion tells what they say together. Where no rate can be told the row says why.
            """)

    @Argument(help: "The recording, RR text file or beats table.")
    var file: String

    @Option(
        help: """
            The stream: its name, its kind (respiration, ecg, bvp, ibi) or its number from 0. Default: the belt or the \
            like (respiration), else ECG, else BVP, else IBI.
            """)
    var stream: String?

    @OptionGroup var source: SourceOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var edits: EditOptions
    @OptionGroup var parameters: RespirationOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.demandPlace(beside: file, and: input.files + edits.files + parameters.files)
        let bar = ProgressBar("respiration")
        let url = URL(fileURLWithPath: file)
        let windows = try RespirationReading.windows(
            of: url, source.request(of: stream), parameters: parameters.parameters(), edits: edits.edits(for: url),
            opening: source.opening(input), progress: bar.show)
        bar.clear()
        try output.emit(Respiration.table(windows))
    }
}
