extension Unicode.Scalar {
    /// Whether a terminal or a table acts on it instead of showing it: a tab, a line's end, an escape code.
    public var isControl: Bool {
        [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
    }
}

extension String {
    /// The text as it can be shown to people: characters that a terminal would act on are spelled. Files and devices may have
    /// put them there.
    public var shown: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return unicodeScalars.map { $0.isControl ? $0.escaped(asASCII: true) : String($0) }.joined()
    }

    /// The same of a text of several lines, whose ends and tabs stay.
    public var shownLines: String {
        func isLayout(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\t" }
        guard unicodeScalars.contains(where: { $0.isControl && !isLayout($0) }) else { return self }
        return unicodeScalars.map { $0.isControl && !isLayout($0) ? $0.escaped(asASCII: true) : String($0) }.joined()
    }
}
