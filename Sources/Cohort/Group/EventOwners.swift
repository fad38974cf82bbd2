import Formats
import Foundation
import Study

/// The participants of the rows of one table of events for a cohort, by its column of participants.
struct EventOwners {
    /// The names of columns of participants, without case, blanks and punctuation.
    private static let names: Set<String> = [
        "participant", "participants", "participantid", "participantlabel", "participantcode", "subject", "subjects",
        "subjectid", "subjectlabel", "subjectcode", "sub", "subid", "subj", "subjid", "person", "personid", "patient",
        "patientid", "proband", "probandid", "vp", "vpn", "ppt", "pid",
    ]
    /// The names of columns of sessions, tasks and runs, by entity.
    private static let others: [String: Set<String>] = [
        "session": ["session", "sessionid", "sessionlabel", "ses"], "task": ["task", "tasklabel"],
        "run": ["run", "runid"],
    ]

    /// The column of participants, as the table writes it.
    let column: String
    /// The participant of each row, by label; nil where none of the cohort's is called so.
    private let owners: [String?]
    /// The texts of cells that match no participant, in the order they first come.
    let unknown: [String]
    /// The number of rows without a participant.
    let missing: Int
    /// The cells of the columns of sessions, tasks and runs, by entity.
    private var cells: [String: [String?]] = [:]

    /// The owners of a table's rows; nil where it has no such column.
    /// - Parameter units: all recordings of the cohort.
    init?(_ table: TextTable, of units: [CohortUnit]) throws {
        func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
        guard let column = table.names.first(where: { Self.names.contains(plain($0)) }) else { return nil }
        self.column = column
        let texts = try table.texts(column)
        let labels = Self.labels(of: Set(texts.compactMap { $0 }), units)
        owners = texts.map { $0.flatMap { labels[$0] } }
        var seen: Set<String> = []
        unknown = texts.compactMap { $0 }.filter { labels[$0] == nil && seen.insert($0).inserted }
        missing = texts.count { $0 == nil }
        for (entity, names) in Self.others {
            guard let name = table.names.first(where: { names.contains(plain($0)) }) else { continue }
            let known = Set(units.flatMap { Self.spellings(of: entity, $0) })
            let texts = try table.texts(name)
            // A column of other words is something else, such as the task within a trial.
            guard texts.allSatisfy({ $0.map { known.contains(Self.plain($0)) } ?? true }) else { continue }
            cells[entity] = texts
        }
    }

    /// True for each row that is of a recording: of its participant and, where the table has them, its session, task and run.
    func rows(of unit: CohortUnit) -> [Bool] {
        let spellings = cells.keys.reduce(into: [:]) { $0[$1] = Set(Self.spellings(of: $1, unit)) }
        return owners.indices.map { row in
            owners[row] == unit.participant
                && cells.allSatisfy { entity, texts in
                    guard let text = texts[row], let own = spellings[entity], !own.isEmpty else { return true }
                    return own.contains(Self.plain(text))
                }
        }
    }

    private static func plain(_ text: String) -> String {
        let text = text.lowercased().filter { !$0.isWhitespace }
        return Int(text).map(String.init) ?? text
    }

    /// The spellings that tables may use for a label of a recording.
    private static func spellings(of entity: String, _ unit: CohortUnit) -> [String] {
        guard let label = unit.labels[entity], !label.isEmpty else { return [] }
        let prefix = ["session": "ses-", "task": "task-", "run": "run-"][entity] ?? ""
        return [label, unit.spelling?[entity] ?? label].flatMap {
            [plain($0), prefix + plain($0), prefix + $0.lowercased()]
        }
    }

    /// The participant that each text names. A text is a label, as results or the data set spell it, with `sub-` or without, or
    /// the name of a recording's file; else a number that is one participant's, whatever zeros and letters stand before it,
    /// where no other text is that participant's.
    private static func labels(of texts: Set<String>, _ units: [CohortUnit]) -> [String: String] {
        var exact: [String: Set<String>] = [:]
        var numbers: [Int: Set<String>] = [:]
        for unit in units {
            let label = unit.participant
            let file = (unit.recording as NSString).lastPathComponent.prefix { $0 != "." }
            for name in [label, unit.spelling?["subject"] ?? label].flatMap({ [$0, "sub-" + $0] }) + [String(file)] {
                exact[key(name), default: []].insert(label)
            }
            if let number = Int(label) { numbers[number, default: []].insert(label) }
        }
        var labels: [String: String] = [:]
        for text in texts {
            if let found = exact[key(text)], found.count == 1 { labels[text] = found.first }
        }
        let known = Set(labels.values)
        var loose: [String: [String]] = [:]
        for text in texts.sorted() where labels[text] == nil {
            let digits = text.drop { !$0.isNumber }
            let number = Int(digits) ?? Double(digits).flatMap { Int(exactly: $0) }
            guard let number, let found = numbers[number], found.count == 1, let label = found.first else { continue }
            loose[label, default: []].append(text)
        }
        for (label, texts) in loose where texts.count == 1 && !known.contains(label) { labels[texts[0]] = label }
        return labels
    }

    private static func key(_ text: String) -> String {
        text.lowercased().trimmingCharacters(in: .whitespaces)
    }
}
