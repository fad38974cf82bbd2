import GroupStatistics
import Kernels

/// Two groups of people: each person's mean over the circumstances, with what these differ by taken out where people
/// lack some of them.
struct GroupSides: ComparedSides {
    private let people: [(participant: String, isSecond: Bool, settings: [[GroupSummary.Observation]])]
    /// What the recordings differ in.
    let held: [Circumstance]
    /// How many people are not compared, as their tasks are none of the others'.
    let unlinked: Int

    /// Those of `observations` whose participants are in one of the groups.
    ///
    /// Sessions, acquisitions and runs are told apart as far as nobody is lost by it: where some people's recordings are
    /// numbered and others' are not, or sessions are called by their dates, nothing links the two.
    init(_ first: Set<String>, _ second: Set<String>, in observations: [GroupSummary.Observation]) {
        let everybody = first.union(second)
        let own = observations.filter { everybody.contains($0.participant) }
        let differing = Circumstance.allCases.filter { circumstance in
            Set(own.map { $0.circumstances[circumstance] }).count > 1
        }
        let people = Dictionary(grouping: own, by: \.participant).sorted { $0.key < $1.key }
        func settings(_ held: [Circumstance]) -> [[[GroupSummary.Observation]]] {
            let settings = Set(own.map { $0.setting(held) }).sorted { $0.lexicographicallyPrecedes($1) }
            return people.map { person in
                let parts = Dictionary(grouping: person.value) { $0.setting(held) }
                return settings.map { parts[$0] ?? [] }
            }
        }
        func linked(_ held: [Circumstance]) -> Int {
            let presence = settings(held).map { person in person.map { $0.isEmpty ? nil : 0.0 } }
            return AdditiveMeans.ofRows(presence).count { $0 != nil }
        }
        let always = differing.filter { $0 == .task }
        let all = linked(always)
        let choices = Circumstance.choices(of: differing).filter { Set($0).isSuperset(of: always) }
        let held = choices.first { linked($0) == all } ?? always
        self.held = held
        unlinked = people.count - all
        self.people = zip(people, settings(held)).map { ($0.key, second.contains($0.key), $1) }
    }

    /// How many people of each group were measured.
    var measured: (first: Int, second: Int) {
        let second = people.count { $0.isSecond }
        return (people.count - second, second)
    }

    /// The groups compared; nil where there are too few people.
    func comparison(_ key: RecordingMeans.Key) -> Comparison? {
        let (first, second) = means { $0.means[key]?.value }
        return try? Comparison.independent(first, second)
    }

    /// The mean lengths of the windows of both groups, with what circumstances differ by taken out as it is of the values.
    func lengths(_ key: RecordingMeans.Key) -> (first: Double, second: Double)? {
        let (first, second) = means { $0.means[key]?.windowLength }
        return first.isEmpty || second.isEmpty ? nil : (Statistics.mean(first), Statistics.mean(second))
    }

    /// Each person's mean on either side.
    private func means(_ value: (GroupSummary.Observation) -> Double?) -> (first: [Double], second: [Double]) {
        let table = people.map { person in
            person.settings.map { observations -> Double? in
                let values = observations.compactMap { value($0) }
                return values.isEmpty ? nil : Statistics.mean(values)
            }
        }
        let means = zip(people, AdditiveMeans.ofRows(table))
        func side(_ isSecond: Bool) -> [Double] { means.compactMap { $0.isSecond == isSecond ? $1 : nil } }
        return (side(false), side(true))
    }

    /// All recordings of both groups for the linear model.
    func measurements(_ key: RecordingMeans.Key) -> [SideModel.Measurement] {
        people.flatMap { person in
            person.settings.joined().compactMap { observation in
                observation.means[key]?.value.map {
                    SideModel.Measurement(
                        participant: person.participant, isSecond: person.isSecond,
                        setting: observation.setting(held), value: $0)
                }
            }
        }
    }
}
