import ArgumentParser
import Brain
import Foundation
import Pipeline
import Signals

struct SleepCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sleep", abstract: "Sleep and wake in 30 s, from EEG or a body-worn accelerometer.",
        discussion: """
            Example: marey sleep night.edf

            1 asleep, 0 awake. From EEG, where there is one: by its fast against its slow rhythms and the slope of its
            spectrum above 30 Hz (Lendner et al. 2020), with a limit that the recording itself sets; sleep is told where
            5 minutes of it are certainly non-REM sleep. From acceleration: by sustained inactivity of the sensor's angle
            (van Hees et al. 2015); who lies awake without a move counts as asleep. Where it cannot be told there is no
            number but a reason.
            """)

    @Argument(help: "The recording.")
    var file: String

    @Option(
        help:
            "The stream: its name or its number from 0, or eeg or acceleration. Default: the first EEG, else the first acceleration."
    )
    var stream: String?

    @OptionGroup var input: InputOptions
    @OptionGroup var parameters: ParameterOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let url = URL(fileURLWithPath: file)
        let bar = ProgressBar("sleep")
        if try isEEG(input.open(url).header) {
            let result = try BrainReading.result(
                of: url, stream: stream, parameters: parameters.parameters(), computing: .sleep, opening: input.open,
                progress: bar.show)
            bar.clear()
            return try output.emit(SleepEpoch.table(result.sleep, from: .eeg))
        }
        let result = try BodyReading.motion(
            of: url, SourceRequest(stream: stream ?? StreamKind.acceleration.rawValue),
            parameters: parameters.parameters(), opening: input.open, progress: bar.show)
        bar.clear()
        guard result.source.kind == .acceleration else {
            throw Failure.misuse("--stream \(stream ?? ""): sleep is told from EEG or acceleration")
        }
        try output.emit(SleepEpoch.table(result.sleep, from: .acceleration))
    }

    private func isEEG(_ header: RecordingHeader) -> Bool {
        let sources = BrainSource.all(in: header)
        guard let stream else { return !sources.isEmpty }
        return stream == StreamKind.eeg.rawValue
            || sources.contains { $0.name == stream || String($0.stream) == stream }
    }
}
