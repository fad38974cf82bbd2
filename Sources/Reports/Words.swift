import Signals

extension Double {
    /// Whether a picture can show this moment or length of time: a number of less than thirty years.
    var isSoundTime: Bool { isFinite && magnitude < 1e9 }
}

/// Names as words.
enum Words {
    /// `motionTooHigh` as `motion too high`; anything that is not one lower-camel-case word stays as it is.
    static func of(_ name: String) -> String {
        guard let first = name.unicodeScalars.first, ("a"..."z").contains(first),
            name.unicodeScalars.allSatisfy({ isLetterOrDigit($0) })
        else { return name }
        var words = ""
        var previousIsUpper = true
        for scalar in name.unicodeScalars {
            let isUpper = ("A"..."Z").contains(scalar)
            if isUpper, !previousIsUpper { words += " " }
            words +=
                isUpper && !previousIsUpper
                ? Unicode.Scalar(scalar.value + 32).map { String($0) } ?? "" : String(scalar)
            previousIsUpper = isUpper
        }
        return words
    }

    /// `1 beat`, `2 beats`, with the number in groups of three.
    static func count(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
        "\(NumberText.count(count)) \(count.word(singular, plural))"
    }

    /// A text of at most `limit` characters: what is too long is cut in its middle, where labels differ least.
    /// - Parameter kept: how many characters at the beginning stay in any case.
    static func shortened(_ text: String, to limit: Int, keeping kept: Int = 0) -> String {
        guard limit > 2, text.count > limit else { return text }
        let head = min(limit - 2, max(kept, (limit - 1) / 2))
        return "\(text.prefix(head))…\(text.suffix(limit - 1 - head))"
    }

    /// As `shortened`, each. Different texts that this makes alike are cut elsewhere, where that keeps them apart.
    static func distinct(_ texts: [String], to limit: Int) -> [String] {
        var found = texts.map { shortened($0, to: limit) }
        guard limit > 2 else { return found }
        let alike = Dictionary(grouping: texts.indices) { found[$0] }.values.filter { places in
            places.contains { texts[$0] != texts[places[0]] }
        }
        for places in alike {
            let (wanted, middle) = (Set(places.map { texts[$0] }), (limit - 1) / 2)
            let cuts = (0..<limit).sorted { ((Int($0) - middle).magnitude, $0) < ((Int($1) - middle).magnitude, $1) }
            let cut = cuts.first { head in Set(wanted.map { cutting($0, to: limit, head) }).count == wanted.count }
            guard let cut else { continue }
            for place in places { found[place] = cutting(texts[place], to: limit, cut) }
        }
        return found
    }

    private static func cutting(_ text: String, to limit: Int, _ head: Int) -> String {
        text.count > limit ? "\(text.prefix(head))…\(text.suffix(limit - 1 - head))" : text
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
    }
}
