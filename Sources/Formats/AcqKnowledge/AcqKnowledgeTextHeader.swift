import Foundation
import Signals

/// The header of a text that AcqKnowledge exported (BIOPAC, "Text files: import and export"): the sample interval, the
/// number of channels, a name and a unit of each, the row of columns, and how many samples each channel has.
struct AcqKnowledgeTextHeader {
    private(set) var sampleRate = 0.0
    /// When it was recorded, where the header tells.
    private(set) var start: Timestamp?
    private(set) var channels: [Channel] = []
    /// The times' unit, where the first column has times.
    private(set) var time: ColumnMap.TimeUnit?
    private(set) var delimiter = "\t"
    /// Lines before the first sample, or before those that tell how many there are.
    private(set) var lineCount = 0

    /// The header of a file that begins with `lines`; nil where they have no sample interval and number of channels.
    /// - Throws: `FormatError` where they have, and the rest cannot be right.
    init?(_ lines: [Substring], file: URL) throws {
        guard let place = Self.begin(lines), let interval = Self.interval(lines[place]),
            let count = Self.channelCount(lines[place + 1])
        else { return nil }
        let at = "line \(place + 1)"
        sampleRate = 1 / interval
        if abs(sampleRate - sampleRate.rounded()) < 1e-6 * sampleRate { sampleRate = sampleRate.rounded() }
        guard Plausible.sampleRates.contains(sampleRate) else {
            throw FormatError(file, at: at, "tells a sample interval of \(interval) s, which cannot be")
        }
        let first = place + 2
        guard count > 0, count <= (lines.count - first) / 2 else {
            throw FormatError(
                file, at: "line \(place + 2)", "tells \(count) channels, whose names and units should follow")
        }
        channels = (0..<count).map { channel in
            Channel(
                label: String(RRTextLines.trim(lines[first + 2 * channel])),
                unit: Unit(String(RRTextLines.trim(lines[first + 2 * channel + 1]))))
        }
        start = lines[..<place].lazy.compactMap(Self.start).first
        try findColumns(lines, after: first + 2 * count, file)
    }

    /// The line of the sample interval, below which that of the number of channels stands; nil where there is none.
    private static func begin(_ lines: [Substring]) -> Int? {
        lines.prefix(latestBegin).indices.first { place in
            interval(lines[place]) != nil && place + 1 < lines.count && channelCount(lines[place + 1]) != nil
        }
    }

    private static let latestBegin = 12

    /// Whether a file that begins with `head` has such a header.
    static func recognizes(_ head: [UInt8]) -> Bool {
        begin(DelimitedDialect.lines(head, isWhole: false, lineEnd: 0x0A)) != nil
    }

    /// `0.5 msec/sample`, in seconds; what follows says the same as a rate.
    private static func interval(_ line: Substring) -> Seconds? {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count >= 2, words[1].lowercased().hasSuffix("/sample"),
            let value = NumberParsing.double(words[0].replacing(",", with: ".")), value > 0
        else { return nil }
        return DelimitedTime.unit(called: String(words[1].dropLast(7))).map { value / $0.perSecond }
    }

    private static func channelCount(_ line: Substring) -> Int? {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count == 2, ["channel", "channels"].contains(words[1].lowercased()) else { return nil }
        return NumberParsing.integer(words[0])
    }

    /// `Recording on: 2025-02-21 11:05:38.634`.
    private static func start(_ line: Substring) -> Timestamp? {
        guard line.lowercased().hasPrefix("recording on:") else { return nil }
        return ISODate.seconds(RRTextLines.trim(line.dropFirst(13))).map(Timestamp.init(secondsSince1970:))
    }

    /// The row `sec,CH1,CH2`.
    private mutating func findColumns(_ lines: [Substring], after place: Int, _ file: URL) throws {
        let count = channels.count
        guard let row = lines[min(place, lines.count)...].firstIndex(where: { !RRTextLines.trim($0).isEmpty }) else {
            throw FormatError(file, at: "line \(place + 1)", "has no row that names the columns")
        }
        delimiter = ["\t", ";", ","].first { lines[row].contains($0) } ?? (count == 1 ? "\t" : " ")
        var cells = lines[row].split(separator: Character(delimiter), omittingEmptySubsequences: false)
            .map { RRTextLines.trim($0) }
        if delimiter == " " { cells.removeAll(where: \.isEmpty) }
        while cells.last?.isEmpty == true { cells.removeLast() }
        let isNamed = cells.suffix(count).allSatisfy { $0.uppercased().hasPrefix("CH") }
        guard isNamed, cells.count == count || cells.count == count + 1 else {
            throw FormatError(
                file, at: "line \(row + 1)",
                "should name the columns of \(count) \(count == 1 ? "channel" : "channels"), such as CH1, beside the times"
            )
        }
        if cells.count > count {
            guard let unit = DelimitedTime.unit(called: String(cells[0])) else {
                throw FormatError(
                    file, at: "line \(row + 1)", "calls its first column \"\(cells[0])\", expected a unit of time")
            }
            time = unit
        }
        lineCount = row + 1
    }
}
