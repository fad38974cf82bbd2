import GroupStatistics
import Kernels

/// Two levels of a factor within people, compared like for like: values of a person count only under circumstances
/// (task, session, acquisition, run) that the person has on both sides.
struct MatchedSides: ComparedSides {
    let first: String
    let second: String
    private let levels: MatchedLevels

    /// What the sides have in common.
    var held: [Circumstance] { levels.held }

    /// The levels `first` and `second` of `factor` in these observations.
    init(
        _ first: String, _ second: String, of factor: String, in observations: [GroupSummary.Observation],
        runs: GroupDesign.RunRole = .average
    ) {
        (self.first, self.second) = (first, second)
        levels = MatchedLevels([first, second], of: factor, in: observations, runs: runs)
    }

    /// Recordings of participants with both sides that are left out, without a counterpart under the same circumstances.
    var leftOut: (count: Int, all: Int) { levels.leftOut }

    /// The number of participants on either side, and of those without a circumstance with both.
    var people: (unmatched: Int, all: Int) { (levels.unmatched, levels.people.count) }

    /// How many people were measured on both sides, whatever came of it.
    var measured: Int {
        levels.people.count { person in Set(person.settings.joined().map(\.label)).count == 2 }
    }

    /// The values on both sides of the people who have both.
    func values(_ key: RecordingMeans.Key) -> (first: [Double], second: [Double]) {
        Self.both(levels.values(key))
    }

    /// The mean lengths of the windows behind the values of the people who have both sides.
    func lengths(_ key: RecordingMeans.Key) -> (first: Double, second: Double)? {
        let both = Self.both(levels.lengths(key))
        return both.first.isEmpty ? nil : (Statistics.mean(both.first), Statistics.mean(both.second))
    }

    private static func both(
        _ people: [(participant: String, levels: [Double?])]
    ) -> (first: [Double], second: [Double]) {
        let both = people.compactMap { _, sides in sides[0].flatMap { a in sides[1].map { (a, $0) } } }
        return (both.map(\.0), both.map(\.1))
    }

    /// The people with both sides compared; nil where there are too few.
    func comparison(_ key: RecordingMeans.Key) -> Comparison? {
        let both = values(key)
        return try? Comparison.paired(both.first, both.second)
    }

    /// All recordings on either side for the linear model.
    func measurements(_ key: RecordingMeans.Key) -> [SideModel.Measurement] {
        levels.people.flatMap { $0.settings.joined() }.compactMap { observation in
            observation.means[key]?.value.map {
                SideModel.Measurement(
                    participant: observation.participant, isSecond: observation.label == second,
                    setting: observation.setting(held), value: $0)
            }
        }
    }
}
