import Signals

/// Who has a value in which sessions.
struct Attendance: Hashable {
    /// How many people have exactly these sessions. Sessions of one person alone are left out: nobody can be compared there.
    private let patterns: [Set<String>: Int]
    /// So many sets are looked at, which only hundreds of sessions in ever new combinations reach.
    private static let mostSets = 4_096

    /// - Parameter people: the sessions each person has a value in.
    init(_ people: [Set<String>]) {
        let counts = Dictionary(people.flatMap { $0 }.map { ($0, 1) }, uniquingKeysWith: +)
        let shared = Set(counts.filter { $0.value > 1 }.keys)
        patterns = Dictionary(people.map { ($0.intersection(shared), 1) }, uniquingKeysWith: +)
    }

    /// The sessions, two at least, that keep the most measurements of people who have all of them, of whom there are two at
    /// least; of equals the larger set, then the one with the earlier sessions. None where there are no such.
    var best: [String] {
        let order = Set(patterns.keys.joined()).sorted(by: NaturalOrder.precedes)
        let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
        // As numbers of sessions in order: quick to compare, and the same from run to run.
        let known = patterns.map { (sessions: $0.key.compactMap { places[$0] }.sorted(), people: $0.value) }
            .filter { $0.sessions.count > 1 }
            .sorted { $0.sessions.lexicographicallyPrecedes($1.sessions) }
        let wholes = known.map { Set($0.sessions) }
        // The best set is what those who have all of it have in common.
        var sets = Set(known.map(\.sessions))
        var open = known.map(\.sessions)
        while let next = open.popLast(), sets.count < Self.mostSets {
            for whole in wholes {
                let common = next.filter(whole.contains)
                if common.count > 1, sets.insert(common).inserted { open.append(common) }
            }
        }
        var best: (set: [Int], measurements: Int) = ([], 0)
        for set in sets.sorted(by: { $0.count > $1.count || $0.count == $1.count && $0.lexicographicallyPrecedes($1) })
        {
            let complete = zip(known, wholes).reduce(0) { sum, one in
                one.1.isSuperset(of: set) ? sum + one.0.people : sum
            }
            if complete > 1, complete * set.count > best.measurements { best = (set, complete * set.count) }
        }
        return best.set.map { order[$0] }
    }
}
