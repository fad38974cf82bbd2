import Foundation

/// What one of our folders (a study, the output of a batch, an export) holds of a person.
struct PersonalData {
    let root: URL
    let participant: String
    private let scope: Scope

    /// Where in a folder its owner's data may lie: other data sets may lie in it as well, and are not touched.
    private enum Scope {
        /// All of it.
        case everything
        /// These files and folders.
        case parts([String])
    }

    /// What a study in `root` holds of a person.
    init(study root: URL, participant: String) {
        (self.root, self.participant, scope) = (root, participant, .everything)
    }

    /// What results in `root` hold of a person, told by what it is: the output of a batch, an export of results as BIDS
    /// derivatives, or an export of a group's tables.
    init(results root: URL, participant: String) {
        self.root = root
        self.participant = participant
        func has(_ path: String) -> Bool { ErasedFile.isThere(root.appendingPathComponent(path)) }
        if has(".marey/batch") {
            scope = .parts(["sub-" + participant, ".marey/batch", "logs", "group"])
        } else if has("dataset_description.json") {
            scope = .parts(["sub-" + participant, "participants.tsv"])
        } else {
            scope = .parts(Self.exports)
        }
    }

    /// The files of exported group tables that may tell of single people.
    private static let exports = ["indexes_long", "indexes_wide", "missingness", "outliers", "failures"].flatMap {
        name in
        ["csv", "parquet"].map { name + "." + $0 }
    }

    /// The name that BIDS gives the person.
    private var name: String { "sub-" + participant }

    /// All files that go as a whole, relative to the folder: those named after the person, those in folders named after
    /// the person, and tables over a whole group, which have to be made anew.
    func files() -> [String] {
        paths().filter { path in
            let parts = path.split(separator: "/")
            guard parts.contains(where: isNamed) || isOfGroup(path, parts) else { return false }
            return ErasedFile.isFile(root.appendingPathComponent(path))
        }.sorted()
    }

    /// Whether any file is the person's own.
    var hasOwnFiles: Bool { files().contains { $0.split(separator: "/").contains(where: isNamed) } }

    /// Deletes folders named after the person that are empty, innermost first.
    func removeEmptyFolders() {
        let folders = paths().filter { path in
            path.split(separator: "/").contains { $0 == name || $0.hasPrefix(name + "_") }
        }
        for folder in folders.sorted(by: { $0.count > $1.count }) { rmdir(root.appendingPathComponent(folder).path) }
    }

    /// Takes the person's rows out of tables that list participants, and the lines that name the person out of logs and
    /// lists.
    /// - Returns: how many went, by file.
    /// - Throws: `StudyError` when a file cannot be written anew.
    func removeRows() throws -> [String: Int] {
        var removed: [String: Int] = [:]
        for path in paths() {
            let url = root.appendingPathComponent(path)
            let names = naming(path)
            guard names != .nothing, ErasedFile.isFile(url) else { continue }
            if names == .rows, !ParticipantRows.mayBe(url) { continue }
            guard let text = try? String(contentsOf: url, encoding: .utf8) else { continue }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let kept = names == .rows ? ParticipantRows.without(participant, lines) : lines.filter { !isMentioned($0) }
            guard kept.count < lines.count else { continue }
            removed[path] = lines.count - kept.count
            try ErasedFile.replace(url, with: kept.joined(separator: "\n"))
        }
        return removed
    }

    private enum Naming { case rows, lines, nothing }

    private func naming(_ path: String) -> Naming {
        if path.hasSuffix(".tsv") || path.hasSuffix(".csv") { return .rows }
        let parts = path.split(separator: "/")
        if path.hasSuffix(".log"), parts.contains("logs") { return .lines }
        return path.hasSuffix(".list") && parts.contains(".marey") ? .lines : .nothing
    }

