import Foundation

/// A table with a column of participants, told by its header, as it lies in a file: rows come and go, all else stays
/// as it was.
struct ParticipantTable {
    private(set) var text: EncodedText
    /// The name of the participants' column as the header writes it.
    let heading: String
    /// Its place, from 0.
    let column: Int
    private let width: Int
    private let separator: UInt8
    /// Where the rows below the header begin.
    private let body: Int

    /// A table in `text`; nil when no column of its header is of participants. Lines that begin with `#` may stand above it.
    /// - Parameter separator: between cells; nil takes it from the header: tab, comma or semicolon.
    init?(_ text: EncodedText, separator: UInt8? = nil) {
        for line in text.lines() where !Self.isBlank(text.content[line]) {
            let separator = separator ?? Self.separator(of: text.content[line])
            let header = text.lines(separator: separator).first { $0.upperBound > line.lowerBound } ?? line
            let names = text.cells(of: header, separator: separator)
            let isComment = text.content[line].first == UInt8(ascii: "#")
            if let column = names.firstIndex(where: Self.isHeading), !isComment || names.count > 1 {
                (self.text, self.separator, self.column, body) = (text, separator, column, header.upperBound)
                (heading, width) = (names[column], names.count)
                return
            }
            guard isComment else { return nil }
        }
        return nil
    }

    /// Whether the beginning of a file is that of such a table.
    /// - Throws: what keeps the file from being read.
    static func mayBe(_ url: URL) throws -> Bool {
        let file = try FileHandle(forReadingFrom: url)
        defer { try? file.close() }
        // Whole units of UTF-16, whose header alone matters: a letter cut in two behind it does not.
        var head = [UInt8](try file.read(upToCount: 1 << 16) ?? Data())
        if !head.count.isMultiple(of: 2), head.count > 2, head.contains(0) { head.removeLast() }
        guard let text = EncodedText(head) else { return true }
        return ParticipantTable(text) != nil
    }

    /// What the participants' column holds, row by row; rows that are blank or end before it are left out.
    var labels: [String] { rows.compactMap(cell) }

    /// Whether a row is a participant's.
    func has(_ participant: String) -> Bool { rows.contains { isRow($0, of: participant) } }

    /// Takes out the rows of a participant.
    /// - Returns: how many.
    mutating func remove(_ participant: String) -> Int {
        let gone = rows.filter { isRow($0, of: participant) }
        text.content.removeSubranges(RangeSet(gone))
        return gone.count
    }

    /// Adds a row below the last one; its other cells are missing.
    mutating func add(_ identifier: String) {
        let cells = (0..<width).map { Array(($0 == column ? identifier : "n/a").utf8) }
        let end = text.lineEnd
        let last = text.lines(separator: separator).last { !Self.isBlank(text.content[$0]) }
        let place = last?.upperBound ?? 0
        let isEnded = place == 0 || text.content[place - 1] == end.last
        let row = Array(cells.joined(separator: [separator])) + end
        text.content.insert(contentsOf: isEnded ? row : end + row, at: place)
    }

    /// The rows below the header.
    private var rows: [Range<Int>] {
        text.lines(separator: separator).filter { $0.lowerBound >= body }
    }

    private func cell(_ row: Range<Int>) -> String? {
        guard !Self.isBlank(text.content[row]) else { return nil }
        let cells = text.cells(of: row, separator: separator)
        return column < cells.count ? cells[column] : nil
    }

    /// Labels are written with or without `sub-`, as they are or so that they become the label where only letters and
    /// digits count.
    private func isRow(_ row: Range<Int>, of participant: String) -> Bool {
        guard let cell = cell(row) else { return false }
        let label = cell.hasPrefix("sub-") ? String(cell.dropFirst(4)) : cell
        return !label.isEmpty && RunName.label(from: label) == participant
    }

    /// Whether a column of this name lists participants, however its words are put together.
    private static func isHeading(_ name: String) -> Bool {
        ["participant", "participantid", "subject", "subjectid"].contains(
            name.lowercased().filter { !"_- #".contains($0) })
    }

    private static func separator(of header: ArraySlice<UInt8>) -> UInt8 {
        let (tab, comma, semicolon) = (UInt8(ascii: "\t"), UInt8(ascii: ","), UInt8(ascii: ";"))
        if header.contains(tab) { return tab }
        return header.contains(semicolon) && !header.contains(comma) ? semicolon : comma
    }

    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
        line.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }

    /// Whether a Parquet file is one that we wrote of a group's tables: such are made anew.
    static func isOurParquet(_ url: URL, isSummary: Bool) -> Bool {
        guard let file = try? FileHandle(forReadingFrom: url), let size = try? file.seekToEnd() else { return false }
        try? file.seek(toOffset: size > 1 << 20 ? size - (1 << 20) : 0)
        guard let tail = try? file.readToEnd() else { return false }
        return tail.range(of: Data("Marey".utf8)) != nil
            && (isSummary || tail.range(of: Data("participant".utf8)) != nil)
    }
}
