import ArgumentParser
import Cohort
import Foundation

struct BatchStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Where every recording of a batch stands, while it runs or later.",
        discussion: """
            Example: marey batch status results

            States: done; failed, with the reason; running; lost, when whoever was at it is gone (the next run takes \
            it up); pending, also when the recording has changed since; unreadable, when files of the batch are \
            somebody's who does not let you read them; orphaned, when the data set no longer has it. All is read from \
            the files of the output folder, so it works on any machine that sees them; where the data set is within \
            reach, its recordings are looked at, too. Told are the recordings that any run into the folder took on: after \
            --participant-label and the like alone those that were chosen.
            """)

    @Argument(help: "The output folder of the batch.")
    var folder: String

    @OptionGroup var output: OutputOptions

    func run() throws {
        let batch = BatchFolder(URL(fileURLWithPath: folder, isDirectory: true))
        guard try batch.isBegun() else {
            throw Failure.nothingDone("\(folder): no batch was ever run into this folder")
        }
        let status = BatchStatus(batch)
        try output.show(status.table)
        Terminal.note(status.summary)
        var faults: [String] = []
        let (damaged, unreadable) = (status.damaged, status.count(.unreadable))
        let all = status.rows.count + damaged.count
        if !damaged.isEmpty {
            faults.append("the plans of \(Listing.text(damaged)) are damaged; run the batch again")
        }
        if unreadable > 0 {
            faults.append(
                "where \(unreadable) of \(all) recordings stand cannot be read; ask the owner of the files for "
                    + "permission to read them")
        }
        guard faults.isEmpty else {
            throw Failure(
                code: unreadable + damaged.count == all ? ExitStatus.nothingDone : ExitStatus.someFailed,
                message: "\(folder): " + faults.joined(separator: "; "))
        }
    }
}
