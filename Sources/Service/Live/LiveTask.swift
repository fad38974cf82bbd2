import Decoding
import Signals

/// A calibration task, by what its markers and its page tell of it.
struct LiveTask: Hashable, Sendable {
    /// Seconds without a marker after which it makes way where no page ever said that it is there: blocks are much shorter.
    static let longestSilence: Seconds = 120

    /// Its prediction's name.
    var name: String
    /// What tells it from others of its name; nil where nobody said.
    var seed: Int?
    /// When it was last heard of, seconds from the recording's start.
    var heard: Seconds
    /// Whether its page says every few seconds that it is there.
    var isAttended = false
    /// Whether it was done or given up.
    var isOver = false

    /// Whether it runs.
    /// - Parameter absence: seconds without a word of its page after which that is gone.
    func runs(at moment: Seconds, absence: Seconds) -> Bool {
        !isOver && moment - heard < (isAttended ? absence : Self.longestSilence)
    }

    /// What becomes of the task that ran last when a marker of a calibration task was recorded.
    static func after(_ marker: Marker, _ last: LiveTask?) -> LiveTask? {
        guard let name = TaskSpans.taskRunning(after: marker.label) else {
            var ended = last
            ended?.isOver = true
            return ended
        }
        guard var going = last, !going.isOver, going.name == name, !TaskSpans.beginsTask(marker.label) else {
            return LiveTask(name: name, seed: TaskSpans.seed(marker.label), heard: marker.onset)
        }
        going.heard = max(going.heard, marker.onset)
        return going
    }
}
