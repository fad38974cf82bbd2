import ArgumentParser
import Foundation
import Pipeline
import Quality
import Signals

struct QualityCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quality", abstract: "Signal quality in windows: coverage, quality 0…1 and the reasons.",
        discussion: """
            Example: marey quality session.zip --stream bvp
                     marey quality session.zip --stream eda

            ECG and BVP, and with --stream eda, temperature or acceleration the others of a wristband.
            """)

    @Argument(help: "The recording.")
    var file: String

    @OptionGroup var source: SourceOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var parameters: ParameterOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let bar = ProgressBar("quality")
        let request = source.request
        let body = try BodyReading.quality(
            of: URL(fileURLWithPath: file), request, parameters: parameters.parameters(), opening: input.open,
            progress: bar.show)
        if let body {
            bar.clear()
            return try output.emit(QualityWindow.table(body))
        }
        let result = try CardiacReading.result(
            of: URL(fileURLWithPath: file), request, parameters: parameters.parameters(), computing: .quality,
            opening: input.open,
            progress: bar.show)
        bar.clear()
        try output.emit(QualityWindow.table(result.quality))
    }
}
