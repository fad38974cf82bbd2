import Signals

extension GroupSummary {
    /// Signals that tell the same indexes, but never of the same recording: one kind of signal whose streams are called
    /// after their devices, most likely, which comparisons take for several. A sentence for each kind.
    var splitSignals: [String] {
        var signals: [String: ToldSignal] = [:]
        for (place, recording) in recordings.enumerated() {
            for key in recording.means.keys {
                let name = String(key.signal.prefix { $0 != ":" })
                signals[name, default: ToldSignal()].indexes.insert(key.index)
                signals[name, default: ToldSignal()].places.insert(place)
            }
        }
        var kinds: [[(name: String, told: ToldSignal)]] = []
        for (name, told) in signals.sorted(by: { $0.key < $1.key }) {
            if let kind = kinds.firstIndex(where: { $0[0].told.isLike(told) }) {
                kinds[kind].append((name, told))
            } else {
                kinds.append([(name, told)])
            }
        }
        return kinds.compactMap { kind in
            let apart = kind.filter { one in
                kind.contains {
                    Self.mayBeOne(one.name, $0.name) && $0.told.places.isDisjoint(with: one.told.places)
                }
            }
            guard apart.count > 1 else { return nil }
            return
                "signals \(Listing.text(apart.map(\.name))) tell the same indexes, of different recordings: if they are one "
                + "kind of signal under several names, give its streams one name, as comparisons take them for several"
        }
    }

    /// Whether two names may be of one kind of signal: an ECG here and a pulse there are two, but `eda` and `edaGSRleft` may not
    /// be.
    private static func mayBeOne(_ one: String, _ other: String) -> Bool {
        let kinds = [one, other].compactMap { StreamKind(rawValue: $0) }
        return one != other && kinds.allSatisfy { one.hasPrefix($0.rawValue) && other.hasPrefix($0.rawValue) }
    }
}

/// What is told of a signal, and in which recordings.
private struct ToldSignal {
    var indexes: Set<String> = []
    var places: Set<Int> = []

    /// Whether another tells nearly the same: of one recording an index may be missing.
    func isLike(_ other: ToldSignal) -> Bool {
        indexes.intersection(other.indexes).count * 5 >= indexes.union(other.indexes).count * 4
    }
}
