extension String {
    /// The text with powers as people write them: `s^-1` as `s⁻¹`, `ln(ms^2)` as `ln(ms²)`.
    var withRaisedPowers: String {
        guard contains("^") else { return self }
        var (raised, rest) = ("", self[...])
        while let caret = rest.firstIndex(of: "^") {
            raised += rest[..<caret]
            let behind = rest[rest.index(after: caret)...]
            let sign = behind.first == "-" ? "⁻" : ""
            let digits = behind.dropFirst(sign.isEmpty ? 0 : 1).prefix { Self.raisedDigits[$0] != nil }
            let next = behind[digits.endIndex...]
            // A power that is no whole number has no raised signs.
            if digits.isEmpty || next.first == "." && next.dropFirst().first?.isNumber == true {
                raised += "^"
                rest = behind
            } else {
                raised += sign + digits.compactMap { Self.raisedDigits[$0] }.joined()
                rest = next
            }
        }
        return raised + rest
    }

    private static let raisedDigits: [Character: String] = [
        "0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "5": "⁵", "6": "⁶", "7": "⁷", "8": "⁸", "9": "⁹",
    ]
}
