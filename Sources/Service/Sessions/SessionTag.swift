import Decoding
import Signals

extension SessionDesk {
    /// Something that happened.
    struct Tag: Sendable {
        var label: String
        /// Seconds from the recording's start; nil: now.
        var onset: Seconds?
    }

    /// Looks at the markers of calibration tasks before any is recorded.
    /// - Parameter task: the task that runs: a second one would write its blocks among those of the first.
    /// - Throws: `PredictionRefusal` when one is of the task of a prediction that is not allowed, `Problem` when one begins
    ///   a task while another runs, or is of a block that is no number.
    static func demandTask(_ tags: [Tag], while task: String?, allowed: Set<String>?) throws {
        var running = task
        for tag in tags {
            let tasks = tag.label.split(separator: " ").filter { $0.hasPrefix("task=") }.map { String($0.dropFirst(5)) }
            _ = try Prediction.named(tasks.filter { Prediction.named($0) != nil }, allowed: allowed)
            guard TaskSpans.numbersBlock(tag.label) else { throw Problem.invalid("a marker's “block” is a number") }
            if let running, TaskSpans.beginsTask(tag.label) { throw Problem.taskRunning(running) }
            running = TaskSpans.taskRunning(after: tag.label)
        }
    }
}

extension Problem {
    /// A task is done at a time.
    static func taskRunning(_ task: String) -> Problem {
        .conflict("taskRunning", "the task for \(task) runs already: wait until it is over")
    }
}
