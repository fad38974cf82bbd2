import ArgumentParser
import Cohort
import Foundation
import Signals
import Study

struct StudyErase: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Remove a participant from a study, with a receipt.",
        discussion: """
            Example: marey study erase my-study 07 --yes > receipt.json

            Raw recordings, events, results, models, logs, what waits in the outbox, rows of participants.tsv, of other \
            tables that list participants and of the bookkeeping go, in the study and in the folders that marey batch \
            wrote its results and exports to; files are overwritten before they are deleted. Tables over the group are \
            deleted too: make them again with marey batch … group. Copies that were sent elsewhere are listed in the \
            receipt and have to be deleted there; what could not be erased is listed, too, and the verb ends with 1. The \
            output of a batch can be given instead of a study. Without --yes nothing is done but to list the files, \
            and to name on standard error what would be left and what lies elsewhere: the verb ends with 0, and nothing \
            was deleted.
            """)

    @Argument(help: "The study folder, or the output of a batch.")
    var folder: String

    @Argument(help: "The participant's label, with or without sub-, or as the data set spells it.")
    var participant: String

    @Flag(help: "Do it.")
    var yes = false

    /// What was done cannot be asked for again: where the receipt cannot be printed it goes to standard error.
    private func print(_ receipt: ErasureReceipt) throws {
        do { try OutputOptions.emitJSON(receipt) } catch {
            try? FileHandle.standardError.write(contentsOf: OutputOptions.json(receipt))
            throw Failure(
                code: ExitStatus.someFailed,
                message:
                    "participant \(receipt.participant) was erased, but the receipt could not be written to standard "
                    + "output; it stands above")
        }
    }

    func run() throws {
        let study = try StudyFolder(opening: URL(fileURLWithPath: folder, isDirectory: true))
        guard let label = try study.participantLabel(of: participant) else {
            throw Failure.misuse("'\(participant)' is no participant label: letters and digits")
        }
        let others = try study.configuredFiles(of: label)
        guard yes else {
            let foreseen = try study.foreseenErasure(of: label, others: others)
            foreseen.files.forEach { StandardOutput.print($0) }
            for (path, words) in foreseen.left.sorted(by: { $0.key < $1.key }) {
                Terminal.note("would be left: \(path): \(words)")
            }
            foreseen.copiesElsewhere.forEach { Terminal.note("would not be deleted: \($0)") }
            if let remark = foreseen.remark { Terminal.note(remark) }
            return Terminal.note("nothing was deleted; add --yes to delete these files and the bookkeeping's rows")
        }
        let receipt = try study.erase(label, others: others)
        try print(receipt)
        let copies = receipt.copiesToDelete.count
        Terminal.note(
            "erased participant \(label): \(receipt.files.count.counted("file")), \(receipt.bytes.counted("byte"))"
                + (copies == 0 ? "" : "; \(copies.counted("copy", "copies")) elsewhere to be deleted there"))
        if let remark = receipt.remark { Terminal.note(remark) }
        guard receipt.left.isEmpty else {
            let left = receipt.left.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            throw Failure(
                code: ExitStatus.someFailed, message: "left, erase again when mended:\n" + left.joined(separator: "\n"))
        }
    }
}
