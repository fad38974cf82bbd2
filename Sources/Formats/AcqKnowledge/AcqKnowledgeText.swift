public import Foundation
public import Signals

/// Reads text that BIOPAC's AcqKnowledge exported with its header.
///
/// - **Time**: samples are evenly spaced at the interval that the header states, which knows it better than rounded times.
///   Time 0 is the first sample; where the times of a selection begin later, a note tells when.
/// - **Streams**: channels of one kind; kinds are told from names and units, as in `.acq` files.
/// - What the `.acq` file knows besides is not in the text: markers, pauses, the rates of slower channels.
public final class AcqKnowledgeText: RecordingReader {
    /// What the recording holds.
    public let header: RecordingHeader
    private let base: Delimited

    /// Opens a file.
    /// - Throws: `FormatError` when it cannot be read, or its header cannot be right.
    public init(_ url: URL) throws {
        let input = try InputFile(url)
        let head = try input.read(at: 0, count: DelimitedDialect.headSize)
        let isWhole = head.count == input.size
        let lines = DelimitedDialect.lines(head, isWhole: isWhole, lineEnd: 0x0A)
        guard let described = try AcqKnowledgeTextHeader(lines, file: url) else {
            throw FormatError(url, "has no header of AcqKnowledge, such as \"0.5 msec/sample\" and \"3 channels\"")
        }
        let count = described.channels.count
        let firstColumn = described.time == nil ? 1 : 2
        var map = ColumnMap(
            delimiter: described.delimiter, skipRows: described.lineCount, commentPrefix: "",
            sampleRate: described.sampleRate,
            columns: described.channels.enumerated().map { place, channel in
                let kind = AcqKnowledgeLabel.kind(channel)
                // A trigger is a voltage here, with noise of which each sample would be a marker.
                return ColumnMap.MappedColumn(
                    column: String(place + firstColumn), kind: kind == .marker ? .other : kind,
                    unit: channel.unit.rawValue, label: channel.label.isEmpty ? "CH\(place + 1)" : channel.label)
            }, hasHeader: false)
        let dialect = try DelimitedDialect(head, isWhole: isWhole, map: map, file: url)
        if let first = dialect.sample.first, try Self.areCounts(first, described, DelimitedLines(input, dialect)) {
            map.skipRows = dialect.firstLine
        }
        let rows = try DelimitedDialect(head, isWhole: isWhole, map: map, file: url)
        guard rows.columnCount == count + firstColumn - 1 else {
            throw FormatError(
                url, at: "line \(rows.firstLine)",
                "has \(rows.columnCount) cells, the header tells \(count + firstColumn - 1)")
        }
        let base = try Delimited(url, map: map)
        self.base = base
        var header = base.header
        header.start = described.start
        header.hasTimeZone = false
        header.format = "AcqKnowledge text"
        header.notes = base.cutNote.map { [$0] } ?? []
        if let unit = described.time, let cell = rows.sample.first?.first,
            let first = NumberParsing.double(cell, mark: rows.mark), first != 0
        {
            header.notes.append(Self.note(ofBegin: first / unit.perSecond))
        }
        self.header = header
    }

    /// What is to be said of a selection whose first sample was taken so late.
    static func note(ofBegin begin: Seconds) -> String {
        "the file's times begin at \(NumberFormatting.text(begin)) s; time 0 is that of the first sample"
    }

    /// Whether the first row below the header says how many samples each channel has: it has no time, or, in a file
    /// without times, whole numbers as large as the rows below are many.
    private static func areCounts(
        _ cells: [Substring], _ described: AcqKnowledgeTextHeader, _ lines: DelimitedLines
    ) throws -> Bool {
        if described.time != nil { return cells.first?.isEmpty == true }
        let counts = cells.filter { !$0.isEmpty }.map { cell in
            NumberParsing.integer(cell.split(separator: " ").first ?? "")
        }
        guard let most = counts.compactMap(\.self).max(), !counts.contains(nil) else { return false }
        var rows = -1
        while try lines.next() != nil { rows += 1 }
        return most > 0 && most >= rows
    }

    /// The next piece; nil at the end.
    /// - Throws: `FormatError` naming line and column where a cell is no number, or a line has too few or too many.
    public func next() throws -> RecordingEvent? { try base.next() }

    /// Whether a file begins with such a header.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool { AcqKnowledgeTextHeader.recognizes(head) }
}
