import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// An XML element of a header: name, text, children. XDF uses no attributes.
struct XDFElement {
    var name: String
    var text = ""
    var children: [XDFElement] = []
    /// Whether errors in its XML were passed over: other readers, which are stricter, refuse it.
    var isMended = false

    /// The first child of this name.
    subscript(_ name: String) -> XDFElement? {
        children.first { $0.name == name }
    }

    /// The text of the first child of this name without surrounding white space; nil when empty or absent.
    func value(_ name: String) -> String? {
        guard let text = self[name]?.trimmed, !text.isEmpty else { return nil }
        return text
    }

    /// The text without surrounding white space.
    var trimmed: String { text.trimmingCharacters(in: .whitespacesAndNewlines) }

    /// Reads a header; nil when its XML has errors that cannot be passed over, or it is deeper or longer than any header is.
    init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count <= XDFBytes.longestXML else { return nil }
        // Bytes that are no UTF-8 are replaced: a name in Latin-1 should not cost a recording.
        let text = String(decoding: bytes, as: UTF8.self)
        let builder = Builder()
        let parser = XMLParser(data: Data(text.utf8))
        parser.shouldResolveExternalEntities = false
        parser.delegate = builder
        guard parser.parse(), let root = builder.root else { return nil }
        self = root
        isMended = builder.hasErrors
    }

    init(name: String, text: String = "", children: [XDFElement] = []) {
        self.name = name
        self.text = text
        self.children = children
    }

    private final class Builder: NSObject, XMLParserDelegate {
        var root: XDFElement?
        private(set) var hasErrors = false
        private var open: [XDFElement] = []
        private var count = 0

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            count += 1
            guard open.count < 64, count < 200_000 else { return parser.abortParsing() }
            open.append(XDFElement(name: name))
        }

        func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
            if !Self.warnings.contains((error as NSError).code) { hasErrors = true }
        }

        /// What libxml2 only warns of: versions, languages and namespaces that it does not know.
        private static let warnings = 97...100

        func parser(_ parser: XMLParser, foundCharacters string: String) {
            guard !open.isEmpty else { return }
            open[open.count - 1].text += string
        }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
        ) {
            guard let element = open.popLast() else { return }
            if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
        }
    }
}

extension XDFElement {
    /// The element as text, with the characters escaped that XML forbids.
    var xml: String {
        var out = ""
        write(into: &out)
        return out
    }

    private func write(into out: inout String) {
        out += "<\(name)>"
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\t", "\n": out.unicodeScalars.append(scalar)
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": out += "\u{FFFD}"
            default: out.unicodeScalars.append(scalar)
            }
        }
        for child in children { child.write(into: &out) }
        out += "</\(name)>"
    }
}
