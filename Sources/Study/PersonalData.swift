import Foundation

/// What one of our folders (a study, the output of a batch, an export) holds of a person.
struct PersonalData {
    let root: URL
    let participant: String
    let scope: Scope

    /// Where in a folder its owner's data may lie: other data sets may lie in it as well, and are not touched.
    enum Scope {
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
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        var parts = Self.exports + names.filter { Self.isUnfinishedExport($0[...]) }
        if has(".marey/batch") {
            parts += ["sub-" + participant, ".marey/batch", "logs", "group"]
        } else if has("dataset_description.json") {
            parts += ["sub-" + participant, "participants.tsv"]
        }
        scope = .parts(parts)
    }

    /// Tables over a whole group without a line per participant: the smallest and largest of a few, and reasons, are single
    /// participants'.
    private static let summaries: Set<String> = [
        "descriptives", "comparisons", "reliability", "condition_participants",
    ]

    /// The files of exported group tables, which may lie in any folder.
    private static let exports =
        (["indexes_long", "indexes_wide", "condition_means", "missingness", "outliers", "failures"] + summaries)
        .flatMap { name in ["csv", "parquet"].map { name + "." + $0 } }

    /// Whether a file of this name is an exported table that was cut off while it was written: `.NAME.PROCESS.NUMBER.partial`.
    private static func isUnfinishedExport(_ name: Substring) -> Bool {
        let parts = name.split(separator: ".")
        guard name.hasPrefix("."), parts.count == 5, parts[4] == "partial" else { return false }
        return exports.contains(parts[0] + "." + parts[1]) && parts[2...3].allSatisfy { Int($0) != nil }
    }

    /// The name that BIDS gives the person.
    var name: String { "sub-" + participant }

    /// All files that go as a whole, relative to the folder: those named after the person, those in folders named after
    /// the person, and tables over a whole group, which have to be made anew. Links to folders are not among them.
    func files() -> [String] {
        let walk = walk()
        let links = Set(walk.entered + walk.left.keys)
        return walk.paths.filter { path in
            let parts = path.split(separator: "/")
            guard parts.contains(where: isNamed) || isOfGroup(path, parts), !links.contains(path) else { return false }
            return ErasedFile.isFile(root.appendingPathComponent(path))
        }.sorted()
    }

    /// Whether any file is the person's own.
    var hasOwnFiles: Bool {
        let walk = walk()
        return (walk.entered + walk.left.keys + files()).contains(where: isPersonal)
    }

    /// Deletes folders named after the person that are empty, innermost first.
    func removeEmptyFolders() {
        let folders = paths().filter { path in
            path.split(separator: "/").contains { $0 == name || $0.hasPrefix(name + "_") }
        }
        for folder in folders.sorted(by: { $0.count > $1.count }) { rmdir(root.appendingPathComponent(folder).path) }
    }

    /// Whether a table, a log or a list names the person.
    var hasRows: Bool { paths().contains { ((try? withoutPerson($0))?.count ?? 0) > 0 } }

    /// Takes the person's rows out of tables that list participants, and the lines that name the person out of logs and
    /// lists.
    /// - Returns: how many went, by file, and why others could not.
    func removeRows() -> (removed: [String: Int], left: [String: String]) {
        var (removed, left): ([String: Int], [String: String]) = ([:], [:])
        for path in paths() {
            do {
                guard let (text, count) = try withoutPerson(path) else {
                    if try isNamedIn(path) { left[path] = "names the person: look at it" }
                    continue
                }
                if count > 0 {
                    try ErasedFile.replace(root.appendingPathComponent(path), with: text.bytes)
                    removed[path] = count
                }
                if text.lines().contains(where: { isMentioned(text.text(of: $0)[...]) }) {
                    left[path] = "names the person in other rows: look at it"
                }
            } catch { left[path] = ErasureReceipt.problem(error) }
        }
        return (removed, left)
    }

