import ArgumentParser
import Electrodermal
import Foundation
import Pipeline
import Signals

struct EDACommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eda",
        abstract: "Skin conductance: responses, level, tonic and phasic component, responses to events.",
        discussion: """
            Example: marey eda session.zip
                     marey eda session.zip --table samples -o eda.tsv

            Responses (SCR) have onset, peak, amplitude, rise and half recovery times. Samples are given at 4 to 8 Hz, \
            taken apart by cvxEDA (or eda.separation: highPass, median). Windows have the mean level (SCL) and the \
            number of responses. Events are the recording's markers, each with its stream and the first response \
            1 to 4 s after it.
            """)

    /// What is told.
    enum Content: String, CaseIterable, ExpressibleByArgument {
        case responses, samples, windows, events
    }

    @Argument(help: "The recording.")
    var file: String

    @Option(help: "What to tell: responses, samples, windows or events.")
    var table = Content.responses

    @Option(help: "The stream: its name, its kind (eda) or its number from 0. Default: the first of skin conductance.")
    var stream: String?

    @Option(help: "The channel: its label or its number from 0. Default: the first in a unit of conductance.")
    var channel: String?

    @OptionGroup var input: InputOptions
    @OptionGroup var parameters: StageParameterOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.demandPlace(beside: file, and: input.files + parameters.files)
        let bar = ProgressBar("eda")
        let parameters = try parameters.parameters(window: "eda.window")
        let result = try BodyReading.electrodermal(
            of: URL(fileURLWithPath: file), SourceRequest(stream: stream, channel: channel),
            parameters: parameters,
            computing: table == .responses ? .responses : .all, opening: input.open, progress: bar.show)
        bar.clear()
        result.notes.forEach { Terminal.note("note: \($0)") }
        switch table {
        case .responses: try output.emit(SkinConductanceResponse.table(result.responses))
        case .samples: try output.emit(ElectrodermalRows(result.samples, parameters: parameters.eda))
        case .windows: try output.emit(ElectrodermalWindow.table(result.windows))
        case .events: try output.emit(EventResponse.table(result.events))
        }
    }
}
