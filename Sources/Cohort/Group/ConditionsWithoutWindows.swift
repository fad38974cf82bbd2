/// What a comparison of conditions is without, as no window lies within them.
extension GroupSummary {
    /// What no condition lasts over a whole window of although events tell conditions: a signal where that is all there
    /// is of it, else its indexes by name. What has no times is part of no condition.
    var indexesWithoutConditions: [String] {
        let told = recordings.filter { !$0.toldConditions.isEmpty }
        let known = Set(told.flatMap { $0.conditions.values.flatMap(\.keys) })
        let all = Self.timed(told)
        return Self.named(all.filter { !known.contains($0) }, of: all)
    }

    /// Conditions that no window lies within, or none of a signal although some lie within others.
    var conditionsWithoutWindows: [String] {
        var known: [String: Set<RecordingMeans.Key>] = [:]
        for recording in recordings {
            for (condition, means) in recording.conditions { known[condition, default: []].formUnion(means.keys) }
        }
        let within = known.values.reduce(into: Set<RecordingMeans.Key>()) { $0.formUnion($1) }
        let conditions = Set(recordings.flatMap(\.toldConditions)).sorted(by: NaturalOrder.precedes)
        let lacking = conditions.compactMap { condition -> (condition: String, what: String)? in
            let own = known[condition] ?? []
            guard own.count < within.count else { return nil }
            let told = recordings.filter { $0.toldConditions.contains(condition) }
            let all = Self.timed(told).filter(within.contains)
            let missing = all.filter { !own.contains($0) }
            guard !missing.isEmpty else { return nil }
            return (condition, own.isEmpty ? "" : " of " + Listing.text(Self.named(missing, of: all)))
        }
        var seen: Set<String> = []
        return lacking.map(\.what).filter { seen.insert($0).inserted }.map { what in
            let conditions = lacking.filter { $0.what == what }.map(\.condition)
            return "comparisons: conditions: no window\(what) lies within \(Listing.text(conditions)): "
                + "windows are longer, reach over the ends or lie in another condition as well; that is not compared"
        }
    }

    /// The indexes of these recordings that have times, in the order they come.
    private static func timed(_ recordings: [Recording]) -> [RecordingMeans.Key] {
        var seen: Set<RecordingMeans.Key> = []
        return recordings.flatMap { recording in
            recording.means.keys.filter { recording.means[$0]?.hasTimes == true && seen.insert($0).inserted }
        }
    }

    /// Some of all indexes: signals of which it is all, of others the names.
    private static func named(_ missing: [RecordingMeans.Key], of all: [RecordingMeans.Key]) -> [String] {
        func label(_ key: RecordingMeans.Key) -> Substring { key.signal.prefix { $0 != ":" } }
        let counts = Dictionary(grouping: all, by: label).mapValues(\.count)
        return Dictionary(grouping: missing, by: label).sorted { $0.key < $1.key }.map { signal, keys in
            guard keys.count < counts[signal] ?? 0 else { return String(signal) }
            var named: Set<String> = []
            let names = keys.map(\.index).filter { named.insert($0).inserted }
            return "\(signal) (\(Listing.text(names)))"
        }
    }
}
