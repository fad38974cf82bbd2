import Foundation

/// A pattern that recordings are found with, such as `raw/{subject}/*/{task}.zip`.
///
/// `{name}` stands for one or more characters but dots and keeps them, as few as will do; the same name twice means the
/// same text twice. `*` stands for any characters, `?` for one, `**` for any folders between.
struct PathPattern: Hashable {
    private enum Piece: Hashable {
        case text(Character)
        case any
        case one
        case capture(String)
    }

    static let names = ["subject", "session", "task", "run"]
    /// Folders deeper than this below a `**` are not searched.
    private static let deepest = 16

    let text: String
    private let components: [[Piece]]

    init(_ text: String) throws {
        self.text = text
        let parts = text.split(separator: "/").filter { $0 != "." }
        guard !parts.isEmpty, !text.hasPrefix("/"), !parts.contains("..") else {
            throw CohortError("the pattern '\(text)' must be a path below the data set's folder")
        }
        components = try parts.map { try Self.pieces($0, of: text) }
        guard components.joined().contains(.capture("subject")) else {
            throw CohortError("the pattern '\(text)' has no {subject}", advice: "write, for instance, {subject}.zip")
        }
    }

    private static func pieces(_ component: Substring, of text: String) throws -> [Piece] {
        var pieces: [Piece] = []
        var rest = component
        while let first = rest.popFirst() {
            switch first {
            case "*": pieces.append(.any)
            case "?": pieces.append(.one)
            case "{":
                guard let end = rest.firstIndex(of: "}"), names.contains(String(rest[..<end])) else {
                    throw CohortError(
                        "the pattern '\(text)' has a brace without a known name",
                        advice: "known are {\(names.joined(separator: "}, {"))}")
                }
                pieces.append(.capture(String(rest[..<end])))
                rest = rest[rest.index(after: end)...]
            default: pieces.append(.text(first))
            }
        }
        return pieces
    }

    /// All files and folders below `root` that fit, in order of their paths, with the texts of the names. Hidden ones and
    /// results of a batch do not count.
    /// - Throws: `CohortError` when a folder that has to be searched cannot be listed.
    func matches(in root: URL) throws -> [(path: String, labels: [String: String])] {
        var found: [String: [String: String]] = [:]
        try search(root, "", components[...], [:], 0) { path, labels in
            if found[path] == nil { found[path] = labels }
        }
        return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func search(
        _ root: URL, _ path: String, _ rest: ArraySlice<[Piece]>, _ labels: [String: String], _ depth: Int,
        found: (String, [String: String]) -> Void
    ) throws {
        guard let component = rest.first else { return found(path, labels) }
        let folder = path.isEmpty ? root : root.appendingPathComponent(path)
        let isAnyDepth = component == [.any, .any]
        if isAnyDepth { try search(root, path, rest.dropFirst(), labels, depth, found: found) }
        for name in try DatasetContent.names(in: folder) {
            let inner = path.isEmpty ? name : path + "/" + name
            if isAnyDepth {
                if depth < Self.deepest { try search(root, inner, rest, labels, depth + 1, found: found) }
            } else if let labels = Self.match(component, Array(name), labels) {
                try search(root, inner, rest.dropFirst(), labels, depth, found: found)
            }
        }
    }

    private static func match(
        _ component: [Piece], _ name: [Character], _ labels: [String: String]
    ) -> [String: String]? {
        var match = ComponentMatch(component, name, known: labels)
        return match.labels(from: 0, at: 0, labels)
    }

    /// How the text of one component fits. What has failed once is not tried again: several `*` and names between them
    /// part a long text in more ways than anybody waits for.
    private struct ComponentMatch {
        /// What the rest of a component could not be matched with.
        private struct Place: Hashable {
            var piece: Int
            var character: Int
            /// What the names that come again stand for.
            var bound: [String?]
        }

        private let pieces: [Piece]
        private let name: [Character]
        private let repeated: [String]
        private var failed: Set<Place> = []

        init(_ pieces: [Piece], _ name: [Character], known labels: [String: String]) {
            (self.pieces, self.name) = (pieces, name)
            repeated = PathPattern.names.filter { key in
                labels[key] == nil && pieces.count { $0 == .capture(key) } > 1
            }
        }

        /// The labels with which the rest of the text fits the rest of the component; nil where it does not.
        mutating func labels(
            from piece: Int, at character: Int, _ labels: [String: String]
        ) -> [String: String]? {
            guard piece < pieces.count else { return character == name.count ? labels : nil }
            let place = Place(piece: piece, character: character, bound: repeated.map { labels[$0] })
            guard !failed.contains(place) else { return nil }
            let found = tried(piece, character, labels)
            if found == nil { failed.insert(place) }
            return found
        }

        private mutating func tried(
            _ piece: Int, _ character: Int, _ labels: [String: String]
        ) -> [String: String]? {
            switch pieces[piece] {
            case .text(let wanted):
                guard character < name.count, name[character] == wanted else { return nil }
                return self.labels(from: piece + 1, at: character + 1, labels)
            case .one:
                return character < name.count ? self.labels(from: piece + 1, at: character + 1, labels) : nil
            case .any:
                for next in character...name.count {
                    if let found = self.labels(from: piece + 1, at: next, labels) { return found }
                }
                return nil
            case .capture(let key):
                var text = ""
                for next in character..<name.count {
                    // A name stands for no dot.
                    if name[next] == "." { return nil }
                    text.append(name[next])
                    if let known = labels[key], known != text { continue }
                    var longer = labels
                    longer[key] = text
                    if let found = self.labels(from: piece + 1, at: next + 1, longer) { return found }
                }
                return nil
            }
        }
    }
}
