/// Which recordings of a cohort are meant; labels may be given with or without their prefixes,
/// or as the data set spells them.
public struct UnitSelection: Hashable, Sendable {
    /// Participant labels, one or several in a text; empty: all.
    public var participants: [String]
    /// Session labels, likewise; empty: all.
    public var sessions: [String]
    /// Task labels, likewise; empty: all.
    public var tasks: [String]

    /// The recordings with these labels.
    public init(participants: [String] = [], sessions: [String] = [], tasks: [String] = []) {
        func told(_ labels: [String]) -> [String] { labels.filter { !Self.parts(of: $0).isEmpty } }
        self.participants = told(participants)
        self.sessions = told(sessions)
        self.tasks = told(tasks)
    }

    /// The labels of a list that is separated by commas or blanks.
    private static func parts(of text: String) -> [String] {
        text.split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init)
    }

    /// Those of `units` that are meant.
    /// - Throws: `CohortError` when a label fits no recording, or no recording all of them.
    public func chosen(of units: [CohortUnit]) throws -> [CohortUnit] {
        let wantedParticipants = try labels(participants, .participant, units)
        let wantedSessions = try labels(sessions, .session, units)
        let wantedTasks = try labels(tasks, .task, units)
        func fits(_ label: String?, _ wanted: Set<String>?) -> Bool {
            guard let wanted else { return true }
            return label.map(wanted.contains) ?? false
        }
        let chosen = units.filter {
            fits($0.participant, wantedParticipants) && fits($0.session, wantedSessions) && fits($0.task, wantedTasks)
        }
        guard !chosen.isEmpty || units.isEmpty else {
            throw CohortError("no recording has all of these labels", advice: "choose by fewer of them")
        }
        return chosen
    }

    /// Whether a recording that is left out is of the people who are meant: its other labels cannot be told.
    public func concerns(_ refused: RefusedRecording) -> Bool {
        let wanted = participants.flatMap(Self.parts).map(What.participant.plain)
        return wanted.isEmpty || wanted.contains(refused.participant)
    }

    private enum What: String {
        case participant, session, task

        /// What patterns call it, and what BIDS puts before its labels.
        var entity: (name: String, prefix: String) {
            switch self {
            case .participant: ("subject", "sub-")
            case .session: ("session", "ses-")
            case .task: ("task", "task-")
            }
        }

        /// A label without its prefix.
        func plain(_ text: String) -> String {
            text.hasPrefix(entity.prefix) ? String(text.dropFirst(entity.prefix.count)) : text
        }

        func label(of unit: CohortUnit) -> String? {
            switch self {
            case .participant: unit.participant
            case .session: unit.session
            case .task: unit.task
            }
        }
    }

    /// The labels that are wanted, whether they are told as such or as the data set spells them; nil: all.
    private func labels(_ wanted: [String], _ what: What, _ units: [CohortUnit]) throws -> Set<String>? {
        guard !wanted.isEmpty else { return nil }
        let known = Set(units.compactMap(what.label))
        var meant: Set<String> = []
        for text in wanted {
            // The data set may spell a label with blanks and commas, so the whole text comes first.
            let whole = matches(text, what, units, known)
            meant.formUnion(whole)
            guard whole.isEmpty else { continue }
            for part in Self.parts(of: text) {
                let found = matches(part, what, units, known)
                guard !found.isEmpty else { throw missing(what.plain(part), among: known, what.rawValue) }
                meant.formUnion(found)
            }
        }
        return meant
    }

    /// The labels that one text means; none where no recording has it.
    private func matches(_ text: String, _ what: What, _ units: [CohortUnit], _ known: Set<String>) -> [String] {
        let (text, entity) = (what.plain(text), what.entity)
        if known.contains(text) { return [text] }
        return units.filter { [text, entity.prefix + text].contains($0.spelling?[entity.name]) }
            .compactMap(what.label)
    }

    private func missing(_ label: String, among known: Set<String>, _ what: String) -> CohortError {
        let some = known.sorted().prefix(12).joined(separator: ", ")
        return CohortError(
            "no recording of \(what) \(label)",
            advice: known.isEmpty
                ? "there is none with a \(what) label" : "there are \(some)\(known.count > 12 ? " …" : "")")
    }
}
