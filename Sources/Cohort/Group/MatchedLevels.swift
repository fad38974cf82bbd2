import Kernels

/// Several levels of a factor within people, like for like: values of a person count only under circumstances (task,
/// session, acquisition, run) that the person has on all of them.
struct MatchedLevels {
    /// The levels, in order.
    let labels: [String]
    /// What they have in common.
    let held: [Circumstance]
    /// The people with any of the levels, and what was measured of each under each of the circumstances.
    let people: [(participant: String, settings: [[GroupSummary.Observation]])]

    /// The levels `labels` of `factor` in these observations.
    ///
    /// Runs are repetitions: they are averaged, and held equal only between conditions, which are parts of recordings, or where
    /// `runs` says so.
    ///
    /// Where most people have them only under different circumstances (one task in the first session, another in the
    /// second), nothing can be held equal in these and they are left out of account.
    init(
        _ labels: [String], of factor: String, in observations: [GroupSummary.Observation],
        runs: GroupDesign.RunRole = .average
    ) {
        self.labels = labels
        let own = observations.filter { labels.contains($0.label) }
        let people = Dictionary(grouping: own, by: \.participant).sorted { $0.key < $1.key }
        func matched(_ held: [Circumstance]) -> Int {
            people.count { person in
                Self.settings(of: person.value, held).contains { Set($0.map(\.label)).count == labels.count }
            }
        }
        let all = matched([])
        let others = Circumstance.allCases.filter { circumstance in
            circumstance.rawValue != factor && own.contains { $0.circumstances[circumstance] != nil }
                && (circumstance != .run || factor == "condition" || runs == .match)
        }
        let held = Circumstance.choices(of: others).first { 2 * matched($0) >= all } ?? []
        self.held = held
        self.people = people.map { ($0.key, Self.settings(of: $0.value, held)) }
    }

    /// The number of recordings of participants with all levels, and the number of these that are left out, as no recordings
    /// under the same circumstances have the other levels.
    var leftOut: (count: Int, all: Int) {
        let complete = people.filter { person in
            person.settings.contains { Set($0.map(\.label)).count == labels.count }
        }
        let all = complete.flatMap(\.settings)
        let unused = all.filter { Set($0.map(\.label)).count < labels.count }
        return (unused.reduce(0) { $0 + $1.count }, all.reduce(0) { $0 + $1.count })
    }

    /// The number of participants without a circumstance that has all levels.
    var unmatched: Int {
        people.count { person in !person.settings.contains { Set($0.map(\.label)).count == labels.count } }
    }

    private static func settings(
        of observations: [GroupSummary.Observation], _ held: [Circumstance]
    ) -> [[GroupSummary.Observation]] {
        Dictionary(grouping: observations) { $0.setting(held) }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map(\.value)
    }

    /// Each person's means on the levels over the circumstances that have values on all of them; over those there are
    /// where the person lacks a level, nil where the levels never meet.
    func values(_ key: RecordingMeans.Key) -> [(participant: String, levels: [Double?])] {
        means { $0.means[key]?.value }
    }

    /// Each person's mean lengths of the windows behind these values.
    func lengths(_ key: RecordingMeans.Key) -> [(participant: String, levels: [Double?])] {
        means { $0.means[key]?.windowLength }
    }

    private func means(
        _ value: (GroupSummary.Observation) -> Double?
    ) -> [(participant: String, levels: [Double?])] {
        people.map { person in
            let table = labels.map { label in
                person.settings.map { own in
                    Self.mean(own.filter { $0.label == label }.compactMap { value($0) })
                }
            }
            guard table.allSatisfy({ level in level.contains { $0 != nil } }) else {
                return (person.participant, table.map { Self.mean($0.compactMap { $0 }) })
            }
            let complete = person.settings.indices.filter { place in table.allSatisfy { $0[place] != nil } }
            return (person.participant, table.map { level in Self.mean(complete.compactMap { level[$0] }) })
        }
    }

    private static func mean(_ values: [Double]) -> Double? { values.isEmpty ? nil : Statistics.mean(values) }
}
