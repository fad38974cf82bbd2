/// The known name that a mistyped word most likely means.
public enum NameSuggestion {
    /// Returns the name with the smallest edit distance to `word`.
    /// - Parameters:
    ///   - word: the word as it was typed, in any case of letters.
    ///   - names: the names that exist.
    /// - Returns: nil where every name differs in more than a third of the word's letters.
    public static func nearest(to word: String, among names: [String]) -> String? {
        let nearest = names.map { (name: $0, distance: distance(word, $0)) }.min { $0.distance < $1.distance }
        return nearest.flatMap { $0.distance <= max(1, word.count / 3) ? $0.name : nil }
    }

    /// The optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbouring letters, without
    /// regard to case.
    static func distance(_ first: String, _ second: String) -> Int {
        let (a, b) = (Array(first.lowercased()), Array(second.lowercased()))
        var rows = [Array(0...b.count)]
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var cost = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, rows[i - 1][j - 1] + 1) }
                row.append(cost)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
