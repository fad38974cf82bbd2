import ArgumentParser
import Brain
import Cardiac
import Foundation
import Motion
import Pipeline
import Signals

struct SleepCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sleep", abstract: "Sleep and wake in 30 s, from EEG, a body-worn accelerometer or the heart.",
        discussion: """
            Example: marey sleep night.edf
                     marey sleep holter.edf --stream ecg

            1 asleep, 0 awake. From EEG, where there is one: by its fast against its slow rhythms and the slope of \
            its spectrum above 30 Hz (Lendner et al. 2020), with a limit that the recording itself sets; sleep is \
            told where 5 minutes of it are certainly non-REM sleep. Where the chin's EMG was recorded beside it, its \
            tone decides what is near the limit; channels of eyes and muscles are no EEG. From acceleration: by \
            sustained inactivity of the sensor's angle (van Hees et al. 2015); who lies awake without a move counts \
            as asleep. That is scored as sleep where 4 hours and more lie between 21:00 and 09:00 local time, or \
            with --any-time; elsewhere the column is sustainedInactivity. From ECG, BVP or intervals, where there is neither: by sustained low heart rate in a day and \
            night (after Perez-Pozuelo et al. 2022); it takes 16 hours or more, with 4 hours of sleep in one period \
            and 4 hours of wake; who rests for hours with a low rate counts as asleep. Where it cannot be told there \
            is no number but a reason.
            """)

    @Argument(help: "The recording.")
    var file: String

    @Option(
        help:
            "The stream: its name or its number from 0, or eeg, acceleration, ecg, bvp or ibi. Default: the first EEG, else the first acceleration, else the heart."
    )
    var stream: String?

    @Flag(help: "Score sleep from acceleration by day, too, and where the local time is not known.")
    var anyTime = false

    @Option(help: "IBI correction: lipponenTarvainen, threshold, quotient or none (default lipponenTarvainen).")
    var correction: CorrectionMethod?

    @OptionGroup var input: InputOptions
    @OptionGroup var parameters: CorrectedStageParameterOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.demandPlace(beside: file, and: input.files + parameters.files)
        let url = URL(fileURLWithPath: file)
        let bar = ProgressBar("sleep")
        let (epochs, source) = try told(of: url, progress: bar.show)
        bar.clear()
        try output.emit(SleepEpoch.table(epochs, from: source))
    }

    private func told(
        of url: URL, progress: (Double) -> Void
    ) throws -> (epochs: [SleepEpoch], source: SleepEpoch.Source) {
        var parameters = try parameters.parameters(window: nil, correction: correction)
        if anyTime { parameters.motion.sleepScoring = .always }
        switch try SleepSource(url, stream: stream, opening: input.open) {
        case .eeg:
            let result = try BrainReading.result(
                of: url, stream: stream, parameters: parameters, computing: .sleep, opening: input.open,
                progress: progress)
            return (result.sleep, result.sleepSource)
        case .acceleration:
            let result = try BodyReading.motion(
                of: url, SourceRequest(stream: stream ?? StreamKind.acceleration.rawValue),
                parameters: parameters, opening: input.open, progress: progress)
            guard result.source.kind == .acceleration else {
                throw Failure.misuse(
                    "--stream \(stream ?? ""): sleep is told from EEG, acceleration, ECG, BVP or intervals")
            }
            if let reason = result.sleepUnscored {
                Terminal.note("note: sleep is not scored: \(reason); --any-time scores it")
            }
            return (result.sleep, result.sleepSource)
        case .heart:
            let result = try CardiacReading.result(
                of: url, SourceRequest(stream: stream), parameters: parameters, computing: .sleep,
                opening: input.open, progress: progress)
            return (result.sleep, .heart)
        }
    }
}

/// What sleep of a file is told from.
private enum SleepSource {
    case eeg, acceleration, heart

    /// What is meant by a stream's name, kind or place; the best there is where none is.
    init(_ url: URL, stream: String?, opening open: (URL) throws -> any RecordingReader) throws {
        guard !BeatsTable.recognizes(url) else {
            self = .heart
            return
        }
        let header = try open(url).header
        func isMeant(_ name: String, _ place: Int, _ kinds: [StreamKind]) -> Bool {
            guard let stream else { return true }
            return name == stream || String(place) == stream || kinds.contains { $0.rawValue == stream }
        }
        if BrainSource.all(in: header).contains(where: { isMeant($0.name, $0.stream, [.eeg]) }) || stream == "eeg" {
            self = .eeg
        } else if BodySource.all(in: header).contains(where: {
            $0.kind == .acceleration && isMeant($0.name, $0.stream, [.acceleration])
        }) {
            self = .acceleration
        } else if SourceRequest.all(in: header).contains(where: { source in
            isMeant(source.name, source.stream, StreamKind.allCases.filter { $0.rawValue == source.kind.rawValue })
        }) {
            self = .heart
        } else if stream == nil {
            // One that is there but cannot be used has a reason.
            let kinds = Set(header.streams.map(\.kind))
            if kinds.contains(.eeg) { _ = try BrainSource.meant(by: nil, in: header, file: url.relativePath) }
            if !kinds.isDisjoint(with: [.ecg, .bvp, .ibi]) {
                _ = try SourceRequest().source(in: header, file: url.relativePath)
            }
            let has = header.streams.map { "\($0.name) (\($0.kind.rawValue))" }.joined(separator: ", ")
            throw PipelineError(
                "\(url.relativePath): no EEG, acceleration, ECG, BVP or intervals that sleep could be told from",
                advice: "it has \(has.isEmpty ? "no streams" : has)")
        } else {
            self = .acceleration
        }
    }
}
