import ArgumentParser
import Foundation
import Study

struct StudyErase: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Remove a participant from a study, with a receipt.",
        discussion: """
            Example: marey study erase my-study 07 --yes > receipt.json

            Raw recordings, results, models, logs, what waits in the outbox, rows of participants.tsv and of the
            bookkeeping go; files are overwritten before they are deleted. Tables over the group are deleted too: make
            them again with marey batch … group. Copies that were sent elsewhere are listed in the receipt and have to
            be deleted there. Without --yes nothing is done but to list the files.
            """)

    @Argument(help: "The study folder.")
    var folder: String

    @Argument(help: "The participant's label, with or without sub-.")
    var participant: String

    @Flag(help: "Do it.")
    var yes = false

    func run() throws {
        let study = try StudyFolder(opening: URL(fileURLWithPath: folder, isDirectory: true))
        guard let name = RunName(subject: participant) else {
            throw Failure.misuse("'\(participant)' is no participant label: letters and digits")
        }
        guard yes else {
            study.files(of: name.subject).forEach { print($0) }
            throw Failure.misuse("nothing was deleted; add --yes to delete these files and the bookkeeping's rows")
        }
        let receipt = try study.erase(name.subject)
        try OutputOptions.emitJSON(receipt)
        Terminal.note(
            "erased participant \(name.subject): \(receipt.files.count) files, \(receipt.bytes) bytes"
                + (receipt.copiesElsewhere.isEmpty
                    ? "" : "; \(receipt.copiesElsewhere.count) copies elsewhere have to be deleted there"))
    }
}
