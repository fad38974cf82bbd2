public import Foundation
import Yams

/// What is compared over a cohort: the section `comparisons` of study.yaml.
///
/// ```yaml
/// comparisons:
///   reference: rest                      # the condition, task, session others are compared with
///   events: "events/{subject}.tsv"       # where conditions are told, relative to the data set's folder
///   conditions: [rest, stress]           # which events count; all that last a time without this
/// ```
public struct GroupDesign: Hashable, Codable, Sendable {
    /// The condition, task or session that others are compared with; nil: one named rest, baseline, control or pre,
    /// else the first in order.
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
        guard let text = try? String(contentsOf: url, encoding: .utf8) else {
            throw CohortError(url, "cannot be read as UTF-8 text")
        }
        let known = Key.allCases.map(\.rawValue)
        do {
            guard let section = try Yams.compose(yaml: text)?.mapping?["comparisons"] else { return GroupDesign() }
            let keys = section.mapping?.keys.compactMap(\.string) ?? []
            if let unknown = keys.first(where: { !known.contains($0) }) {
                throw CohortError(
                    url, "comparisons: unknown entry \(unknown)", advice: "known are \(known.joined(separator: ", "))")
            }
            return try YAMLDecoder().decode(GroupDesign.self, from: Yams.serialize(node: section))
        } catch let error as CohortError {
            throw error
        } catch {
            throw CohortError(
                url, "comparisons: \(error)", advice: "reference and events are texts, conditions is a list of texts")
        }
    }
}
