import ArgumentParser
import Cohort
import Foundation
import Pipeline

/// Which recordings a batch is about, in the words of BIDS Apps.
struct BatchSelection: ParsableArguments {
    @Option(
        name: [.customLong("participant-label"), .customLong("participant_label")], parsing: .upToNextOption,
        help: "Only these participants, with or without sub-, or as the data set spells them.")
    var participants: [String] = []

    @Option(
        name: [.customLong("session-label"), .customLong("session_label")], parsing: .upToNextOption,
        help: "Only these sessions, with or without ses-.")
    var sessions: [String] = []

    @Option(
        name: [.customLong("task-label"), .customLong("task_label")], parsing: .upToNextOption,
        help: "Only these tasks, with or without task-.")
    var tasks: [String] = []

    @Flag(
        name: [.customLong("skip-bids-validation"), .customLong("skip_bids_validation")],
        help: """
            Take a folder that is no BIDS data set for one, and leave recordings out that do not tell whose they are; these \
            are named.
            """)
    var skipsValidation = false

    func validate() throws {
        let lists = [("--participant-label", participants), ("--session-label", sessions), ("--task-label", tasks)]
        for (option, labels) in lists {
            // Labels may be parted by commas and blanks.
            guard let empty = labels.first(where: { $0.allSatisfy { $0 == "," || $0 == " " } }) else { continue }
            throw ValidationError(
                "\(option) '\(empty)' names nobody and nothing; leave it out where all are meant")
        }
    }

    var selection: UnitSelection { UnitSelection(participants: participants, sessions: sessions, tasks: tasks) }
}

/// What a batch may use of the machine.
struct BatchMachine: ParsableArguments {
    @Option(
        name: [.customLong("n-cpus"), .customLong("n_cpus"), .customLong("nprocs")],
        help: "How many recordings are worked on at a time (default: one per core).")
    var workers: Int?

    @Option(
        name: [.customLong("mem-gb"), .customLong("mem_gb")],
        help: "The memory that all workers together may hold, in GB; a recording that needs more than its share fails.")
    var memory: Double?

    @Option(name: [.customShort("w"), .customLong("work-dir")], help: "The folder for temporary files.")
    var temporary: String?

    func validate() throws {
        if let workers, workers < 1 { throw ValidationError("--n-cpus must be at least 1") }
        if let memory, !(memory > 0 && memory < 1e6) {
            throw ValidationError(
                "--mem-gb \(memory): it must be above 0 and below 1000000; without it there is no limit")
        }
    }

    var workerCount: Int { workers ?? ProcessInfo.processInfo.activeProcessorCount }
    /// Bytes for one worker where `units` recordings are to be computed: there are no more workers than that.
    func memoryLimit(for units: Int) -> Int? { memory.map { Int($0 * 1e9) / max(1, min(workerCount, units)) } }

    /// What computes `units` recordings.
    func executor(for units: Int) throws -> LocalExecutor {
        let folder = temporary.map { URL(fileURLWithPath: $0, isDirectory: true) }
        if let folder { try CohortFolder.make(folder) }
        return LocalExecutor(
            worker: (Self.program, ["batch", "work"]), count: workerCount, memoryLimit: memoryLimit(for: units),
            temporary: folder)
    }

    /// The cluster's job that this is a part of; nil outside of a cluster.
    static var job: String? { ProcessInfo.processInfo.environment["SLURM_JOB_ID"] }

    /// This program.
    static var program: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    }
}

/// The levels of a BIDS App.
enum BatchLevel: String, ExpressibleByArgument, CaseIterable {
    case participant, group
}
