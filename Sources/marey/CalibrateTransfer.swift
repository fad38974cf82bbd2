import ArgumentParser
import Decoding
import Formats
import Foundation
import Pipeline
import Sessions
import Signals

struct CalibrateExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a participant's model to a file, for a study on another machine.",
        discussion: """
            Example: marey calibrate export my-study --subject 01 \\
                       --prediction enjoyment enjoyment.json
            """)

    @OptionGroup var calibration: CalibrationOptions

    @Option(help: "The prediction's name, such as visualAttention.")
    var prediction: String

    @Argument(help: "The file to write.")
    var output: String

    @Flag(help: "Replace a file that is there already.")
    var force = false

    func run() throws {
        guard let found = Prediction.named(prediction) else {
            throw Failure.misuse(String(describing: PredictionRefusal.unknown(prediction)))
        }
        guard let card = try calibration.desk().usableCard(of: calibration.subject, found) else {
            throw Failure.nothingDone("participant \(calibration.subject) has no model of \(prediction)")
        }
        let url = URL(fileURLWithPath: output)
        try OutputFiles.refuseExisting([url], force: force)
        try writeAtomically(card.json(), to: url)
        StandardOutput.tell(card.summary)
    }
}

struct CalibrateImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Take in a participant's model from another study.",
        discussion: """
            Example: marey calibrate import my-study --subject 01 enjoyment.json

            The model is the person's own: import it for nobody else. One of another format or with features of another \
            version is refused; so is, when it is used, data of other channels or another sample rate.
            """)

    @OptionGroup var calibration: CalibrationOptions

    @Argument(help: "The model's card, as marey calibrate export or fit writes it.")
    var model: String

    func run() throws {
        let url = URL(fileURLWithPath: model)
        let card = try ModelCard(reading: url)
        let file = try calibration.desk().adopt(
            card, of: calibration.subject, cause: "imported from \(url.lastPathComponent)", at: .now)
        StandardOutput.tell("\(card.summary)\nkept in \(file)")
    }
}
