public import Formats
public import Foundation
import Pipeline
import Signals

/// How the recordings of a cohort that is no BIDS data set are found: the section `cohort` of study.yaml.
///
/// ```yaml
/// cohort:
///   recordings: "{subject}/{session}/*.zip"   # a pattern or a list of patterns, relative to the data set's folder
///   task: protocol                            # labels that the patterns do not tell
/// ```
public struct CohortMapping: Hashable, Codable, Sendable {
    /// Patterns with `{subject}` and, where wanted, `{session}`, `{task}` and `{run}`; `*`, `?` and `**` stand for
    /// anything, one character, and any folders.
    public var recordings: [String]
    /// The session of recordings whose pattern tells none.
    public var session: String?
    /// The task of recordings whose pattern tells none.
    public var task: String?
    /// What the columns of delimited text are, and those of BIDS physio that its sidecar names.
    public var columns: ColumnMap?

    /// Recordings that fit `patterns`.
    public init(recordings patterns: [String], session: String? = nil, task: String? = nil, columns: ColumnMap? = nil) {
        recordings = patterns
        self.session = session
        self.task = task
        self.columns = columns
    }

    private enum Key: String, CodingKey, CaseIterable { case recordings, session, task, columns }

    /// Decodes a section; `recordings` may be one pattern or a list.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if let one = try? container.decode(String.self, forKey: .recordings) {
            recordings = [one]
        } else {
            recordings = try container.decode([String].self, forKey: .recordings)
            guard !recordings.isEmpty else {
                throw DecodingError.dataCorruptedError(
                    forKey: .recordings, in: container,
                    debugDescription: "the list is empty, expected one pattern or more")
            }
        }
        session = try container.decodeIfPresent(String.self, forKey: .session)
        task = try container.decodeIfPresent(String.self, forKey: .task)
        columns = try container.decodeIfPresent(ColumnMap.self, forKey: .columns)
        func refuse(_ problem: String) -> DecodingError {
            .dataCorruptedError(forKey: .columns, in: container, debugDescription: problem)
        }
        if let rate = columns?.sampleRate, !Plausible.sampleRates.contains(rate) {
            throw refuse("a sampleRate of \(rate) Hz is not possible, expected a finite number above 0")
        }
        if let rows = columns?.skipRows, rows < 0 {
            throw refuse("skipRows is \(rows), expected a number of lines, from 0 on")
        }
        if let problem = columns.flatMap(WrittenColumns.wrongCharacter) { throw refuse(problem) }
    }

    /// The section `cohort` of a YAML file; nil where the file has none.
    /// - Throws: `CohortError` when the file cannot be read or the section makes no sense.
    public static func read(_ url: URL) throws -> CohortMapping? {
        try StudySection.read(
            named: "cohort", known: Key.allCases.map(\.rawValue), from: url,
            advice: "it needs recordings: a pattern such as \"{subject}/{session}.zip\", or a list of patterns",
            choices: WrittenColumns.choices(in: "columns.")
        ) { entries in
            guard let columns = entries["columns"] else { return }
            try WrittenSettings.demandKnown(
                columns, like: WrittenColumns.complete, at: "cohort.columns", file: url.relativePath)
        }
    }

    /// The recordings below `root` that fit a pattern, in order of their labels. One that fits several is taken by the
    /// first of them.
    /// - Throws: `CohortError` when a pattern makes no sense, a folder cannot be listed, or two recordings get the same
    ///   labels.
    public func units(in root: URL) throws -> [CohortUnit] {
        var units: [BIDSLabels: CohortUnit] = [:]
        var taken: Set<String> = []
        for text in recordings {
            for (path, captured) in try PathPattern(text).matches(in: root) where taken.insert(path).inserted {
                var labels = captured
                if let session, labels["session"] == nil { labels["session"] = session }
                if let task, labels["task"] == nil { labels["task"] = task }
                guard let name = BIDSLabels(labels: labels) else {
                    let isRun = labels["run"].map { Int($0).map { $0 < 1 } ?? true } ?? false
                    throw CohortError(
                        "\(path): the pattern '\(text)' gives "
                            + (isRun
                                ? "the run '\(labels["run"] ?? "")', which is no number from 1 on"
                                : "labels without letters or digits"),
                        advice: isRun
                            ? "runs are counted; what else tells recordings apart is a {session} or a {task}" : nil)
                }
                let unit = CohortUnit(name, at: path, in: root, columns: columns, captured: labels)
                if let other = units[name] {
                    throw CohortError(
                        "\(path) and \(other.recording) would both be \(unit.stem)",
                        advice: "tell them apart in the pattern with {session}, {task} or {run}")
                }
                units[name] = unit
            }
        }
        return units.values.sorted { $0.stem < $1.stem }
    }
}
