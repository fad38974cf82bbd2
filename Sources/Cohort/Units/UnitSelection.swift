/// Which recordings of a cohort are meant; labels may be given with or without their prefixes,
/// or as the data set spells them.
public struct UnitSelection: Hashable, Sendable {
    /// Participant labels; empty: all.
    public var participants: [String]
    /// Session labels; empty: all.
    public var sessions: [String]
    /// Task labels; empty: all.
    public var tasks: [String]

    /// The recordings with these labels.
    public init(participants: [String] = [], sessions: [String] = [], tasks: [String] = []) {
        func plain(_ labels: [String], _ prefix: String) -> [String] {
            labels.flatMap { $0.split(whereSeparator: { $0 == "," || $0 == " " }) }.map {
                String($0.hasPrefix(prefix) ? $0.dropFirst(prefix.count) : $0)
            }
        }
        self.participants = plain(participants, "sub-")
        self.sessions = plain(sessions, "ses-")
        self.tasks = plain(tasks, "task-")
    }

    /// Those of `units` that are meant.
    /// - Throws: `CohortError` when a label fits no recording.
    public func chosen(of units: [CohortUnit]) throws -> [CohortUnit] {
        let wantedParticipants = try labels(participants, .participant, units)
        let wantedSessions = try labels(sessions, .session, units)
        let wantedTasks = try labels(tasks, .task, units)
        func fits(_ label: String?, _ wanted: Set<String>?) -> Bool {
            guard let wanted else { return true }
            return label.map(wanted.contains) ?? false
        }
        return units.filter {
            fits($0.participant, wantedParticipants) && fits($0.session, wantedSessions) && fits($0.task, wantedTasks)
        }
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
        let (entity, prefix) = what.entity
        return try wanted.reduce(into: []) { meant, text in
            let spelled = units.filter { [text, prefix + text].contains($0.spelling?[entity]) }
            let found = known.contains(text) ? [text] : spelled.compactMap(what.label)
            guard !found.isEmpty else { throw missing(text, among: known, what.rawValue) }
            meant.formUnion(found)
        }
    }

    private func missing(_ label: String, among known: Set<String>, _ what: String) -> CohortError {
        let some = known.sorted().prefix(12).joined(separator: ", ")
        return CohortError(
            "no recording of \(what) \(label)",
            advice: known.isEmpty
                ? "there is none with a \(what) label" : "there are \(some)\(known.count > 12 ? " …" : "")")
    }
}
