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

    /// `1 beat`, `2 beats`.
    static func count(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
        "\(NumberText.count(count)) \(count == 1 ? singular : plural ?? singular + "s")"
    }

    /// A text of at most `limit` characters: what is too long is cut in its middle, where labels differ least.
    /// - Parameter kept: how many characters at the beginning stay in any case.
    static func shortened(_ text: String, to limit: Int, keeping kept: Int = 0) -> String {
        guard limit > 2, text.count > limit else { return text }
        let head = min(limit - 2, max(kept, (limit - 1) / 2))
        return "\(text.prefix(head))…\(text.suffix(limit - 1 - head))"
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
    }
}
