import Foundation
import Signals

/// The rows of heart rates or RR intervals of a Polar Sensor Logger file.
final class PolarValues: RecordingReader {
    let header: RecordingHeader
    private var pending: [RecordingEvent]
    private static let largest = 256 << 20
    private static let valuesPerEvent = 4_096

    private struct Row {
        var time: Seconds
        var cells: [String]
        var line: Int
    }

    init(_ url: URL, _ names: [String]) throws {
        let (rows, cutNote) = try Self.rows(url, columnCount: names.count)
        guard let first = rows.first else { throw FormatError(url, "has no rows below its header") }
        func numbers(_ prefix: String) throws -> [Double]? {
            guard let column = names.firstIndex(where: { $0.hasPrefix(prefix) }) else { return nil }
            return try rows.map { row in
                let cell = column < row.cells.count ? row.cells[column] : ""
                guard let value = cell.isEmpty ? .nan : NumberParsing.double(cell) else {
                    throw FormatError(url, at: "line \(row.line)", "found \"\(cell.prefix(40))\", expected a number")
                }
                return value
            }
        }
        var streams: [StreamHeader] = []
        var values: [[TimedValue]] = []
        var notes = cutNote.map { [$0] } ?? []
        let times = rows.map { $0.time - first.time }
        let intervals = (try numbers("rr-interval") ?? numbers("pp-interval") ?? []).map { $0 / 1_000 }
        let validity = names.indices.compactMap { column in
            let cells = rows.map { column < $0.cells.count ? $0.cells[column][...] : "" }
            return RRValidity(names[column], cells) ?? RRValidity(errors: names[column], cells, of: intervals)
        }
        for prefix in ["rr-interval", "pp-interval"] {
            guard let found = try numbers(prefix) else { continue }
            let (list, more) = Self.chained(found.map { $0 / 1_000 }, times, validity)
            values.append(list)
            streams.append(
                StreamHeader(
                    name: "ibi", kind: .ibi,
                    channels: [Channel(label: prefix == "rr-interval" ? "RR" : "PP", unit: .seconds)],
                    sampleRate: 0, frameCount: list.count))
            notes += more
        }
        if let found = try numbers("hr [") {
            // 0 stands for a rate that is not known.
            values.append(zip(times, found).map { TimedValue(onset: $0, values: [$1 > 0 ? $1 : .nan]) })
            streams.append(
                StreamHeader(
                    name: "heartRate", kind: .heartRate, channels: [Channel(label: "HR", unit: .beatsPerMinute)],
                    sampleRate: 0, frameCount: found.count))
        }
        let unread = names.filter { name in !Self.isRead(name) && !validity.contains { $0.name == name } }
        if !unread.isEmpty {
            let list = unread.map { "\"\($0.shown.prefix(40))\"" }.joined(separator: ", ")
            notes.append("\(unread.count.word("column", "columns")) \(list) \(unread.count.word("is", "are")) not read")
        }
        guard !streams.isEmpty else {
            throw FormatError(url, at: "line 1", "has no column of heart rates or intervals")
        }
        header = RecordingHeader(
            start: Timestamp(secondsSince1970: first.time), duration: values.compactMap { $0.last?.onset }.max(),
            streams: streams, format: "Polar Sensor Logger", notes: notes,
            hasTimeZone: false)
        pending = values.enumerated().flatMap { stream, list in
            stride(from: 0, to: list.count, by: Self.valuesPerEvent).map {
                .values(stream: stream, Array(list[$0..<min($0 + Self.valuesPerEvent, list.count)]))
            }
        }.reversed()
    }

    func next() -> RecordingEvent? { pending.popLast() }

    /// Whether a column holds what is read, or times.
    private static func isRead(_ name: String) -> Bool {
        name.isEmpty
            || ["phone timestamp", "sensor timestamp", "timestamp", "rr-interval", "pp-interval", "hr ["]
                .contains(where: name.hasPrefix)
    }

    /// The rows in order of time, and what is to be said of a last one that is cut off.
    private static func rows(_ url: URL, columnCount: Int) throws -> ([Row], cutNote: String?) {
        let input = try InputFile(url)
        guard input.size <= largest else { throw FormatError(url, "is too large for a list of heart beats") }
        let bytes = try input.read(at: 0, count: input.size)
        var rows: [Row] = []
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated().dropFirst() {
            let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            if text.isEmpty { continue }
            let cells = text.split(separator: ";", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            if index == lines.count - 1, isCutOff(cells, below: rows, columnCount) {
                return (sorted(rows), CutOffLine.note(line: index + 1))
            }
            guard let time = ISODate.seconds(cells[0][...]) else {
                throw FormatError(url, at: "line \(index + 1)", "found \"\(cells[0].prefix(40))\", expected a time")
            }
            rows.append(Row(time: time, cells: cells, line: index + 1))
        }
        return (sorted(rows), nil)
    }

    private static func isCutOff(_ cells: [String], below rows: [Row], _ columnCount: Int) -> Bool {
        let last = rows.compactMap { $0.cells.count == columnCount ? $0.cells.last?[...] : nil }
        return !rows.isEmpty
            && CutOffLine(columnCount: columnCount, fewestCells: columnCount, lastCells: last, mark: 0x2E)
                .holds(cells.map { $0[...] })
    }

    private static func sorted(_ rows: [Row]) -> [Row] { rows.sorted { $0.time < $1.time } }

    /// Intervals of which each ends where the one after it begins, as long as their arrival allows it. Those that are not
    /// positive, or are marked as bad, are beats that were not found.
    private static func chained(
        _ intervals: [Seconds], _ arrivals: [Seconds], _ validity: [RRValidity]
    ) -> ([TimedValue], notes: [String]) {
        var intervals = intervals
        var notes: [String] = []
        for marks in validity {
            let bad = intervals.indices.filter { marks.isBad[$0] && intervals[$0] > 0 }
            for place in bad { intervals[place] = .nan }
            if !bad.isEmpty { notes.append(marks.note(bad.count, of: intervals.count)) }
        }
        let rows = zip(arrivals, intervals).map { arrival, interval in
            let isInterval = interval > 0 && interval.isPlaceable
            return IntervalChain.Row(stamp: arrival, interval: isInterval ? interval : .nan)
        }
        let chain = IntervalChain(rows)
        if chain.repeated > 0 {
            notes.append("\(chain.repeated.counted("row")) that are there more than once count once")
        }
        notes += RRStamps.doubts(chain)
        // A break of which nothing can be measured lies between beats that were found.
        var list: [TimedValue] = []
        for place in chain.intervals.indices {
            let (onset, interval) = (chain.onsets[place], chain.intervals[place])
            if place > 0, chain.followsBreak[place], onset - interval - chain.onsets[place - 1] <= 0.1 {
                list.append(TimedValue(onset: chain.onsets[place - 1], values: [.nan]))
            }
            list.append(TimedValue(onset: onset, values: [interval]))
        }
        if chain.pauses > 0 { notes.append("beats were lost at \(chain.pauses) places") }
        return (list, notes)
    }
}
