import Signals

/// A column next to intervals that says which of them are bad.
struct RRValidity {
    /// The name of the column, for notes.
    let name: String
    /// For each row whether its interval is bad.
    let isBad: [Bool]
    /// The verb of the note: `marks 3 of 100 intervals as bad`.
    private let verb: String

    /// The note about the column, where it takes `count` of `all` intervals out.
    func note(_ count: Int, of all: Int) -> String {
        "column \"\(name.shown.prefix(40))\" \(verb) \(count) of \(all) intervals as bad"
            + (count == 0 ? "" : ": \(count.word("it is", "they are")) missing")
    }

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
        // A flag may mean anything; one of most intervals is no mark of bad ones.
        if Self.words(name).contains(where: Self.doubtful.contains), 2 * bad.count { $0 } > bad.count { return nil }
        (self.name, isBad, verb) = (name, bad, "marks")
    }

    /// A column of error estimates, as Polar's sensors send them with pulse intervals: an interval whose error is more
    /// than a tenth of it is bad. Nil for other columns.
    /// - Parameters:
    ///   - cells: errors in ms.
    ///   - intervals: the intervals in seconds; NaN for missing ones.
    init?(errors name: String, _ cells: [Substring], of intervals: [Double]) {
        let words = Self.words(name)
        guard words.contains(where: { ["error", "errors", "err", "errorestimate", "pperrorestimate"].contains($0) })
        else {
            return nil
        }
        var bad: [Bool] = []
        for (cell, interval) in zip(cells, intervals) {
            guard let error = cell.isEmpty ? .nan : NumberParsing.double(cell), !(error < 0) else { return nil }
            bad.append(error > Self.largestError * 1000 * interval)
        }
        (self.name, isBad, verb) = (name, bad, "marks by an error above 10 %")
    }

    /// The largest error of a good interval, as a share of it.
    private static let largestError = 0.1

    /// The words of a name, in lower case: `skinContactStatus` has three, `is_valid` two.
    private static func words(_ name: String) -> [String] {
        var words: [String] = [""]
        var last: Character = " "
        for letter in name {
            if !letter.isLetter {
                if words[words.count - 1] != "" { words.append("") }
            } else {
                if letter.isUppercase, last.isLowercase { words.append("") }
                words[words.count - 1] += letter.lowercased()
            }
            last = letter
        }
        return words.filter { !$0.isEmpty }
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
    private static let neutral: Set<String> = ["status", "label", "annotation", "class", "state"]
    /// Names of marks of bad intervals, unless most are marked.
    private static let doubtful: Set<String> = ["flag", "flags", "flagged", "error", "errors", "err"]
    private static let negations: Set<String> = ["not", "non", "no", "un", "low", "poor", "lost", "without"]

    private static func polarity(_ name: String) -> Polarity? {
        let words = words(name)
        if words.contains("supported") { return nil }
        let isGood = words.contains(where: good.contains)
        if words.contains(where: bad.contains) || isGood && words.contains(where: negations.contains) {
            return .marksBad
        }
        if isGood { return .marksGood }
        if words.contains(where: doubtful.contains) { return .marksBad }
        return words.contains(where: neutral.contains) ? .byWords : nil
    }

    private static let bad: Set<String> = [
        "artifact", "artefact", "artifacts", "artefacts", "blocker", "blocked", "bad", "invalid", "isinvalid", "noise",
        "noisy", "outlier", "reject", "rejected", "exclude", "excluded", "corrupt", "corrupted", "unusable",
        "isartifact",
        "isartefact", "isectopic", "blockerbit", "interpolated", "estimated", "unreliable", "suspect", "wrong",
        "ectopic", "ignore", "ignored", "discard", "discarded", "isbad", "isnoise", "isoutlier",
        "movement",
    ]
    private static let good: Set<String> = [
        "quality", "sqi", "signalquality", "skincontactstatus", "valid", "validity", "isvalid", "ok", "isok", "good",
        "isgood", "accepted", "accept", "usable", "isusable",
        "contact", "skincontact", "skin", "clean", "isclean", "include", "included", "keep", "use", "reliable",
    ]
}
