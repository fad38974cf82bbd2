import ArgumentParser
import Cohort
import Foundation

/// One task of a cluster's job array; not for people.
struct BatchTask: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "task", abstract: "Compute the recordings of one task of a job array.", shouldDisplay: false)

    @Argument(help: "The output folder of the batch.")
    var folder: String

    @Option(help: "The list of recordings.")
    var list: String

    @Option(help: "Recordings per task.")
    var units: Int

    @Option(help: "Bytes of memory a worker may hold.")
    var memory: Int?

    @OptionGroup var machine: BatchMachine

    @Option(help: "The number of the task.")
    var task: Int

    func run() throws {
        let folder = BatchFolder(URL(fileURLWithPath: folder, isDirectory: true))
        if let task = Slurm.task { folder.noteBegin(of: task) }
        let plans = try folder.plans(ofTask: task, unitsPerTask: units, list: URL(fileURLWithPath: list))
        let open = plans.filter { folder.state(of: $0) != .done }
        var executor = try machine.executor(for: open.count)
        if let memory { executor.memoryLimit = memory }
        try executor.run(open, in: folder) { event in
            if case .ended(let plan, let state) = event { StandardOutput.tell("\(plan.unit.stem): \(state.rawValue)") }
        }
        if let task = Slurm.task { folder.noteEnd(of: task) }
        let failed = plans.filter { folder.state(of: $0) == .failed }.count
        if failed > 0 { throw Failure(code: ExitStatus.someFailed, message: "\(failed) of \(plans.count) failed") }
    }
}
