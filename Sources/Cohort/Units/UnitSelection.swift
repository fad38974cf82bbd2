/// Which recordings of a cohort are meant; labels may be given with or without their prefixes.
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
        try demand(participants, among: Set(units.map(\.participant)), "participant")
        try demand(sessions, among: Set(units.compactMap(\.session)), "session")
        try demand(tasks, among: Set(units.compactMap(\.task)), "task")
        return units.filter { unit in
            (participants.isEmpty || participants.contains(unit.participant))
                && (sessions.isEmpty || unit.session.map(sessions.contains) == true)
                && (tasks.isEmpty || unit.task.map(tasks.contains) == true)
        }
    }

    private func demand(_ wanted: [String], among known: Set<String>, _ what: String) throws {
        guard let missing = wanted.first(where: { !known.contains($0) }) else { return }
        let some = known.sorted().prefix(12).joined(separator: ", ")
        throw CohortError(
            "no recording of \(what) \(missing)",
            advice: known.isEmpty
                ? "there is none with a \(what) label" : "there are \(some)\(known.count > 12 ? " …" : "")")
    }
}
