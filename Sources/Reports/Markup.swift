/// Builds XML-well-formed markup; tags are balanced by construction and all text is escaped.
struct Markup {
    private(set) var source = ""

    /// An element with content.
    mutating func element(
        _ name: String, _ attributes: [(String, String)] = [], _ content: (inout Markup) -> Void
    ) {
        open(name, attributes, end: ">")
        content(&self)
        source += "</\(name)>"
    }

    /// An element with text in it.
    mutating func element(_ name: String, _ attributes: [(String, String)] = [], text: String) {
        element(name, attributes) { $0.text(text) }
    }

    /// An element without content, such as `<br/>`.
    mutating func empty(_ name: String, _ attributes: [(String, String)] = []) {
        open(name, attributes, end: "/>")
    }

    /// Text as it is to be read.
    mutating func text(_ text: String) {
        Self.escape(text, into: &source)
    }

    /// Markup built elsewhere.
    mutating func append(_ other: Markup) {
        source += other.source
    }

    /// A line break in the source.
    mutating func newline() {
        source += "\n"
    }

    /// A style sheet or script of our own; wrapped so that XML readers take it as text too.
    mutating func code(_ name: String, _ code: String) {
        source += "<\(name)>/*<![CDATA[*/\n\(code)\n/*]]>*/</\(name)>"
    }

    /// Data for the page's script. `json` is made of numbers and escaped strings only.
    mutating func json(id: String, _ json: String) {
        open("script", [("type", "application/json"), ("id", id)], end: ">")
        source += json
        source += "</script>"
    }

    private mutating func open(_ name: String, _ attributes: [(String, String)], end: String) {
        source += "<\(name)"
        for (key, value) in attributes {
            source += " \(key)=\""
            Self.escape(value, into: &source)
            source += "\""
        }
        source += end
    }

    private static func escape(_ text: String, into source: inout String) {
        // Almost all text is: paths, links with data, numbers.
        if text.utf8.allSatisfy(isPlain) {
            source += text
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": source += "&amp;"
            case "<": source += "&lt;"
            case ">": source += "&gt;"
            case "\"": source += "&quot;"
            case "'": source += "&#39;"
            case "\t", "\n", "\r": source.unicodeScalars.append(scalar)
            default: source.unicodeScalars.append(isAllowed(scalar) ? scalar : "\u{FFFD}")
            }
        }
    }

    /// Whether a byte stands for itself wherever it comes.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
        default: (0x20..<0x7F).contains(byte)
        }
    }

    /// Control characters are not allowed in XML; direction overrides could make a name read as another.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0xFFFE, 0xFFFF: false
        default: true
        }
    }
}
