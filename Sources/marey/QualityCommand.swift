import ArgumentParser
import Foundation
import Pipeline
import Quality
import Signals

struct QualityCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quality", abstract: "Signal quality in windows: coverage, quality 0…1 and the reasons.",
        discussion: "Example: marey quality session.zip --stream bvp")

    @Argument(help: "The recording.")
    var file: String

    @OptionGroup var source: SourceOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var parameters: ParameterOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let bar = ProgressBar("quality")
        let result = try CardiacReading.result(
            of: URL(fileURLWithPath: file), source.request, parameters: parameters.parameters(), computing: .quality,
            opening: input.open,
            progress: bar.show)
        bar.clear()
        try output.emit(QualityWindow.table(result.quality))
    }
}
