import Foundation

/// What a data set's `.bidsignore` says is no part of it, as a `.gitignore` would: a pattern a line, of which the last that
/// fits counts.
///
/// `*` and `?` stand for characters of one name, `**` for any folders. A pattern with a slash before its end begins at the data
/// set's folder, others fit at any depth; one that ends with a slash means folders. `#` begins a comment, `!` what is no
/// longer left out.
struct BIDSIgnore {
    private struct Pattern {
        var names: [[Character]]
        var isNegated: Bool
        var isOfFolders: Bool
    }

    private let patterns: [Pattern]

    /// What the file of a data set says; nothing where there is none.
    init(of root: URL) {
        let content = FileManager.default.contents(atPath: root.appendingPathComponent(".bidsignore").path)
        self.init(String(decoding: content ?? Data(), as: UTF8.self))
    }

    init(_ text: String) {
        patterns = text.split(whereSeparator: \.isNewline).compactMap(Self.pattern)
    }

    private static func pattern(_ line: Substring) -> Pattern? {
        var line = line
        while line.last == " " || line.last == "\t" { line.removeLast() }
        guard let first = line.first, first != "#" else { return nil }
        let isNegated = first == "!"
        // What is spelled `\#` or `\!` is the mark itself.
        if isNegated || first == "\\" { line.removeFirst() }
        let isOfFolders = line.last == "/"
        if isOfFolders { line.removeLast() }
        var names = line.split(separator: "/").map { Array($0) }
        guard !names.isEmpty else { return nil }
        if !line.contains("/") { names.insert(anyDepth, at: 0) }
        return Pattern(names: names, isNegated: isNegated, isOfFolders: isOfFolders)
    }

    private static let anyDepth: [Character] = ["*", "*"]

    /// Whether a file or folder is left out, by its path from the data set's folder. What lies in a folder that is left out is
    /// so too, whatever this says of it.
    func leavesOut(_ path: String, isFolder: Bool) -> Bool {
        guard !patterns.isEmpty else { return false }
        let names = path.split(separator: "/").map { Array($0) }
        let last = patterns.last { pattern in
            (isFolder || !pattern.isOfFolders) && Self.fits(pattern.names[...], names[...])
        }
        return last.map { !$0.isNegated } ?? false
    }

    private static func fits(_ pattern: ArraySlice<[Character]>, _ names: ArraySlice<[Character]>) -> Bool {
        guard let first = pattern.first else { return names.isEmpty }
        guard first != anyDepth else {
            // At the end it means all that is inside.
            if pattern.count == 1 { return !names.isEmpty }
            return (0...names.count).contains { fits(pattern.dropFirst(), names.dropFirst($0)) }
        }
        guard let name = names.first, fits(first, name) else { return false }
        return fits(pattern.dropFirst(), names.dropFirst())
    }

    /// Whether one name fits.
    private static func fits(_ pattern: [Character], _ name: [Character]) -> Bool {
        var (place, at) = (0, 0)
        // The last `*`, and where what it stands for ends.
        var star: (place: Int, end: Int)?
        while at < name.count {
            if place < pattern.count, pattern[place] == "*" {
                star = (place, at)
                place += 1
            } else if place < pattern.count, pattern[place] == "?" || pattern[place] == name[at] {
                place += 1
                at += 1
            } else if let last = star {
                star = (last.place, last.end + 1)
                place = last.place + 1
                at = last.end + 1
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }
}
