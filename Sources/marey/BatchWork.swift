import ArgumentParser
import Cohort
import Foundation

/// The process that a batch starts for each of its workers; not for people.
struct BatchWork: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "work", abstract: "Compute the recordings named on standard input.", shouldDisplay: false)

    @Argument(help: "The output folder of the batch.")
    var folder: String

    @Option(help: "Bytes of memory it may hold.")
    var memory: Int?

    func run() throws {
        try BatchWorker(BatchFolder(URL(fileURLWithPath: folder, isDirectory: true)), memoryLimit: memory).run()
    }
}
