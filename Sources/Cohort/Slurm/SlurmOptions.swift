/// What a batch asks of a Slurm cluster.
public struct SlurmOptions: Hashable, Sendable {
    /// The partition; nil: the cluster's default.
    public var partition: String?
    /// The account that is charged; nil: the user's default.
    public var account: String?
    /// The longest a task may take, as Slurm writes it (`30`, `2:00:00`, `1-12`); nil: the partition's default.
    public var time: String?
    /// The memory of a task, as Slurm writes it (`2G`); nil: the cluster's default.
    public var memory: String?
    /// How many tasks may run at a time; nil: as many as the cluster allows.
    public var throttle: Int?
    /// Recordings per task.
    public var unitsPerTask = 1
    /// Workers, and so processors, per task.
    public var workersPerTask = 1
    /// Further options for sbatch, word for word, such as `--qos=long`.
    public var others: [String] = []

    /// The cluster's defaults.
    public init() {}

    /// The options as sbatch takes them, the array's own left out.
    var arguments: [String] {
        var list: [String] = []
        if let partition { list.append("--partition=\(partition)") }
        if let account { list.append("--account=\(account)") }
        if let time { list.append("--time=\(time)") }
        if let memory { list.append("--mem=\(memory)") }
        return list + ["--cpus-per-task=\(workersPerTask)"] + others
    }
}
