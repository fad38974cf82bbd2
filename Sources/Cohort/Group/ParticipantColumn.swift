extension ParticipantGroups {
    /// One column of `participants.tsv`.
    struct Column {
        var name: String
        /// Participant → text; those without one are left out.
        var values: [String: String]
        /// What its texts mean, where they are codes that participants.json explains.
        var meanings: [String: String] = [:]
        /// Levels of people without results alone, in order.
        private var others: [String] = []

        /// - Parameters:
        ///   - all: participant → text, of everybody who was recorded.
        ///   - measured: those who have results. The column is of them alone, so that who only failed takes no
        ///     comparison from the others; where they are of one level, of everybody: that the others lack results is
        ///     told then.
        init(name: String, of all: [String: String], measured: Set<String>, meanings: [String: String]) {
            (self.name, self.meanings) = (name, meanings)
            let own = all.filter { measured.contains($0.key) }
            values = Set(own.values).count > 1 ? own : all
            others = Set(all.values).subtracting(values.values).sorted(by: NaturalOrder.precedes)
        }

        /// What tables call it as a factor: apart from what is compared within people.
        var factor: String { Self.taken.contains(name.lowercased()) ? "participants:\(name)" : name }

        private static let taken: Set<String> = ["condition", "task", "session"]

        /// The different texts, in order.
        var levels: [String] { Set(values.values).sorted(by: NaturalOrder.precedes) }

        /// Whether it looks like groups: words that people have in common, or codes.
        private func isGrouping(_ levels: [String]) -> Bool {
            guard levels.count < values.count else { return false }
            return !levels.allSatisfy { Double($0) != nil } || levels.count { meanings[$0] != nil } > 1
                || isCoded(levels)
        }

        /// Whether its levels are numbered from 0 or 1 on, as sites are and ages are not.
        private func isCoded(_ levels: [String]) -> Bool {
            let numbers = levels.compactMap { Int($0) }
            return numbers.count == levels.count && levels.count <= Self.most && isShared(levels)
                && numbers.allSatisfy { (0...9).contains($0) } && numbers.contains { $0 < 2 }
        }

        /// Whether several people have each of its levels.
        private func isShared(_ levels: [String]) -> Bool {
            let counts = values.values.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
            return levels.allSatisfy { counts[$0, default: 0] > 1 }
        }

        /// How many levels are named.
        private static let most = 6

        /// Why it is not compared although it looks like groups; nil where it is, or does not.
        var whyNotCompared: String? {
            let levels = self.levels
            guard levels.count > 2, isGrouping(levels), levels.count <= Self.most || isShared(levels) else {
                return nil
            }
            let named = levels.map { level -> String in
                meanings[level].flatMap { $0 == level ? nil : "\(level) (\($0))" } ?? level
            }
            return "\(name) is not compared: it has \(levels.count) levels"
                + (levels.count <= Self.most ? " (\(named.joined(separator: ", ")))" : "")
                + ", and only columns of two are"
        }

        /// That nobody of some levels has results; nil where all have some, or it is no column of groups.
        var withoutResults: String? {
            guard !others.isEmpty, levels.count == 2 || whyNotCompared != nil else { return nil }
            return "\(name): nobody who is \(Listing.text(others)) has results"
        }
    }
}
