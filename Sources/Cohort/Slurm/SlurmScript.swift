import Signals

/// One job array: which of the tasks it holds, and the script that each of them runs.
struct SlurmScript: Hashable {
    /// The first of its tasks, counted over all arrays of the batch.
    var firstTask: Int
    /// How many tasks it holds.
    var taskCount: Int

    /// The arrays for `tasks` tasks where an array may hold at most `limit`.
    static func arrays(tasks: Int, limit: Int) -> [SlurmScript] {
        stride(from: 0, to: tasks, by: max(1, limit)).map {
            SlurmScript(firstTask: $0, taskCount: min(max(1, limit), tasks - $0))
        }
    }

    /// The `--array` option.
    func array(throttle: Int?) -> String {
        "--array=0-\(taskCount - 1)" + (throttle.map { "%\($0)" } ?? "")
    }

    /// The script.
    /// - Parameter words: the command whose last word, the number of the task, is added.
    func text(_ words: [String]) -> String {
        let command = words.map(ShellWord.quoted).joined(separator: " ")
        return """
            #!/bin/sh
            exec \(command) "$((SLURM_ARRAY_TASK_ID + \(firstTask)))"

            """
    }
}
