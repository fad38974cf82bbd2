public import Foundation
import Study

/// What is compared over a cohort: the section `comparisons` of study.yaml.
///
/// ```yaml
/// comparisons:
///   reference: rest                      # the condition, task, session, group others are compared with;
///                                        # { nback: 0back, stress: baseline } for the conditions of each task
///   events: "events/{subject}.tsv"       # where conditions are told, relative to the data set's folder
///   conditions: [rest, stress]           # which events count; all that last a time without this
///   momentsLast: untilNext               # the length of a tag: to the next one, or in seconds
///   momentsEnd: [end]                    # other events that end a tag's condition
///   include: [sustainedInactivity]       # indexes that are compared only if they are named
///   windows: condition                   # where windows begin: with the condition, or recording: as in the recording's tables
///   runs: average                        # runs are repetitions, or match: run 1 of one task is compared with run 1 of another
/// ```
public struct GroupDesign: Hashable, Sendable {
    /// The condition, task, session or group of people that others are compared with; nil: one named rest, baseline, control or pre,
    /// else the first in order, in which numbers count as numbers.
    public var reference: String?
    /// The condition of each task that its others are compared with, by what the task is called.
    public var taskReferences: [String: String] = [:]
    /// Where the events of a recording are: a path with `{subject}`, `{session}`, `{task}` and `{run}`. nil: BIDS's
    /// `…_events.tsv` beside the recording.
    public var events: String?
    /// The events that are conditions; nil: all that last a time.
    public var conditions: [String]?

    /// The length of an event without a duration, such as a tag; nil: it is a moment, and no condition.
    public var momentsLast: MomentLength?
    /// Other events that end the condition of such an event.
    public var momentsEnd: [String] = []

    /// Indexes that are compared although they are not by default: names of `uncompared`.
    public var include: [String] = []

    /// Indexes that are not compared by default, as what they mean depends on what people were asked to do: sustained
    /// inactivity of a wrist counts sitting still.
    static let uncompared = ["sustainedInactivity"]

    /// True for an index that is compared.
    func compares(_ index: String) -> Bool { !Self.uncompared.contains(index) || include.contains(index) }

    /// Where the windows of a condition begin.
    public var windows = WindowOrigin.condition
    /// The role of runs in comparisons of tasks and of sessions.
    public var runs = RunRole.average

    /// Where windows begin.
    public enum WindowOrigin: String, Codable, CaseIterable, Sendable {
        /// With the condition. Heart rate, mean NN interval and RMSSD are computed over all accepted intervals of the condition.
        case condition
        /// At multiples of the step from the recording's start, as in the recording's own tables: those within the
        /// condition count.
        case recording
    }

    /// A role of runs.
    public enum RunRole: String, Codable, CaseIterable, Sendable {
        /// Repetitions of a task: averaged.
        case average
        /// A circumstance: only runs of the same number are compared.
        case match
    }

    /// The length that an event without a duration is given.
    public enum MomentLength: Hashable, Sendable {
        /// To the next event that begins or ends a condition.
        case untilNext
        /// A number of seconds.
        case seconds(Double)
    }

    /// What is compared without a word from the study.
    public init() {}

    /// What the conditions of a task are compared with, where that is named for it.
    func taskReference(_ task: String) -> String? {
        taskReferences.sorted { $0.key < $1.key }.first { Self.isTask(task, called: $0.key) }?.value
    }

    /// Whether a task's label is what a data set makes of a name.
    static func isTask(_ task: String, called name: String) -> Bool {
        let name = name.hasPrefix("task-") ? String(name.dropFirst(5)) : name
        return RunName.label(from: name).lowercased() == task.lowercased()
    }

    private enum Key: String, CaseIterable, CodingKey {
        case reference, events, conditions, momentsLast, momentsEnd, include, windows, runs
    }

    /// The section `comparisons` of a YAML file; the defaults where the file has none.
    /// - Throws: `CohortError` when the file cannot be read or the section makes no sense.
    public static func read(_ url: URL) throws -> GroupDesign {
        try StudySection.read(
            named: "comparisons", known: Key.allCases.map(\.rawValue), from: url,
            advice:
                "reference and events are texts, conditions is a list such as [rest, stress]; reference may tell a condition "
                + "for each task, such as { nback: 0back }; momentsLast is untilNext or a number of seconds, "
                + "momentsEnd and include are lists; "
                + "windows is condition or recording, runs is average or match"
        ) ?? GroupDesign()
    }
}

extension GroupDesign: Codable {
    /// What the section says; `reference` is one text, or one for each task.
    public init(from decoder: any Decoder) throws {
        self.init()
        let entries = try decoder.container(keyedBy: Key.self)
        events = try entries.decodeIfPresent(String.self, forKey: .events)
        conditions = try entries.decodeIfPresent([String].self, forKey: .conditions)
        momentsEnd = try entries.decodeIfPresent([String].self, forKey: .momentsEnd) ?? []
        include = try entries.decodeIfPresent([String].self, forKey: .include) ?? []
        if let unknown = include.first(where: { !Self.uncompared.contains($0) }) {
            throw DecodingError.dataCorruptedError(
                forKey: .include, in: entries,
                debugDescription:
                    "'\(unknown)' is compared anyway, or is no index; include names what is not compared by "
                    + "default: \(Self.uncompared.joined(separator: ", "))")
        }
        windows = try entries.decodeIfPresent(WindowOrigin.self, forKey: .windows) ?? .condition
        runs = try entries.decodeIfPresent(RunRole.self, forKey: .runs) ?? .average
        if let seconds = try? entries.decodeIfPresent(Double.self, forKey: .momentsLast) {
            guard seconds >= ConditionEvents.shortest, seconds <= 1e6 else {
                throw DecodingError.dataCorruptedError(
                    forKey: .momentsLast, in: entries,
                    debugDescription: "momentsLast is untilNext, or seconds from \(ConditionEvents.shortest) on")
            }
            momentsLast = .seconds(seconds)
        } else if let word = try entries.decodeIfPresent(String.self, forKey: .momentsLast) {
            guard word == "untilNext" else {
                throw DecodingError.dataCorruptedError(
                    forKey: .momentsLast, in: entries, debugDescription: "momentsLast is untilNext, or seconds")
            }
            momentsLast = .untilNext
        }
        do {
            reference = try entries.decodeIfPresent(String.self, forKey: .reference)
        } catch {
            guard let own = try? entries.decode([String: String].self, forKey: .reference) else { throw error }
            taskReferences = own
        }
    }

    /// Writes what `init(from:)` reads.
    public func encode(to encoder: any Encoder) throws {
        var entries = encoder.container(keyedBy: Key.self)
        try entries.encodeIfPresent(events, forKey: .events)
        try entries.encodeIfPresent(conditions, forKey: .conditions)
        switch momentsLast {
        case .untilNext: try entries.encode("untilNext", forKey: .momentsLast)
        case .seconds(let seconds): try entries.encode(seconds, forKey: .momentsLast)
        case nil: break
        }
        if !include.isEmpty { try entries.encode(include, forKey: .include) }
        if !momentsEnd.isEmpty { try entries.encode(momentsEnd, forKey: .momentsEnd) }
        if windows != .condition { try entries.encode(windows, forKey: .windows) }
        if runs != .average { try entries.encode(runs, forKey: .runs) }
        if taskReferences.isEmpty {
            try entries.encodeIfPresent(reference, forKey: .reference)
        } else {
            try entries.encode(taskReferences, forKey: .reference)
        }
    }
}
