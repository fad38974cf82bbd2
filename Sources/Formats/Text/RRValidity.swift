import Signals

/// A column next to intervals that says which of them are bad.
struct RRValidity {
    /// The name of the column, for notes.
    let name: String
    /// For each row whether its interval is bad.
    let isBad: [Bool]

    /// The meaning of a column's numbers.
    private enum Polarity {
        /// 1, true or a word of what is wrong marks a bad interval.
        case marksBad
        /// 0, false or a word of what is wrong marks a bad interval.
        case marksGood
        /// Only a word of what is wrong marks a bad interval.
        case byWords
    }

    /// A column called so with these cells; nil where it does not say which intervals are bad.
    ///
    /// A device that never fills a column of contact or validity leaves 0 in all of its rows: such a column says nothing.
    init?(_ name: String, _ cells: [Substring]) {
        guard let polarity = Self.polarity(name) else { return nil }
        var bad: [Bool] = []
        bad.reserveCapacity(cells.count)
        for cell in cells {
            guard let isBad = Self.isBad(cell, polarity) else { return nil }
            bad.append(isBad)
        }
        if polarity == .marksGood, bad.allSatisfy({ $0 }) { return nil }
        (self.name, isBad) = (name, bad)
    }

    /// True where a cell is a mark in words, so that its line is one of numbers and marks.
    static func isWord(_ cell: Substring) -> Bool {
        let word = cell.lowercased()
        return switches[word] != nil || verdicts[word] != nil
    }

    /// True where a cell marks a bad interval; an empty one does not. Nil where it is no mark.
    private static func isBad(_ cell: Substring, _ polarity: Polarity) -> Bool? {
        let word = cell.lowercased()
        if word.isEmpty { return false }
        if let isBad = verdicts[word] { return isBad }
        guard polarity != .byWords else { return nil }
        let isSet: Bool
        if let value = NumberParsing.double(cell) {
            if value.isNaN { return false }
            guard value == 0 || value == 1 else { return nil }
            isSet = value == 1
        } else if let known = switches[word] {
            isSet = known
        } else {
            return nil
        }
        return polarity == .marksBad ? isSet : !isSet
    }

    private static let switches: [String: Bool] = [
        "true": true, "false": false, "yes": true, "no": false, "t": true, "f": false, "y": true,
    ]
    /// Words that say themselves whether an interval is bad.
    private static let verdicts: [String: Bool] = [
        "valid": false, "good": false, "ok": false, "normal": false, "clean": false, "accepted": false, "n/a": false,
        "invalid": true, "bad": true, "artifact": true, "artefact": true, "noise": true, "noisy": true,
        "rejected": true,
        "excluded": true, "missing": true, "poor": true,
    ]
    private static let neutral: Set<String> = ["quality", "status", "flag", "label", "annotation", "class", "state"]

    private static func polarity(_ name: String) -> Polarity? {
        let words = name.lowercased().split { !$0.isLetter }.map(String.init)
        if words.contains(where: bad.contains) || words.contains("not") && words.contains(where: good.contains) {
            return .marksBad
        }
        if words.contains(where: good.contains) { return .marksGood }
        return words.contains(where: neutral.contains) ? .byWords : nil
    }

    private static let bad: Set<String> = [
        "artifact", "artefact", "artifacts", "artefacts", "blocker", "blocked", "bad", "invalid", "isinvalid", "noise",
        "noisy", "outlier", "reject", "rejected", "exclude", "excluded", "corrupt", "corrupted", "unusable",
        "isartifact",
        "isartefact", "ectopic", "ignore", "ignored", "discard", "discarded", "isbad", "isnoise", "isoutlier",
        "movement",
    ]
    private static let good: Set<String> = [
        "valid", "validity", "isvalid", "ok", "isok", "good", "isgood", "accepted", "accept", "usable", "isusable",
        "contact", "skincontact", "skin", "clean", "isclean", "include", "included", "keep", "use", "reliable",
    ]
}
