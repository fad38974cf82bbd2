/// Two conditions of a recording that last at the same time: windows within both count for neither.
struct OverlappingConditions {
    /// What they are called, in order.
    let labels: [String]
    /// Which of them lasts within the other alone.
    var within: Set<String>

    /// What two conditions have in common at least, in seconds: less is how exactly people press keys.
    private static let shortest = 1.0

    /// The pairs of a recording, in the order of their names.
    static func pairs(in events: ConditionEvents) -> [OverlappingConditions] {
        let stretches = events.stretches.sorted { ($0.onset, $0.end, $0.label) < ($1.onset, $1.end, $1.label) }
        var pairs: Set<[String]> = []
        for (place, one) in stretches.enumerated() {
            for other in stretches[(place + 1)...] {
                guard other.onset + shortest <= one.end else { break }
                if other.label != one.label { pairs.insert([one.label, other.label].sorted()) }
            }
        }
        return pairs.sorted { $0.lexicographicallyPrecedes($1) }.map { pair in
            let inner = pair.filter { label in
                let others = stretches.filter { $0.label != label && pair.contains($0.label) }
                return stretches.allSatisfy { one in one.label != label || others.contains { holds($0, one) } }
            }
            return OverlappingConditions(labels: pair, within: Set(inner))
        }
    }

    private static func holds(_ outer: ConditionEvents.Stretch, _ inner: ConditionEvents.Stretch) -> Bool {
        outer.onset <= inner.onset + ConditionEvents.tolerance && inner.end <= outer.end + ConditionEvents.tolerance
    }

    /// What they have to do with one another.
    var relation: String {
        if within.count == 1, let inner = within.first, let outer = labels.first(where: { $0 != inner }) {
            return "\(inner) lies within \(outer)"
        }
        return "\(labels.joined(separator: " and ")) \(within.isEmpty ? "overlap" : "last at the same time")"
    }
}

extension CohortConditions {
    /// Conditions that last at the same time, pair by pair.
    /// - Parameters:
    ///   - events: those of the recordings that have a table of them.
    ///   - count: how many recordings there are.
    static func overlapping(_ events: [ConditionEvents], of count: Int, _ design: GroupDesign) -> [String] {
        let all = Dictionary(grouping: events.flatMap { OverlappingConditions.pairs(in: $0) }, by: \.labels)
        let told = all.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { labels, found in
            let within = found.reduce(Set(labels)) { $0.intersection($1.within) }
            return "comparisons: conditions: \(OverlappingConditions(labels: labels, within: within).relation) in "
                + "\(found.count) of \(count) recordings: windows where both last count for neither; "
                + (design.conditions == nil
                    ? "name the ones to compare with comparisons: { conditions: [...] }"
                    : "name one of them alone in conditions")
        }
        guard told.count > Self.told else { return told }
        return Array(told.prefix(Self.told)) + [
            "comparisons: conditions: \(told.count - Self.told) more pairs last at the same time"
        ]
    }
}
