import GroupStatistics
import Reports

/// The indexes that are drawn person by person, over all levels of whatever was compared within people.
struct GroupSpreads {
    let summary: GroupSummary
    let findings: [GroupComparisons.Finding]

    /// How many indexes are drawn of the first factor that was compared, and of each other.
    private static let (ofFirst, ofOthers) = (8, 4)

    /// What people look at first and the clearest differences; everybody's means where nothing was compared.
    func spreads() -> [GroupReport.Spread] {
        let within = findings.filter { $0.sides != nil }
        var seen: Set<GroupComparisons.Side> = []
        // Each task may have conditions, and a reference, of its own.
        let references = within.map(\.first).filter { seen.insert($0).inserted }
        guard !references.isEmpty else { return headline(summary.keys.map(\.key)).prefix(Self.ofFirst).map(spread) }
        return references.enumerated().flatMap { place, reference in
            spreads(
                of: reference.factor, within.filter { $0.first == reference },
                most: place == 0 ? Self.ofFirst : Self.ofOthers)
        }
    }

    /// Over all levels of a factor that an index was compared on.
    /// - Parameter findings: its comparisons, all with the same first side.
    private func spreads(
        of factor: String, _ findings: [GroupComparisons.Finding], most: Int
    ) -> [GroupReport.Spread] {
        let observations = summary.observations(of: factor)
        let rows = findings.flatMap(\.rows).sorted { ($0.q, $0.comparison.p) < ($1.q, $1.comparison.p) }
        var seen: Set<RecordingMeans.Key> = []
        let clearest = rows.map(\.key).filter { seen.insert($0).inserted }
        let first = headline(summary.keys.map(\.key).filter(seen.contains))
        return (first + clearest.filter { !first.contains($0) }).prefix(most).map { key in
            // A level that an index was not compared on, such as one too short for its windows, would leave nobody whole.
            let own = findings.filter { finding in finding.rows.contains { $0.key == key } }
            let labels = own.prefix(1).map(\.first.label) + own.map(\.second.label)
            let levels = MatchedLevels(labels, of: factor, in: observations)
            return GroupReport.Spread(
                index: summary.index(key), factor: factor, conditions: labels,
                values: levels.values(key).map { (person: $0.participant, values: $0.levels) })
        }
    }

    /// Of the keys those that readers look for first, of one signal each.
    private func headline(_ keys: [RecordingMeans.Key]) -> [RecordingMeans.Key] {
        var seen: Set<String> = []
        return GroupReport.Index.headline(keys.map(summary.index)).filter { seen.insert($0.name).inserted }.prefix(5)
            .compactMap { index in keys.first { $0.signal == index.signal && $0.index == index.name } }
    }

    /// What everybody's recordings tell.
    private func spread(_ key: RecordingMeans.Key) -> GroupReport.Spread {
        let values = summary.people.sorted { $0.key < $1.key }.map { label, recordings in
            (person: label, values: recordings.map { $0.means[key]?.value })
        }
        return GroupReport.Spread(
            index: summary.index(key), factor: "recording", conditions: ["all"], values: values)
    }
}

extension GroupSummary {
    /// An index as a page names it.
    func index(_ key: RecordingMeans.Key) -> GroupReport.Index {
        GroupReport.Index(signal: key.signal, name: key.index, unit: indexes[key]?.unit ?? "")
    }
}
