public import Foundation
public import Signals

/// Events of a run, `…_events.tsv` (BIDS 1.10, "Events"): onset and duration in seconds from the run's start, and what
/// happened.
public struct BIDSEvents {
    /// The columns that are written.
    static let columns = [
        Column("onset", unit: .seconds, "Seconds from the start of the recording."),
        Column("duration", unit: .seconds, "Seconds the event lasts; 0 for a moment."),
        Column("trial_type", "What happened, as the source says it."),
        Column("stream", "The stream it belongs to; n/a when it concerns the whole recording."),
    ]
    /// Columns whose text says what happened, the first that is there.
    private static let labels = ["trial_type", "event_type", "value", "stim_file", "event_code"]

    /// What is told of one.
    struct Event {
        var marker: Marker
        /// All that it is called, in one column or another.
        var names: [String]
        /// The sample of the recording that it begins with, 0-based; NaN where that is not told.
        var sample: Double
    }

    /// In order of time.
    let events: [Event]
    /// What is to be said of them.
    let notes: [String]

    /// The events in order of time.
    public var markers: [Marker] { events.map(\.marker) }

    /// Reads the events of a file in order of time. What happened is told by `trial_type`, else by `value` or
    /// `stim_file`.
    /// - Throws: `FormatError` when it has no column `onset`, or a cell is no number.
    public static func read(_ url: URL) throws -> [Marker] {
        try BIDSEvents(reading: url, demandingOnsets: true).markers
    }

    /// - Parameter demandingOnsets: whether an event without an onset is refused, not left out with a note.
    init(reading url: URL, demandingOnsets: Bool = false) throws {
        let table = try TextTable(reading: url)
        let onsets = try table.numbers("onset")
        let durations = table.has("duration") ? try table.numbers("duration") : []
        let labels = Self.labels.filter(table.has)
        let texts = try labels.map { try table.texts($0) }
        let streams = table.has("stream") ? try table.texts("stream") : []
        let samples = table.has("sample") ? try? table.numbers("sample") : nil
        var events: [Event] = []
        var used: Set = ["onset", "duration", "stream", "sample"]
        for (row, onset) in onsets.enumerated() where demandingOnsets || !onset.isNaN {
            guard onset.isPlaceable else {
                throw FormatError(
                    url, at: "line \(table.line(ofRow: row))",
                    onset.isNaN ? "has no onset" : "has an onset of \(onset) s, which no recording has",
                    advice: "give it in seconds from the recording's start, or take the line out")
            }
            let stated = row < durations.count ? durations[row] : .nan
            let duration = stated.isNaN ? 0 : max(0, stated)
            guard duration.isPlaceable else {
                throw FormatError(url, at: "line \(table.line(ofRow: row))", "cannot last \(duration) s")
            }
            let label = texts.indices.first { texts[$0][row] != nil }
            if let label { used.insert(labels[label]) }
            let marker = Marker(
                onset: onset, duration: duration, label: label.flatMap { texts[$0][row] } ?? "event",
                stream: row < streams.count ? streams[row] : nil)
            events.append(
                Event(marker: marker, names: texts.compactMap { $0[row] }, sample: samples?[row] ?? .nan))
        }
        self.events = events.sorted { $0.marker.onset < $1.marker.onset }
        let leftOut = try table.names.filter { name in
            try !used.contains(name) && table.texts(name).contains { $0 != nil }
        }
        var notes: [String] = []
        let unplaced = onsets.count(where: \.isNaN)
        if unplaced > 0 {
            notes.append("events: \(unplaced) without an onset \(unplaced == 1 ? "is" : "are") left out")
        }
        if !leftOut.isEmpty { notes.append("events: the columns \(leftOut.joined(separator: ", ")) are left out") }
        self.notes = notes
    }

    /// The table of a recording's events, in order of time.
    /// - Parameter isCode: true for labels that are codes of a program. They are in the column `value`, not in `trial_type`, so that
    ///   no condition is made of them.
    public static func table(_ markers: [Marker], isCode: (Marker) -> Bool) -> Table {
        let hasCodes = markers.contains(where: isCode)
        let value = Column("value", "Code of a program, such as a marker of a calibration task; n/a for other events.")
        var table = Table(columns: columns + (hasCodes ? [value] : []))
        for marker in markers.sorted(by: { $0.onset < $1.onset }) {
            let isCode = isCode(marker)
            var row: [Cell] = [
                .onset(marker.onset), .onset(marker.duration), isCode ? .missing : .text(marker.label),
                marker.stream.map { .text($0) } ?? .missing,
            ]
            if hasCodes { row.append(isCode ? .text(marker.label) : .missing) }
            table.append(row)
        }
        return table
    }

    /// Writes events and, beside them, the JSON file that says what the columns are.
    /// - Throws: `FormatError` when a file cannot be written.
    public static func write(_ markers: [Marker], to url: URL) throws {
        var table = Table(columns: markers.contains { $0.stream != nil } ? columns : Array(columns.dropLast()))
        for marker in markers.sorted(by: { $0.onset < $1.onset }) {
            let row: [Cell] = [
                .onset(marker.onset), .onset(marker.duration), .text(marker.label),
                marker.stream.map { .text($0) } ?? .missing,
            ]
            table.append(Array(row.prefix(table.columns.count)))
        }
        try TSV.write(table, to: url)
        try writeAtomically(TableJSON.sidecar(table.columns), to: url.jsonSidecar)
    }
}

/// A file of events alone, as a recording without streams.
final class BIDSEventsReader: RecordingReader {
    let header: RecordingHeader
    private var markers: [Marker]

    init(_ url: URL) throws {
        let events = try BIDSEvents(reading: url, demandingOnsets: true)
        let markers = events.markers
        let name = BIDSName(url.lastPathComponent)
        header = RecordingHeader(
            duration: markers.map { $0.onset + $0.duration }.max(), subject: name?["sub"], session: name?["ses"],
            task: name?["task"], format: "BIDS events",
            notes: events.notes)
        self.markers = markers.reversed()
    }

    static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        guard let name = BIDSName(url.lastPathComponent), name.suffix == "events", name.ending == ".tsv" else {
            return false
        }
        return head.starts(with: Array("onset\t".utf8))
    }

    func next() -> RecordingEvent? { markers.popLast().map { .marker($0) } }
}
