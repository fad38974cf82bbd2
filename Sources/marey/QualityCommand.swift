import ArgumentParser
import Cardiac
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
                     marey quality session.xdf --stream eeg

            ECG and BVP, and with --stream eda, temperature or acceleration the others of a wristband. \
            An EEG is judged as a whole: as good as the better half of its channels. Where a headband's accelerometer \
            was recorded beside it, motion counts.
            """)

    @Argument(help: "The recording.")
    var file: String

    @Option(
        help: """
            The stream: its name, its kind (ecg, bvp, ibi, eeg, eda, temperature, acceleration) or its number from 0. \
            Default: ECG, else BVP, else IBI, else EEG.
            """)
    var stream: String?

    @OptionGroup var source: SourceOptions

    @Option(help: "IBI correction: lipponenTarvainen, threshold, quotient or none (default lipponenTarvainen).")
    var correction: CorrectionMethod?

    @OptionGroup var input: InputOptions
    @OptionGroup var parameters: CorrectedStageParameterOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.demandPlace(beside: file, and: input.files + parameters.files)
        let bar = ProgressBar("quality")
        let request = source.request(of: stream)
        let parameters = try parameters.parameters(window: "quality.window", correction: correction)
        let body = try BodyReading.quality(
            of: URL(fileURLWithPath: file), request, parameters: parameters, opening: source.opening(input),
            progress: bar.show)
        if let body {
            bar.clear()
            return try tell(body, parameters.quality)
        }
        let windows = try QualityReading.windows(
            of: URL(fileURLWithPath: file), request, parameters: parameters, opening: source.opening(input),
            progress: bar.show)
        bar.clear()
        try tell(windows, parameters.quality)
    }

    /// The windows, and on standard error the verdict in a line.
    private func tell(_ windows: [QualityWindow], _ parameters: QualityParameters) throws {
        try output.emit(QualityWindow.table(windows))
        let name = stream ?? URL(fileURLWithPath: file).lastPathComponent
        Terminal.note(SessionVerdict([(name, windows)], parameters).line)
    }
}