    /// The text of a table, log or list without the person, and how many rows that takes away; nil when it is none of
    /// these.
    private func withoutPerson(_ path: String) throws -> (text: EncodedText, count: Int)? {
        let url = root.appendingPathComponent(path)
        let names = naming(path)
        guard names != .nothing, ErasedFile.isFile(url) else { return nil }
        guard names == .rows else {
            var text = try EncodedText(reading: url)
            let lines = text.lines().filter { isMentioned(text.text(of: $0)[...]) }
            text.content.removeSubranges(RangeSet(lines))
            return (text, lines.count)
        }
        guard try ParticipantTable.mayBe(url), var table = ParticipantTable(try EncodedText(reading: url)) else {
            return nil
        }
        let count = table.remove(participant)
        return (table.text, count)
    }

    /// Whether a text of the study at large, such as a list of who is left out, names the person: what to do with it, people
    /// know. Recordings may be texts, too, but are of one person.
    private func isNamedIn(_ path: String) throws -> Bool {
        let url = root.appendingPathComponent(path)
        let isText =
            ["tsv", "csv", "txt", "md", "rst", "json", "yaml", "yml"].contains(url.pathExtension.lowercased())
            || ["README", "CHANGES", "NOTES"].contains(url.lastPathComponent.uppercased())
        let parts = path.split(separator: "/")
        guard isText, !parts.contains(where: { $0.hasPrefix("sub-") || $0 == ".marey" }), ErasedFile.isFile(url),
            try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 <= Self.longestText,
            let text = try? EncodedText(reading: url)
        else { return false }
        return text.lines().contains { isTold(in: text.text(of: $0)[...]) }
    }

    /// Whether words name the person, with `sub-` or, where the label is telling, without.
    func isTold(in words: Substring) -> Bool {
        isMentioned(words) || isTelling && words.split { !$0.isLetter && !$0.isNumber }.contains(label[...])
    }

    /// Whether the label alone, without `sub-`, can hardly mean anything else in a text: it has letters and digits, and is longer
    /// than the name of an electrode.
    private var isTelling: Bool {
        label.count > 3 && label.contains(where: \.isNumber) && label.contains(where: \.isLetter)
    }

    private var label: String { String(name.dropFirst(4)) }

    private static let longestText = 1 << 22

    private enum Naming { case rows, lines, nothing }

    private func naming(_ path: String) -> Naming {
        if [".tsv", ".csv", ".txt"].contains(where: path.hasSuffix) { return .rows }
        let parts = path.split(separator: "/")
        if path.hasSuffix(".log"), parts.contains("logs") { return .lines }
        let isOfLines = path.hasSuffix(".list") || path.hasSuffix(".messages")
        return isOfLines && parts.contains(".marey") ? .lines : .nothing
    }

    private func paths() -> [String] { walk().paths }

    func isNamed(_ part: Substring) -> Bool {
        part == name || part.hasPrefix(name + "_") || part.hasPrefix(name + ".")
            || part.hasPrefix(".\(name)_") || part.hasPrefix(".\(name).")
    }

    /// Whether a file lies in the group's folder of a batch, or is an export of such tables that has no lines to take
    /// out.
    private func isOfGroup(_ path: String, _ parts: [Substring]) -> Bool {
        if parts.count > 3, parts[0] == "derivatives", parts[2] == "group" {
            // Other programs have such folders, too.
            return ErasedFile.isFile(root.appendingPathComponent("derivatives/\(parts[1])/group/indexes_long.tsv"))
        }
        if let last = parts.last, Self.isUnfinishedExport(last) { return true }
        let url = root.appendingPathComponent(path)
        let isSummary = Self.summaries.contains(url.deletingPathExtension().lastPathComponent)
        if path.hasSuffix(".parquet") { return ParticipantTable.isOurParquet(url, isSummary: isSummary) }
        // SPSS's syntax lies beside what was exported for it.
        if path.hasSuffix(".csv"), isSummary {
            return ErasedFile.isFile(url.deletingPathExtension().appendingPathExtension("sps"))
        }
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
