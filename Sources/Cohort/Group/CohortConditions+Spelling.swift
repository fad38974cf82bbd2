import Signals

/// Conditions that are the same but for case or blanks.
extension CohortConditions {
    /// A name without what people write now so, now so.
    private static func plain(_ name: String) -> String { name.filter { !$0.isWhitespace }.lowercased() }

    /// Names of events that are those of conditions but for case or blanks.
    /// - Parameters:
    ///   - wanted: the conditions that the design names.
    ///   - names: what the events of each recording are called.
    static func misspelled(_ wanted: [String], _ names: [String: Set<String>]) -> [String] {
        wanted.compactMap { condition in
            let found = names.mapValues { $0.filter { $0 != condition && plain($0) == plain(condition) } }
                .filter { !$0.value.isEmpty && !wanted.contains(where: $0.value.contains) }
            guard let first = found.min(by: { $0.key < $1.key }), let name = first.value.min() else { return nil }
            return
                "comparisons: conditions: \(found.count) recordings have events called \"\(name)\", such as "
                + "\(first.key), which is not \"\(condition)\" as it is spelled"
        }
    }

    /// Conditions that are spelled in several ways, where the design names none.
    /// - Parameter conditions: those of the recordings that have a table of events, by stem.
    static func spelledApart(_ units: [CohortUnit], _ conditions: [String: ConditionEvents]) -> [String] {
        var people: [String: Set<String>] = [:]
        for unit in units {
            for name in conditions[unit.stem]?.names ?? [] { people[name, default: []].insert(unit.participant) }
        }
        // Moments are called whatever they are called.
        let known = Set(conditions.values.flatMap(\.labels).map(plain))
        let groups = Dictionary(grouping: people.keys, by: plain)
            .filter { known.contains($0.key) && $0.value.count > 1 }
        return groups.sorted { $0.key < $1.key }.map { _, names -> String in
            let counts = names.sorted().map { name in
                "\"\(name)\" (\((people[name]?.count ?? 0).counted("person", "people")))"
            }
            return "comparisons: conditions: \(Listing.text(counts)) differ in case or blanks alone and count as "
                + "different conditions: spell them alike"
        }
    }
}
