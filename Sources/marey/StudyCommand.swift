import ArgumentParser
import Cohort
import Formats
import Foundation
import Pipeline
import Sessions
import Signals
import Study

struct StudyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "study", abstract: "Make and look after a study folder.",
        discussion: """
            Example: marey study init my-study --name "Stress at work"
                     marey study add my-study session.zip --subject 01 --session 1 \\
                       --task rest
                     marey analyze my-study
            """,
        subcommands: [
            StudyInit.self, StudyAdd.self, StudyStatus.self, StudyValidate.self, StudyErase.self, StudyKeysCommand.self,
            StudyPlacesCommand.self,
        ])
}

extension Timestamp {
    /// The moment it is.
    static var now: Timestamp { Timestamp(secondsSince1970: Date().timeIntervalSince1970) }
}

struct StudyInit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Make a new study: a BIDS dataset with its bookkeeping.")

    @Argument(help: "The folder to make.")
    var folder: String

    @Option(help: "The study's name (default: the folder's).")
    var name: String?

    func run() throws {
        let root = URL(fileURLWithPath: folder, isDirectory: true)
        _ = try StudyFolder.create(
            at: root, name: name ?? root.standardizedFileURL.lastPathComponent, version: MareyVersion.current
        ) { _ = try Bookkeeping($0) }
        let word = ShellWord.quoted(folder)
        StandardOutput.tell("made the study \(folder); add recordings with: marey study add \(word) FILE --subject 01")
    }
}

struct StudyAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Copy a recording into the study's raw data and note it.",
        discussion: """
            One that lies in its place already is noted as it is, as after the bookkeeping was lost: marey study validate \
            lists such recordings. Two recordings cannot have the same labels, whatever their formats.
            """)

    @Argument(help: "The study folder.")
    var folder: String

    @Argument(help: "The recording.")
    var file: String

    @Option(help: "Participant label: letters and digits.")
    var subject: String

    @Option(help: "Session label.")
    var session: String?

    @Option(help: "Task label.")
    var task: String?

    @Option(name: .customLong("run"), help: "Run number, from 1 on.")
    var number: Int?

    func run() throws {
        guard let name = RunName(subject: subject, session: session, task: task, run: number) else {
            throw Failure.misuse(
                RunName.problem(subject: subject, session: session, task: task, run: number)
                    ?? "these labels name no run")
        }
        let study = try StudyFolder(opening: URL(fileURLWithPath: folder, isDirectory: true))
        let added = try StudyImport(study: study, name: name).add(URL(fileURLWithPath: file), at: .now)
        StandardOutput.tell("added \(added)")
        let copies = try study.copies(of: added)
        if !copies.isEmpty {
            Terminal.note("\(added): holds the same bytes as \(copies.joined(separator: ", ")): is one of them a copy?")
        }
    }
}

struct StudyStatus: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "List the runs of a study and where each stands.")

    @Argument(help: "The study folder.")
    var folder: String

    @OptionGroup var output: OutputOptions

    func run() throws {
        let study = try StudyFolder(opening: URL(fileURLWithPath: folder, isDirectory: true))
        try output.show(StudyTables.status(of: study))
    }
}

struct StudyValidate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Check a study's layout, settings, bookkeeping, raw data, results and models.",
        discussion: """
            Ends with 1 when it finds an error. Every recording, every result and every model's card is read and compared \
            with its noted SHA-256. Results that are missing, truncated or altered are errors; results of another version \
            or of other parameters, and recordings that hold the same bytes, are warnings.
            """)

    @Argument(help: "The study folder.")
    var folder: String

    @Flag(help: "Do not read recordings and models; check only that they are there.")
    var skipHashes = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let study = try StudyFolder(opening: URL(fileURLWithPath: folder, isDirectory: true))
        let findings =
            try study.findings(hash: skipHashes ? nil : { try StudyImport.hash(of: $0) })
            + study.settingsFindings() + study.resultFindings(readsRecordings: !skipHashes)
            + CalibrationDesk(study).modelFindings(readsCards: !skipHashes)
        if json {
            try OutputOptions.emitJSON(findings)
        } else {
            findings.forEach { StandardOutput.print("\($0)") }
        }
        let errors = findings.count { $0.severity == .error }
        Terminal.note("\(errors.counted("error")), \((findings.count - errors).counted("warning"))")
        if errors > 0 { throw Failure(code: ExitStatus.someFailed, message: "") }
    }
}
