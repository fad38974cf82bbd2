import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Reads a page as XML and collects what the tests ask about.
final class PageReader: NSObject, XMLParserDelegate {
    private(set) var error: String?
    private(set) var elements: [(name: String, attributes: [String: String])] = []
    private(set) var text = ""
    private var open: [String] = []

    /// Reads `page`; `error` tells where it is not well-formed.
    init(_ page: String) {
        super.init()
        let parser = XMLParser(data: Data(page.utf8))
        parser.delegate = self
        if !parser.parse() {
            error =
                "line \(parser.lineNumber), column \(parser.columnNumber): \(String(describing: parser.parserError))"
        }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        elements.append((name, attributes))
        open.append(name)
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        open.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters characters: String) {
        if open.last != "script", open.last != "style" { text += characters + "\n" }
    }

    func count(_ name: String) -> Int {
        elements.count { $0.name == name }
    }

    /// The values of an attribute over all elements.
    func values(of attribute: String) -> [String] {
        elements.compactMap { $0.attributes[attribute] }
    }
}

/// What every page must be, whatever it reports.
func expectSound(
    _ page: String, neighbours: Set<String> = [], sourceLocation: SourceLocation = #_sourceLocation
) -> PageReader {
    let reader = PageReader(page)
    #expect(reader.error == nil, "well-formed", sourceLocation: sourceLocation)
    #expect(page.hasPrefix("<!DOCTYPE html>\n"), sourceLocation: sourceLocation)
    let ids = reader.values(of: "id")
    #expect(Set(ids).count == ids.count, "every id once", sourceLocation: sourceLocation)
    for target in reader.values(of: "href") {
        let isInside =
            target.hasPrefix("#") || target.hasPrefix("data:text/") || target.hasPrefix("data:image/png;")
            || target.hasPrefix("https://doi.org/") || neighbours.contains(target)
        #expect(isInside, "link to \(target.prefix(60))", sourceLocation: sourceLocation)
        if target.hasPrefix("#") { #expect(ids.contains(String(target.dropFirst()))) }
    }
    #expect(reader.values(of: "src").isEmpty, "nothing is fetched", sourceLocation: sourceLocation)
    for name in ["link", "iframe", "img", "object", "embed", "base", "form"] {
        #expect(reader.count(name) == 0, "\(name)", sourceLocation: sourceLocation)
    }
    for bad in ["@import", "NaN", "Infinity", ">nan", ">inf", " nan", "-nan", "\"nan", "\"inf\""] {
        #expect(!page.contains(bad), "\(bad) on the page", sourceLocation: sourceLocation)
    }
    let drawings = reader.elements.filter { $0.name == "svg" }
    for drawing in drawings {
        let labels = drawing.attributes["aria-labelledby"]?.split(separator: " ").map(String.init) ?? []
        #expect(
            labels.count == 2 && labels.allSatisfy(ids.contains), "title and description",
            sourceLocation: sourceLocation)
    }
    for table in reader.elements where table.name == "table" {
        let name = table.attributes["aria-label"] ?? ""
        #expect(!name.isEmpty, "every table says what it is", sourceLocation: sourceLocation)
    }
    for box in reader.elements where box.attributes["class"] == "scroll" {
        let isNamed = box.attributes["role"] == "region" && !(box.attributes["aria-label"] ?? "").isEmpty
        #expect(
            isNamed && box.attributes["tabindex"] == "0", "what scrolls is reached with the keyboard",
            sourceLocation: sourceLocation)
    }
    for address in reader.values(of: "fill") + reader.values(of: "clip-path") where address.hasPrefix("url(#") {
        #expect(ids.contains(String(address.dropFirst(5).dropLast())), "\(address)", sourceLocation: sourceLocation)
    }
    return reader
}

/// The rows of a `data:` link.
func rows(of link: String) -> [[String]] {
    guard let comma = link.firstIndex(of: ","),
        let text = String(link[link.index(after: comma)...]).removingPercentEncoding
    else { return [] }
    return text.split(separator: "\n").map {
        $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
}
