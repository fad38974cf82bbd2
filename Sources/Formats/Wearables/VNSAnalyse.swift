import Foundation
import Signals

/// Reads the text that the program VNS Analyse exports: parameters of its own analysis, then the RR intervals in seconds as
/// they were recorded (`RR-Intervalle - Rohwerte`) and as the program corrected them (`Korrigierte Werte`), one a line, with
/// notes (`Notiz: …`) behind the interval at whose beginning they were made.
///
/// The recorded intervals are read, the corrected ones only where there are no others: Marey corrects by its own stated
/// rules. Notes are markers.
enum VNSAnalyse {
    private static let largest = 64 << 20
    private static let heading = "rr-intervalle"
    private static let noteKey = "notiz:"

    /// True if a file begins as such an export does.
    static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        let text = RRTextLines.trim(String(decoding: head, as: UTF8.self)[...]).lowercased()
        return text.contains("hauptparameter der vns") || text.hasPrefix("korrektur\t")
            || text.split(whereSeparator: \.isNewline).contains { $0.hasPrefix(heading) && $0.contains("werte") }
    }

    /// Opens a file.
    /// - Throws: `FormatError` when it cannot be read, has no intervals, or a line among them is no number.
    static func open(_ url: URL) throws -> any RecordingReader {
        let input = try InputFile(url)
        guard input.size <= largest else { throw FormatError(url, "is too large for an export of RR intervals") }
        let bytes = try input.read(at: 0, count: input.size)
        let text =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        var blocks: [Block] = []
        var isOpen = false
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = RRTextLines.trim(line)
            if line.lowercased().hasPrefix(heading) {
                blocks.append(Block(title: String(line)))
                isOpen = true
            } else if line.isEmpty {
                continue
            } else if isOpen {
                guard try blocks[blocks.count - 1].take(line, at: index + 1, of: url) else {
                    isOpen = false
                    continue
                }
            }
        }
        let filled = blocks.filter { !$0.intervals.isEmpty }
        guard let block = filled.first(where: { !$0.isCorrected }) ?? filled.first else {
            throw FormatError(url, "has no RR intervals below a line \"RR-Intervalle - Rohwerte\"")
        }
        return MarkedIntervals(block.series(besides: filled.count - 1, start: start(of: url)), block.notes)
    }

    /// When the recording began, by the file's name: `VNS - 0001 - 15.03.2025 09.07 Langzeit.txt`.
    private static func start(of url: URL) -> Timestamp? {
        guard let found = url.lastPathComponent.firstMatch(of: #/(\d{2})\.(\d{2})\.(\d{4})\s+(\d{1,2})\.(\d{2})/#),
            let day = Int(found.1), let month = Int(found.2), let year = Int(found.3), let hour = Int(found.4),
            let minute = Int(found.5), Timestamp.exists(year: year, month: month, day: day), hour < 24, minute < 60
        else { return nil }
        return Timestamp(year: year, month: month, day: day, hour: hour, minute: minute, second: 0)
    }

    /// The intervals below one heading.
    private struct Block {
        let title: String
        private(set) var intervals: [Double] = []
        private(set) var notes: [Marker] = []
        private var followsBreak: [Bool] = []
        private var isBroken = true
        private var missing = 0
        private var end = 0.0

        init(title: String) { self.title = title }

        var isCorrected: Bool { title.lowercased().contains("korrigiert") }

        /// Takes a line; false where it begins another part of the file.
        mutating func take(_ line: Substring, at number: Int, of url: URL) throws -> Bool {
            let cells = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
            let cell = RRTextLines.trim(cells[0])
            let mark: UInt8 = cell.contains(",") ? 0x2C : 0x2E
            guard let interval = NumberParsing.double(cell, mark: mark) else {
                // A heading, or a parameter's name and value.
                if cell.contains(where: \.isLetter) || cell.hasPrefix("-") && intervals.isEmpty { return false }
                throw FormatError(
                    url, at: "line \(number)", "found \"\(cell.prefix(40))\", expected an RR interval in s")
            }
            let rest = cells.count > 1 ? RRTextLines.trim(cells[1]) : ""
            if rest.lowercased().hasPrefix(VNSAnalyse.noteKey) {
                let label = RRTextLines.trim(rest.dropFirst(VNSAnalyse.noteKey.count))
                notes.append(Marker(onset: end, label: String(label)))
            }
            guard interval > 0 else {
                missing += 1
                isBroken = true
                return true
            }
            guard interval < 60 else {
                throw FormatError(
                    url, at: "line \(number)", "has an RR interval of \(cell) s, expected seconds below 60")
            }
            intervals.append(interval)
            followsBreak.append(isBroken)
            isBroken = false
            end += interval
            return true
        }

        func series(besides others: Int, start: Timestamp?) -> RRSeries {
            var told: [String] = []
            if isCorrected {
                told.append("the file has corrected intervals only; the file does not say what the program corrected")
            } else if others > 0 {
                told.append("the intervals are those as recorded; the file's corrected ones are not read")
            }
            if missing > 0 { told.append("\(missing.counted("interval")) of 0 or less: missing") }
            var series = RRSeries(intervals: intervals)
            series.followsBreak = followsBreak
            series.start = start
            series.hasTimeZone = false
            series.notes = told
            return series
        }
    }
}

/// RR intervals with markers.
private final class MarkedIntervals: RecordingReader {
    private let base: RRText
    private var markers: [Marker]

    init(_ series: RRSeries, _ markers: [Marker]) {
        base = RRText(series, format: "VNS Analyse text")
        self.markers = markers.reversed()
    }

    var header: RecordingHeader { base.header }

    func next() throws -> RecordingEvent? { markers.popLast().map { .marker($0) } ?? base.next() }
}
