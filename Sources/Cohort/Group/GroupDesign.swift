public import Foundation

/// What is compared over a cohort: the section `comparisons` of study.yaml.
///
/// ```yaml
/// comparisons:
///   reference: rest                      # the condition, task, session, group others are compared with
///   events: "events/{subject}.tsv"       # where conditions are told, relative to the data set's folder
///   conditions: [rest, stress]           # which events count; all that last a time without this
/// ```
public struct GroupDesign: Hashable, Codable, Sendable {
    /// The condition, task, session or group of people that others are compared with; nil: one named rest, baseline, control or pre,
    /// else the first in order, in which numbers count as numbers.
    public var reference: String?
    /// Where the events of a recording are: a path with `{subject}`, `{session}`, `{task}` and `{run}`. nil: BIDS's
    /// `…_events.tsv` beside the recording.
    public var events: String?
    /// The events that are conditions; nil: all that last a time.
    public var conditions: [String]?

    /// What is compared without a word from the study.
    public init() {}

    private enum Key: String, CaseIterable { case reference, events, conditions }

    /// The section `comparisons` of a YAML file; the defaults where the file has none.
    /// - Throws: `CohortError` when the file cannot be read or the section makes no sense.
    public static func read(_ url: URL) throws -> GroupDesign {
        try StudySection.read(
            named: "comparisons", known: Key.allCases.map(\.rawValue), from: url,
            advice: "reference and events are texts, conditions is a list such as [rest, stress]") ?? GroupDesign()
    }
}