    private func paths() -> [String] {
        func content(_ folder: URL) -> [String] {
            FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        }
        guard case .parts(let parts) = scope else { return content(root) }
        return parts.flatMap { part -> [String] in
            let url = root.appendingPathComponent(part)
            guard ErasedFile.isThere(url) else { return [] }
            return [part] + (ErasedFile.isFolder(url) ? content(url).map { part + "/" + $0 } : [])
        }
    }

    private func isNamed(_ part: Substring) -> Bool {
        part == name || part.hasPrefix(name + "_") || part.hasPrefix(name + ".")
            || part.hasPrefix(".\(name)_") || part.hasPrefix(".\(name).")
    }

    /// Whether a file lies in the group's folder of a batch, or is an export of such tables that has no lines to take
    /// out.
    private func isOfGroup(_ path: String, _ parts: [Substring]) -> Bool {
        if parts.count > 3, parts[0] == "derivatives", parts[2] == "group" { return true }
        if path.hasSuffix(".parquet") { return ParticipantRows.isOurParquet(root.appendingPathComponent(path)) }
        return parts.indices.dropLast().contains { place in
            let batch = parts[..<place].joined(separator: "/") + "/.marey/batch"
            return parts[place] == "group" && ErasedFile.isFolder(root.appendingPathComponent(batch))
        }
    }

    /// Whether a line names the person, and not one whose label begins alike.
    private func isMentioned(_ line: Substring) -> Bool {
        var rest = line[...]
        while let found = rest.range(of: name) {
            guard let next = line[found.upperBound...].first, RunName.isLabel(String(next)) else { return true }
            rest = line[found.upperBound...]
        }
        return false
    }
}

/// Tables that list participants, told by their headers.
enum ParticipantRows {
    private static let headings: Set<String> = ["participant", "participant_id", "subject"]

    /// Whether the first line of a file names a column of participants.
    static func mayBe(_ url: URL) -> Bool {
        guard let file = try? FileHandle(forReadingFrom: url), let head = try? file.read(upToCount: 1 << 16) else {
            return false
        }
        let line = String(decoding: head.prefix { $0 != 0x0A }, as: UTF8.self)
        return cells(line[...]).contains(where: headings.contains)
    }

    /// The lines of a table but for those of one participant, whose label is written with or without `sub-`, as it is or
    /// so that it becomes the label where only letters and digits count.
    static func without(_ participant: String, _ lines: [Substring]) -> [Substring] {
        guard let header = lines.first, let column = cells(header).firstIndex(where: headings.contains) else {
            return lines
        }
        return [header]
            + lines.dropFirst().filter { line in
                let cells = cells(line)
                guard column < cells.count else { return true }
                let cell = cells[column].hasPrefix("sub-") ? String(cells[column].dropFirst(4)) : cells[column]
                return cell.isEmpty || RunName.label(from: cell) != participant
            }
    }

    /// Whether a Parquet file is one that we wrote of a group's tables: such are made anew.
    static func isOurParquet(_ url: URL) -> Bool {
        guard let file = try? FileHandle(forReadingFrom: url), let size = try? file.seekToEnd() else { return false }
        try? file.seek(toOffset: size > 1 << 20 ? size - (1 << 20) : 0)
        guard let tail = try? file.readToEnd() else { return false }
        return tail.range(of: Data("Marey".utf8)) != nil && tail.range(of: Data("participant".utf8)) != nil
    }

    /// The cells of a line of tab-, comma- or semicolon-separated text, without their quotation marks.
    private static func cells(_ line: Substring) -> [String] {
        let separator: Character = line.contains("\t") ? "\t" : line.contains(";") && !line.contains(",") ? ";" : ","
        var (cells, cell, isQuoted) = ([String](), "", false)
        for character in line where character != "\r" {
            if character == "\"" {
                isQuoted.toggle()
            } else if character == separator, !isQuoted {
                cells.append(cell)
                cell = ""
            } else {
                cell.append(character)
            }
        }
        return (cells + [cell]).map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
