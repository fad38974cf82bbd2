import GroupStatistics
import Kernels

/// Two groups of people: each person's mean over the circumstances, with what these differ by taken out where people
/// lack some of them.
struct GroupSides: ComparedSides {
    private let people: [(participant: String, isSecond: Bool, settings: [[GroupSummary.Observation]])]
    private let settings: [[String]]

    /// Those of `observations` whose participants are in one of the groups.
    init(_ first: Set<String>, _ second: Set<String>, in observations: [GroupSummary.Observation]) {
        let everybody = first.union(second)
        let own = observations.filter { everybody.contains($0.participant) }
        let settings = Set(own.map { $0.setting(Circumstance.allCases) }).sorted { $0.lexicographicallyPrecedes($1) }
        self.settings = settings
        people = Dictionary(grouping: own, by: \.participant).sorted { $0.key < $1.key }.map { person, own in
            let parts = Dictionary(grouping: own) { $0.setting(Circumstance.allCases) }
            return (person, second.contains(person), settings.map { parts[$0] ?? [] })
        }
    }

    /// What the recordings differ in.
    var held: [Circumstance] {
        Circumstance.allCases.indices.filter { place in Set(settings.map { $0[place] }).count > 1 }.map {
            Circumstance.allCases[$0]
        }
    }

    /// The groups compared; nil where there are too few people.
    func comparison(_ key: RecordingMeans.Key) -> Comparison? {
        let table = people.map { person in
            person.settings.map { observations -> Double? in
                let values = observations.compactMap { $0.means.means[key]?.value }
                return values.isEmpty ? nil : Statistics.mean(values)
            }
        }
        let means = zip(people, AdditiveMeans.ofRows(table))
        func side(_ isSecond: Bool) -> [Double] { means.compactMap { $0.isSecond == isSecond ? $1 : nil } }
        return try? Comparison.independent(side(false), side(true))
    }

    /// All recordings of both groups for the linear model.
    func measurements(_ key: RecordingMeans.Key) -> [SideModel.Measurement] {
        people.flatMap { person in
            person.settings.joined().compactMap { observation in
                observation.means.means[key]?.value.map {
                    SideModel.Measurement(
                        participant: person.participant, isSecond: person.isSecond,
                        setting: observation.setting(Circumstance.allCases), value: $0)
                }
            }
        }
    }
}
