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

    func run() throws { try Self.work(in: folder, memory: memory) }

    /// Works where the command line is one that a batch writes for its workers: it needs no parser, which takes longer than
    /// all else before they are ready.
    /// - Returns: whether it is.
    static func begin(_ words: [String]) throws -> Bool {
        guard words.count == 4 || words.count == 6, words[1] == "batch", words[2] == "work", !words[3].hasPrefix("-")
        else { return false }
        guard words.count == 6 else {
            try work(in: words[3], memory: nil)
            return true
        }
        guard words[4] == "--memory", let memory = Int(words[5]) else { return false }
        try work(in: words[3], memory: memory)
        return true
    }

    private static func work(in folder: String, memory: Int?) throws {
        try BatchWorker(BatchFolder(URL(fileURLWithPath: folder, isDirectory: true)), memoryLimit: memory).run()
    }
}
