import ArgumentParser
import Decoding
import Foundation
import Pipeline
import Sessions
import Signals

struct PredictCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "predict", abstract: "A participant's model on a recording: a value per epoch, 0 to 1.",
        discussion: """
            Example: marey predict session.xdf \\
                       --model my-study/derivatives/marey/sub-01/models/enjoyment-1.json

            0.5 is the person's neutral; n/a where the EEG is not good enough. A model that was made for other channels, \
            features or sample rates is refused; so is one in a study where its participant may not use it: blocked, \
            expired, or with a calibration to repeat.
            """)

    @Argument(help: "The recording.")
    var file: String

    @Option(help: "The model's card, as marey calibrate fit keeps it.")
    var model: String

    @Option(help: "The EEG stream: its name or its number from 0.")
    var stream: String?

    @OptionGroup var input: InputOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.demandPlace(beside: file, and: [model] + input.files)
        let card = try CalibrationDesk.usableCard(at: URL(fileURLWithPath: model))
        let bar = ProgressBar("EEG")
        let read = try DecodingReading.epochs(
            of: URL(fileURLWithPath: file), stream: stream, layout: card.fitted.model.layout, opening: input.open,
            progress: bar.show)
        bar.clear()
        try card.fitted.model.demand(read.layout)
        let model = card.fitted.model
        try output.emit(PredictionTables.values(read.epochs, model))
        if !read.epochs.contains(where: { $0.features != nil }) {
            Terminal.note(
                "no epoch of \(read.epochs.count) was good enough for a value: marey eeg \(file) tells what "
                    + "is not to be used, and why")
        }
        if let drift = model.baseline.drift(read.epochs), drift.needsCalibration {
            func spreads(_ shift: Double) -> String { "\((shift * 100).rounded() / 100) spreads" }
            var far = spreads(drift.shift)
            if drift.isOfOneChannel, let channel = drift.channel, let shift = drift.channelShift {
                far += ", those of \(model.layout.labels[channel]) \(spreads(shift))"
            }
            if drift.isOfOtherMontage {
                far += ", and channels lie otherwise to one another: another reference or electrode?"
            }
            Terminal.note("the features of this recording lie far from the calibration (\(far)): calibrate again")
        }
    }
}
