import ArgumentParser
import Cohort
import Foundation

/// Where a batch computes.
enum BatchExecutor: String, ExpressibleByArgument, CaseIterable {
    case local, slurm
}

/// What a batch asks of a cluster.
struct BatchCluster: ParsableArguments {
    @Option(help: "Where to compute: local (this machine) or slurm (job arrays).")
    var executor: BatchExecutor = .local

    @Option(help: "slurm: the partition.")
    var partition: String?

    @Option(help: "slurm: the account to charge.")
    var account: String?

    @Option(help: "slurm: the longest a task may take, such as 30 (minutes) or 2:00:00.")
    var time: String?

    @Option(help: "slurm: the memory of a task, such as 2G.")
    var mem: String?

    @Option(help: "slurm: how many tasks may run at a time.")
    var throttle: Int?

    @Option(help: "slurm: recordings per task (default 1).")
    var unitsPerTask: Int?

    @Option(help: "slurm: a further option for sbatch, word for word, as often as wanted: --sbatch=--qos=long.")
    var sbatch: [String] = []

    @Flag(help: "slurm: submit and do not wait.")
    var noWait = false

    @Flag(help: "slurm: on Ctrl-C take the jobs out of the queue; else they go on.")
    var cancelOnInterrupt = false

    func validate() throws {
        if let throttle, throttle < 1 { throw ValidationError("--throttle must be at least 1") }
        if let unitsPerTask, !(1...1_000_000).contains(unitsPerTask) {
            throw ValidationError("--units-per-task must be 1 to 1000000")
        }
        guard executor == .local, let option = given else { return }
        throw ValidationError("\(option) asks something of a cluster: it goes with --executor slurm")
    }

    /// The first option that a cluster alone can follow.
    private var given: String? {
        let asked: [(name: String, isGiven: Bool)] = [
            ("--partition", partition != nil), ("--account", account != nil), ("--time", time != nil),
            ("--mem", mem != nil), ("--throttle", throttle != nil), ("--units-per-task", unitsPerTask != nil),
            ("--sbatch", !sbatch.isEmpty), ("--no-wait", noWait), ("--cancel-on-interrupt", cancelOnInterrupt),
        ]
        return asked.first { $0.isGiven }?.name
    }

    /// The cluster, asked for workers as `machine` says.
    func slurm(_ machine: BatchMachine) -> SlurmExecutor {
        var options = SlurmOptions()
        (options.partition, options.account, options.time, options.memory) = (partition, account, time, mem)
        (options.throttle, options.others) = (throttle, sbatch)
        options.unitsPerTask = unitsPerTask ?? 1
        options.workersPerTask = machine.workers ?? 1
        var executor = SlurmExecutor(Slurm(), options, worker: (BatchMachine.program, ["batch", "task"]))
        executor.memoryLimit = machine.memory.map {
            Int($0 * 1e9) / min(options.workersPerTask, options.unitsPerTask)
        }
        executor.temporary = machine.temporary.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
        return executor
    }
}
