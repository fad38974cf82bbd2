import ArgumentParser
import Brain
import Foundation
import Pipeline
import Signals

struct SleepCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sleep", abstract: "Sleep and wake in 30 s, from a body-worn accelerometer.",
        discussion: """
            Example: marey sleep night.zip

            1 asleep, 0 awake, by sustained inactivity of the sensor's angle (van Hees et al. 2015); who lies awake
            without a move counts as asleep. Where samples are missing, or nobody wears the sensor, there is no number
            but a reason.
            """)

    @Argument(help: "The recording.")
    var file: String

    @Option(help: "The stream: its name or its number from 0. Default: the first acceleration.")
    var stream: String?

    @OptionGroup var input: InputOptions
    @OptionGroup var parameters: ParameterOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let bar = ProgressBar("sleep")
        let result = try BodyReading.motion(
            of: URL(fileURLWithPath: file), SourceRequest(stream: stream ?? StreamKind.acceleration.rawValue),
            parameters: parameters.parameters(), opening: input.open, progress: bar.show)
        bar.clear()
        guard result.source.kind == .acceleration else {
            throw Failure.misuse("--stream \(stream ?? ""): sleep is told from acceleration")
        }
        try output.emit(SleepEpoch.table(result.sleep))
    }
}
