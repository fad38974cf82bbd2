import Foundation
import Kernels
public import Signals

/// The blocks of a calibration task as the page writes them into a recording: markers whose labels are words
/// `key=value`, such as `task=visualAttention event=blockBegin block=3 condition=attend`.
public struct TaskSpans: Sendable {
    /// The blocks of the task, in order of time, each with its state.
    public private(set) var spans: [CalibrationSpan] = []
    /// Whether the task was done to its end.
    public private(set) var isComplete = false
    /// Whether blocks ended with a rating, which tells their state.
    public private(set) var isRated = false

    static let states: [String: DecodedState] = [
        "attend": .high, "watch": .low, "listen": .high, "rest": .low, "high": .high, "low": .low, "neutral": .neutral,
    ]

    private struct Block {
        var time: Range<Seconds>
        var state: DecodedState?
        var rating: Double?
    }

    /// The blocks of the task of this prediction among `markers`, which are in order of time; without any, none.
    ///
    /// Blocks that end with a rating are of the high state above the person's median rating and of the low one below. Those
    /// at it are neutral, unless the task has neutral blocks of its own: then they count for nothing, as does a block that
    /// was not ended.
    public init(_ markers: [Marker], prediction: String) {
        var blocks: [Block] = []
        var open: (number: String, onset: Seconds, state: DecodedState?)?
        var places: [String: Int] = [:]
        for marker in markers {
            let words = Self.words(marker.label)
            guard words["task"] == prediction, let event = words["event"] else { continue }
            let number = words["block"] ?? ""
            switch event {
            case "taskBegin": (open, places) = (nil, [:])
            case "blockBegin": open = (number, marker.onset, words["condition"].flatMap { Self.states[$0] })
            case "blockEnd":
                guard let begun = open, begun.number == number, marker.onset > begun.onset else { break }
                places[number] = blocks.count
                blocks.append(Block(time: begun.onset..<marker.onset, state: begun.state))
                open = nil
            case "rating":
                if let place = places[number] { blocks[place].rating = words["rating"].flatMap { Double($0) } }
            case "taskEnd": isComplete = true
            default: break
            }
        }
        spans = Self.spans(blocks)
        isRated = blocks.contains { $0.state == nil && $0.rating != nil }
    }

    private static func spans(_ blocks: [Block]) -> [CalibrationSpan] {
        let ratings = blocks.compactMap(\.rating)
        let middle = ratings.isEmpty ? 0 : Statistics.median(ratings)
        let hasNeutral = blocks.contains { $0.state == .neutral }
        return blocks.compactMap { block in
            if let state = block.state { return CalibrationSpan(state: state, time: block.time) }
            guard let rating = block.rating else { return nil }
            if rating == middle { return hasNeutral ? nil : CalibrationSpan(state: .neutral, time: block.time) }
            let state: DecodedState = rating > middle ? .high : .low
            return CalibrationSpan(state: state, time: block.time)
        }
    }

    /// The prediction whose task a marker ended; nil for any other marker.
    public static func taskEnded(by label: String) -> String? {
        let words = words(label)
        return words["event"] == "taskEnd" ? words["task"] : nil
    }

    /// The task that runs when a marker was the last of its stream; nil where it ended one, or is no task's.
    public static func taskRunning(after label: String) -> String? {
        let words = words(label)
        return ["taskEnd", "taskAborted"].contains(words["event"]) ? nil : words["task"]
    }

    /// Whether a marker begins a task.
    public static func beginsTask(_ label: String) -> Bool { words(label)["event"] == "taskBegin" }

    /// Whether the block that a marker is of, where it names one, is a number: only such blocks can be told apart.
    public static func numbersBlock(_ label: String) -> Bool { words(label)["block"].map { Int($0) != nil } ?? true }

    /// The seed that a marker says its task was begun with, which tells it from others of its name; nil where it says none.
    public static func seed(_ label: String) -> Int? { words(label)["seed"].flatMap { Int($0) } }

    /// The marker that says that a task was given up.
    /// - Parameter reason: why, in a word; nil: it was left.
    public static func abortion(of task: String, because reason: String? = nil) -> String {
        "task=\(task) event=taskAborted" + (reason.map { " reason=\($0)" } ?? "")
    }

    /// The tasks that a marker names: one that is well made no more than one.
    public static func tasks(_ label: String) -> [String] { pairs(label).filter { $0.key == "task" }.map(\.value) }

    static func words(_ label: String) -> [String: String] {
        Dictionary(pairs(label).map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    }

    private static func pairs(_ label: String) -> [(key: String, value: String)] {
        label.split(separator: " ").compactMap { word in
            let parts = word.split(separator: "=", maxSplits: 1)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
    }
}
