import Foundation

/// The commands of a Slurm cluster that a batch needs; accounting (`sacct`) is not among them.
public struct Slurm: Sendable {
    /// The task of a job array that this process is a part of, such as `12_3`; nil elsewhere.
    public static var task: String? {
        func word(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        return word("SLURM_ARRAY_JOB_ID").map { $0 + "_" + (word("SLURM_ARRAY_TASK_ID") ?? "") }
    }

    /// What a command left behind.
    public struct Outcome: Sendable {
        /// Its exit code.
        public var status: Int32
        /// What it wrote.
        public var output: String
        /// What it complained of.
        public var messages: String

        /// A command that ended so.
        public init(status: Int32, output: String, messages: String = "") {
            self.status = status
            self.output = output
            self.messages = messages
        }
    }

    /// A task, or several waiting tasks, of a job in the queue.
    struct Entry: Hashable {
        /// Such as `12_3` or `12_[4-9%2]`.
        var job: String
        /// Such as `RUNNING`.
        var state: String
        /// Why it waits.
        var reason: String

        /// Whether it waits for nodes that are out of service.
        var waitsForNodes: Bool { state == "PENDING" && reason.contains("DRAINED") }

        /// Whether it will never start by itself.
        var isHeld: Bool {
            state == "PENDING" && (reason.lowercased().contains("held") || reason == "DependencyNeverSatisfied")
        }
    }

    /// Runs a command with what it reads from standard input.
    let run: @Sendable (_ words: [String], _ input: String?) throws -> Outcome

    /// The cluster whose commands are in the path.
    public init() {
        run = { try CommandOutput.run($0, input: $1) }
    }

    /// A cluster that answers as `run` does.
    public init(run: @escaping @Sendable (_ words: [String], _ input: String?) throws -> Outcome) {
        self.run = run
    }

    /// The most tasks of one array: Slurm's `MaxArraySize` is one more than the highest index.
    func arrayLimit() throws -> Int {
        let outcome = try run(["scontrol", "show", "config"], nil)
        guard outcome.status == 0 else { throw failure("scontrol show config", outcome) }
        for line in outcome.output.split(separator: "\n") where line.hasPrefix("MaxArraySize") {
            if let size = line.split(separator: "=").last.flatMap({ Int($0.trimmingCharacters(in: .whitespaces)) }) {
                guard size > 1 else { break }
                return size
            }
        }
        throw CohortError("the cluster allows no job arrays (MaxArraySize)")
    }

    /// Submits a script.
    /// - Returns: the job's number.
    func submit(_ script: String, _ options: [String]) throws -> String {
        let outcome = try run(["sbatch", "--parsable"] + options, script)
        // With several clusters the number is followed by the cluster's name.
        let job = outcome.output.trimmingCharacters(in: .whitespacesAndNewlines).split(separator: ";").first
        guard outcome.status == 0, let job, Int(job) != nil else { throw failure("sbatch", outcome) }
        return String(job)
    }

    /// What is left of `jobs` in the queue; nil when the controller does not answer.
    func queue(_ jobs: [String]) -> [Entry]? {
        guard !jobs.isEmpty else { return [] }
        let words = ["squeue", "--noheader", "--jobs=" + jobs.joined(separator: ","), "--format=%i|%T|%r"]
        guard let outcome = try? run(words, nil) else { return nil }
        guard outcome.status == 0 else {
            // All of them are so long gone that the controller has forgotten them.
            return outcome.messages.contains("Invalid job id") ? [] : nil
        }
        return outcome.output.split(separator: "\n").compactMap { line in
            let words = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            return words.count == 3 ? Entry(job: words[0], state: words[1], reason: words[2]) : nil
        }
    }

    /// Lets a held task go.
    func release(_ job: String) { _ = try? run(["scontrol", "release", job], nil) }

    /// Takes jobs out of the queue and ends those that run.
    public func cancel(_ jobs: [String]) {
        guard !jobs.isEmpty else { return }
        _ = try? run(["scancel"] + jobs, nil)
    }

    private func failure(_ command: String, _ outcome: Outcome) -> CohortError {
        let words = outcome.messages.split(separator: "\n").first.map(String.init) ?? "it ended with \(outcome.status)"
        return CohortError("\(command): \(words)")
    }
}
