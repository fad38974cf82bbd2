import ArgumentParser
import Decoding
import Formats
import Foundation
import Pipeline
import Reports
import Sessions
import Signals
import Study

struct CalibrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate", abstract: "Where participants stand with predictions, and their models.",
        discussion: """
            Example: marey calibrate status my-study --subject 01
                     marey calibrate fit my-study --subject 01 \\
                       --prediction enjoyment session.xdf
                     marey calibrate block my-study --subject 01 \\
                       --prediction enjoyment --cause "withdrew consent"

            A prediction is unknown (-100), blocked (-1), needsCalibration (0), calibrationDone (1) or modelsAvailable \
            (2). Every change is kept with its time, its cause and who made it. Focus has no task of its own: it stands \
            where the worse of visual and auditory attention does.
            """,
        subcommands: [
            CalibrateRun.self, CalibrateFit.self, CalibrateStatus.self, CalibrateList.self, CalibrateCard.self,
            CalibrateExport.self, CalibrateImport.self,
        ]
            + CalibrateChange.verbs)
}

/// Which study, and of whom.
struct CalibrationOptions: ParsableArguments {
    @Argument(help: "The study folder.")
    var folder: String

    @Option(help: "Participant label: letters and digits, with or without sub-.")
    var subject: String

    /// A participant's label without `sub-`; nil where it is none.
    static func label(_ text: String) -> String? { try? CalibrationDesk.participant(text) }

    func desk() throws -> CalibrationDesk {
        try CalibrationDesk(Self.study(folder))
    }

    /// The defaults with the study's own changes, by which its sessions are cleaned.
    func parameters() throws -> Parameters {
        let file = try Self.study(folder).parametersFile
        return try file.map { try Parameters(reading: $0) } ?? Parameters()
    }

    static func study(_ folder: String) throws -> StudyFolder {
        try StudyFolder(opening: URL(fileURLWithPath: folder, isDirectory: true))
    }
}

struct CalibrateStatus: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Where a participant stands with every prediction.")

    @OptionGroup var calibration: CalibrationOptions

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Print every change there was.")
    var history = false

    func run() throws {
        let desk = try calibration.desk()
        // Whoever nobody knows stands nowhere: a table of them would hide a misspelt label.
        let subject = try desk.known(calibration.subject)
        if history {
            let entries = try desk.history(of: subject)
            if json { return try OutputOptions.emitJSON(entries.map(ListedCalibration.init)) }
            return try OutputOptions.show(CalibrationTables.history(entries))
        }
        let overview = try desk.book(of: subject).overview
        if json { return try OutputOptions.emitJSON(overview) }
        try OutputOptions.show(CalibrationTables.overview(overview))
    }
}

struct CalibrateList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Where all participants of a study stand.")

    @Argument(help: "The study folder.")
    var folder: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let desk = try CalibrationDesk(CalibrationOptions.study(folder))
        let books = try desk.books()
        if json {
            return try OutputOptions.emitJSON(
                Dictionary(uniqueKeysWithValues: books.map { ($0.subject, $0.book.overview) }))
        }
        try OutputOptions.show(CalibrationTables.list(books))
    }
}

struct CalibrateCard: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "card", abstract: "A model's card as a page: how good it is, and what it was made of.",
        discussion: """
            Example: marey calibrate card \\
                       my-study/derivatives/marey/sub-01/models/enjoyment-1.json card.html
            """)

    @Argument(help: "The model's card, as marey calibrate fit keeps it.")
    var model: String

    @Argument(help: "The page to write.")
    var output: String

    @Flag(help: "Replace a file that is there already.")
    var force = false

    func run() throws {
        let card = try ModelCard(reading: URL(fileURLWithPath: model))
        let url = URL(fileURLWithPath: output)
        try OutputFiles.refuseInputs([url], and: [model])
        try OutputFiles.refuseExisting([url], force: force)
        let page = ModelCardPage(card, participant: nil, software: "Marey \(MareyVersion.current)")
        try writeAtomically(Array(page.html().utf8), to: url)
    }
}

/// The verbs that change where a participant stands.
enum CalibrateChange {
    static let verbs: [any ParsableCommand.Type] = [
        CalibrateRegister.self, CalibrateBlock.self, CalibrateUnblock.self, CalibrateReset.self, CalibrateExpire.self,
    ]
}

struct ChangeOptions: ParsableArguments {
    @OptionGroup var calibration: CalibrationOptions

    @Option(help: "The prediction's name, such as visualAttention.")
    var prediction: String

    @Option(help: "Why, in words people will understand later.")
    var cause: String?

    func apply(_ action: CalibrationAction, otherwise usual: String) throws {
        guard let found = Prediction.named(prediction) else {
            throw Failure.misuse(String(describing: PredictionRefusal.unknown(prediction)))
        }
        let status = try calibration.desk().request(
            action, of: found, for: calibration.subject, cause: cause ?? usual, at: .now)
        StandardOutput.tell("\(found.name): \(status.name)")
    }
}

struct CalibrateRegister: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register", abstract: "Let a participant use a prediction: it needs calibration then.")

    @OptionGroup var change: ChangeOptions

    func run() throws { try change.apply(.register, otherwise: "registered") }
}

struct CalibrateBlock: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "block", abstract: "Close a prediction to a participant.")

    @OptionGroup var change: ChangeOptions

    func run() throws { try change.apply(.block, otherwise: "blocked") }
}

struct CalibrateUnblock: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock", abstract: "Open a blocked prediction again: it stands where it stood.")

    @OptionGroup var change: ChangeOptions

    func run() throws { try change.apply(.unblock, otherwise: "unblocked") }
}

struct CalibrateReset: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Start a participant's calibration again; recordings and history stay.")

    @OptionGroup var change: ChangeOptions

    func run() throws { try change.apply(.reset, otherwise: "reset") }
}

struct CalibrateExpire: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "expire", abstract: "Give up a model that is too old or has drifted: it needs calibration then.")

    @OptionGroup var change: ChangeOptions

    func run() throws { try change.apply(.expire, otherwise: "expired") }
}
