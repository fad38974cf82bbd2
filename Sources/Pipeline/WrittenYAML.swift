import Yams

/// YAML that somebody wrote, which may be anybody: a few lines whose aliases stand for one another expand to more than a
/// machine holds, and a list or a mapping in the place of a key ends the program that loads it.
public enum WrittenYAML {
    /// The most values that a document's aliases may expand to.
    static let mostNodes = 100_000

    /// Why a text should not be parsed; nil where nothing speaks against it, or where it is no YAML, which its parser says.
    public static func problem(of text: String) -> String? {
        if let excess = Self.excess(of: text) { return excess }
        guard let root = try? Yams.compose(yaml: text), let key = wrongKey(in: root) else { return nil }
        let line = key.mark.map { "line \($0.line): " } ?? ""
        return "\(line)keys must be texts, and this one is \(key.sequence == nil ? "a mapping" : "a list")"
    }

    /// The first key that is no text.
    private static func wrongKey(in node: Node) -> Node? {
        switch node {
        case .mapping(let mapping):
            for (key, value) in mapping {
                guard key.scalar != nil else { return key }
                if let wrong = wrongKey(in: value) { return wrong }
            }
        case .sequence(let sequence):
            for value in sequence {
                if let wrong = wrongKey(in: value) { return wrong }
            }
        case .scalar, .alias: break
        }
        return nil
    }

    /// Whether aliases expand to more than may be, in words; nil where they do not.
    ///
    /// Values are counted without expanding them: the text is parsed with a mark in the place of each alias, and a mark
    /// counts as much as what its anchor holds.
    public static func excess(of text: String) -> String? {
        guard text.utf8.contains(UInt8(ascii: "*")), text.utf8.contains(UInt8(ascii: "&")) else { return nil }
        let marked = String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "*" ? mark : $0 }))
        do {
            let parser = try Yams.Parser(yaml: marked)
            // Nodes know their anchors only as long as the parser lives.
            let expanded = try withExtendedLifetime(parser) {
                var counts: [Substring: Int] = [:]
                return try parser.singleRoot().map { count($0, &counts) } ?? 0
            }
            guard expanded > mostNodes else { return nil }
            return "its aliases (*name) expand to more than \(mostNodes) values: write out what is meant"
        } catch {
            return "is not YAML: \(error)"
        }
    }

    /// A character that YAML allows and nobody writes.
    private static let mark: Unicode.Scalar = "\u{E000}"

    /// Whether names of anchors may have a character, as libyaml reads them.
    private static func isOfName(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "_" || character == "-")
    }

    /// How many values a node expands to, or one more than may be.
    private static func count(_ node: Node, _ counts: inout [Substring: Int]) -> Int {
        var sum = 1
        switch node {
        case .scalar(let scalar):
            if scalar.style == .plain, scalar.string.unicodeScalars.first == mark {
                sum = counts[scalar.string.dropFirst().prefix(while: isOfName)] ?? 1
            }
        case .mapping(let mapping):
            for (key, value) in mapping { sum = min(mostNodes + 1, sum + count(key, &counts) + count(value, &counts)) }
        case .sequence(let sequence):
            for value in sequence { sum = min(mostNodes + 1, sum + count(value, &counts)) }
        case .alias: break
        }
        if let anchor = node.anchor { counts[anchor.rawValue[...]] = sum }
        return sum
    }
}
