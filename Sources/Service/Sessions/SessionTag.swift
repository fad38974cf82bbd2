import Acquisition
import Decoding
import Recorder
import Sessions
import Signals

extension SessionDesk {
    /// Something that happened.
    struct Tag: Sendable {
        var label: String
        /// Seconds from the recording's start; nil: now.
        var onset: Seconds?
    }

    /// Records tags.
    /// - Parameters:
    ///   - seed: of markers of a calibration task: what it was begun with; nil where nobody says.
    ///   - allowed: the predictions that whoever asks may use; nil: all.
    ///   - who: asks.
    /// - Throws: `Problem` when this session does not run, a tag is of a time to come or begins a second task,
    ///   or is of one after which another was begun, `PredictionRefusal` when one is of a task that may not be used; nothing
    ///   is recorded then.
    func tag(_ id: Int, _ tags: [Tag], stream: String, seed: Int?, allowed: Set<String>?, by who: String) async throws {
        let running = try find(id)
        let recorder = running.prepared.recorder
        let latest = recorder.onset(SystemTime.now) + Self.mostAhead
        let isOfTask = stream == Marker.calibrationStream
        guard tags.allSatisfy({ $0.onset ?? 0 <= latest }) else {
            throw Problem.invalid("“t” lies ahead of the recording: it is seconds from its start, as /time tells")
        }
        if isOfTask {
            let begin = tags.first { TaskSpans.beginsTask($0.label) }
            let picture = feed.picture
            if begin == nil, let seed, let last = picture.lastTask, last.seed != seed { throw Problem.taskOver }
            try Self.demandTask(tags, while: picture.task, allowed: allowed)
            if let begin, picture.task == nil, let left = picture.lastTask, !left.isOver {
                await running.session.tag(
                    abortion(of: left), at: begin.onset.map { recorder.startMoment + $0 }, stream: stream)
            }
        }
        for tag in tags {
            await running.session.tag(
                tag.label, at: tag.onset.map { recorder.startMoment + $0 }, stream: stream)
            guard isOfTask, let name = TaskSpans.taskEnded(by: tag.label), let prediction = Prediction.named(name),
                prediction.calibration == .ownTask
            else { continue }
            noteTask(prediction, by: who)
        }
    }

    /// The page of a calibration task says that it is there.
    /// - Throws: `Problem` when no session runs, or the task is not the one that was begun last, or is over.
    func attend(_ task: String, seed: Int) throws {
        let recorder = try find(running ?? 0).prepared.recorder
        guard feed.attend(task, seed: seed, at: recorder.onset(SystemTime.now)) else { throw Problem.taskOver }
    }

    /// The marker that says that a task was given up, and why where its page is gone.
    func abortion(of task: LiveTask) -> String {
        TaskSpans.abortion(of: task.name, because: feed.picture.task == nil ? "pageGone" : nil)
    }

    /// A calibration task was done: the participant stands at `calibrationDone` until the session is over and a model is
    /// fitted.
    private func noteTask(_ prediction: Prediction, by who: String) {
        guard let participant = feed.picture.session?.participant else { return }
        do {
            try CalibrationDesk(study, who: who).complete(
                prediction, of: participant, cause: "the task was done", at: now())
            if !calibrated.contains(prediction) { calibrated.append(prediction) }
        } catch { complain("after a task in session \(current?.id ?? 0): \(Discretion.text(error))") }
    }

    /// Looks at the markers of calibration tasks before any is recorded.
    /// - Parameter task: the task that runs: a second one would write its blocks among those of the first.
    /// - Throws: `PredictionRefusal` when one is of the task of a prediction that is not allowed, `Problem` when one begins
    ///   a task while another runs, or is of a block that is no number.
    static func demandTask(_ tags: [Tag], while task: String?, allowed: Set<String>?) throws {
        var running = task
        for tag in tags {
            _ = try Prediction.named(
                TaskSpans.tasks(tag.label).filter { Prediction.named($0) != nil }, allowed: allowed)
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

    /// A page learns that its task does not go on.
    static var taskOver: Problem {
        .conflict(
            "taskOver", "the task is over, or another was begun while nothing was heard of this one: begin it again")
    }
}
