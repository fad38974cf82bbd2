import GroupStatistics
import Kernels

/// Two levels of a factor within people, compared like for like: values of a person count only under circumstances
/// (task, session, acquisition, run) that the person has on both sides.
struct MatchedSides: ComparedSides {
    /// What the sides have in common.
    let held: [Circumstance]
    let first: String
    let second: String
    private let people: [(participant: String, settings: [[GroupSummary.Observation]])]

    /// The levels `first` and `second` of `factor` in these observations.
    ///
    /// Where most people have the two only under different circumstances (one task in the first session, another in
    /// the second), nothing can be held equal in these and they are left out of account.
    init(_ first: String, _ second: String, of factor: String, in observations: [GroupSummary.Observation]) {
        (self.first, self.second) = (first, second)
        let own = observations.filter { $0.label == first || $0.label == second }
        let people = Dictionary(grouping: own, by: \.participant).sorted { $0.key < $1.key }
        func matched(_ held: [Circumstance]) -> Int {
            people.count { person in
                Self.settings(of: person.value, held).contains { Set($0.map(\.label)).count == 2 }
            }
        }
        let all = matched([])
        let others = Circumstance.allCases.filter { circumstance in
            circumstance.rawValue != factor && own.contains { $0.circumstances[circumstance] != nil }
        }
        let held = Circumstance.choices(of: others).first { 2 * matched($0) >= all } ?? []
        self.held = held
        self.people = people.map { ($0.key, Self.settings(of: $0.value, held)) }
    }

    private static func settings(
        of observations: [GroupSummary.Observation], _ held: [Circumstance]
    ) -> [[GroupSummary.Observation]] {
        Dictionary(grouping: observations) { $0.setting(held) }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map(\.value)
    }

    /// A person's means on both sides over the circumstances that have values on both; one side where the person has
    /// only that, nil where the two never meet.
    func sides(_ key: RecordingMeans.Key) -> [(participant: String, first: Double?, second: Double?)] {
        people.map { person in
            func means(_ label: String) -> [Double?] {
                person.settings.map { own in
                    let values = own.filter { $0.label == label }.compactMap { $0.means.means[key]?.value }
                    return values.isEmpty ? nil : Statistics.mean(values)
                }
            }
            func mean(_ values: [Double]) -> Double? { values.isEmpty ? nil : Statistics.mean(values) }
            let (one, other) = (means(first), means(second))
            guard one.contains(where: { $0 != nil }), other.contains(where: { $0 != nil }) else {
                return (person.participant, mean(one.compactMap { $0 }), mean(other.compactMap { $0 }))
            }
            let both = zip(one, other).compactMap { a, b in a.flatMap { a in b.map { (a, $0) } } }
            return (person.participant, mean(both.map(\.0)), mean(both.map(\.1)))
        }
    }

    /// The people with both sides compared; nil where there are too few.
    func comparison(_ key: RecordingMeans.Key) -> Comparison? {
        let both = sides(key).compactMap { _, first, second in first.flatMap { a in second.map { (a, $0) } } }
        return try? Comparison.paired(both.map(\.0), both.map(\.1))
    }

    /// All recordings on either side for the linear model.
    func measurements(_ key: RecordingMeans.Key) -> [SideModel.Measurement] {
        people.flatMap { $0.settings.joined() }.compactMap { observation in
            observation.means.means[key]?.value.map {
                SideModel.Measurement(
                    participant: observation.participant, isSecond: observation.label == second,
                    setting: observation.setting(held), value: $0)
            }
        }
    }
}
