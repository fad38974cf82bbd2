import Formats
import Foundation
import Kernels
import Pipeline
import Signals

/// Reads the result tables of finished recordings; sidecars that say the same are read once.
final class ResultTables {
    /// One value of one window.
    struct Value {
        /// nil for the mean over a table of epochs or samples.
        var window: Int?
        var onset: String?
        var duration: String?
        var signal: String
        var index: ResultColumns.Index
        /// As the table has it, so that nothing is rounded twice; nil where it is missing.
        var text: String?
        var coverage: String?
        var quality: String?
        var count: String?
        /// The condition that lasts over all of it.
        var condition: String?
        /// The data that an index over all accepted intervals of a condition rests on; nil for other indexes.
        var accepted: AcceptedData?
        /// Whether it is a mean over a part of a table that comes as a whole, too.
        var isPart = false
        /// Of a mean over a table of epochs: the mean part of an epoch that was covered, over those it rests on. What is
        /// missing as a whole is in `coverage` alone.
        var share: Double?
    }

    /// What else is known of a recording.
    struct Facts {
        /// The mean quality and coverage of each of its signals, as the quality of signals was judged.
        var signals: [String: (quality: Double, coverage: Double)] = [:]
        /// Seconds from the recording's start to the end of the last window whose quality was judged; where none was,
        /// of the last window of its indexes.
        var duration: Double?
        /// By how many seconds the recording may be longer, as no further window fits.
        var slack = 0.0
        /// What whoever uses the results should know: damage, oddities.
        var remarks: [String] = []
    }

    private let folder: BatchFolder
    private let root: URL
    private let series: ToldSeries?
    private let parameters: Parameters?
    private var latest: (key: String, tables: [String: ToldSeries.Told])?
    private var columns: [String: ResultColumns] = [:]
    private var endings: [String: (label: String, topic: String)?] = [:]

    /// - Parameters:
    ///   - series: what was told of tables of samples and epochs as they were computed: these need not be read.
    ///   - parameters: the parameters of the recordings, where windows of conditions begin with the conditions; nil where
    ///     they are those of the recordings' tables.
    init(_ folder: BatchFolder, series: ToldSeries? = nil, anchoredBy parameters: Parameters? = nil) {
        self.folder = folder
        self.series = series
        self.parameters = parameters
        root = folder.root
    }

    /// What provenance and the tables of quality say of a recording.
    /// - Throws: `CohortError` when one of these files is not the one that was computed.
    func facts(_ marker: DoneMarker) throws -> Facts {
        var facts = Facts()
        for output in marker.outputs where output.path.hasSuffix("_provenance.json") {
            facts.remarks = Self.remarks(try bytes(output, marker))
        }
        let told = told(marker)
        for (output, label, topic) in tables(marker) where topic == "quality" {
            let quality =
                if case .quality(let quality) = told[output.path] { quality } else {
                    try JudgedQuality(read(output, marker))
                }
            facts.duration = ((quality.end.map { [$0] } ?? []) + [facts.duration ?? 0]).max()
            if let means = quality.means { facts.signals[label] = means }
        }
        return facts
    }

    /// All values of a recording's tables of indexes, table by table.
    /// - Parameter events: the recording's conditions.
    /// - Throws: `CohortError` when a table is not the one that was computed.
    func values(_ marker: DoneMarker, _ events: ConditionEvents, _ body: (Value) throws -> Void) throws {
        // What was told is of whole tables.
        let told = events.isEmpty ? told(marker) : [:]
        for (output, label, topic) in tables(marker) where !Self.leftOut.contains(topic) {
            if case .series(let names, let runs) = told[output.path] {
                let columns = try columns(names, output, marker)
                for run in runs { try run.values(columns.indexes).forEach(body) }
                continue
            }
            let table = try read(output, marker)
            let columns = try columns(table.names, output, marker)
            if try SeriesMeans.isSeries(table) {
                try SeriesMeans(table, columns, signal: label).values(events).forEach(body)
            } else {
                let anchored = try anchored(topic, label, marker, events)
                try values(table, columns, signal: label) { value in
                    var value = value
                    if anchored == nil {
                        value.condition = events.condition(onset: value.onset, duration: value.duration)
                    }
                    try body(value)
                }
                for part in anchored ?? [] { try values(part, columns, signal: label, body) }
            }
        }
    }

    /// The windows of a recording's conditions, which begin with them, in the place of a table of windows on the recording's own
    /// grid; nil for tables of which such cannot be made.
    private func anchored(
        _ topic: String, _ label: String, _ marker: DoneMarker, _ events: ConditionEvents
    ) throws -> [ConditionPart]? {
        guard let parameters, !events.isEmpty else { return nil }
        func table(_ topic: String) throws -> TextTable? {
            try tables(marker, withEvents: true).first { $0.label == label && $0.topic == topic }
                .map { try read($0.output, marker) }
        }
        switch topic {
        case "hrv":
            guard let intervals = try table("nn") else { return nil }
            return try ConditionPart.variability(
                intervals, quality: table("quality"), areMeasured: try table("beats") == nil, events, parameters)
        case "scl":
            guard let samples = try table("eda"), let responses = try table("scr") else { return nil }
            return try ConditionPart.skinConductance(samples, responses, events, parameters)
        default: return nil
        }
    }

    /// The values of a condition's windows, and those over all of its accepted intervals.
    private func values(
        _ part: ConditionPart, _ columns: ResultColumns, signal: String, _ body: (Value) throws -> Void
    ) throws {
        let file = root.appendingPathComponent("\(signal) of \(part.condition)", isDirectory: false)
        for table in part.windows {
            try values(TextTable(bytes: table, file: file), columns, signal: signal) { value in
                guard part.pooled[value.index.name] == nil else { return }
                var value = value
                (value.condition, value.isPart) = (part.condition, true)
                try body(value)
            }
        }
        for index in columns.indexes {
            guard let found = part.pooled[index.name] else { continue }
            var value = Value(signal: signal, index: index, text: found.value.map { TSV.text(.number($0)) })
            (value.condition, value.isPart, value.accepted) = (part.condition, true, found)
            value.count = "\(found.count)"
            try body(value)
        }
    }

    /// When a recording ends, in seconds from its start, by its tables of quality and of intervals; nil where it has neither.
    func end(_ marker: DoneMarker) throws -> Double? {
        let ends = try tables(marker, withEvents: true).compactMap { output, _, topic -> Double? in
            switch topic {
            case "quality": try JudgedQuality(read(output, marker)).end
            case "nn": try read(output, marker).numbers("onset").last
            default: nil
            }
        }
        return ends.max()
    }

    /// What was told of a recording's tables.
    private func told(_ marker: DoneMarker) -> [String: ToldSeries.Told] {
        guard let series else { return [:] }
        if let latest, latest.key == marker.key { return latest.tables }
        let tables = series.tables(of: marker)
        latest = (marker.key, tables)
        return tables
    }

    /// What can be told of the tables of a recording that was just computed, as a line for `ToldSeries`.
    /// - Parameter table: the tables that were kept, by the names of their files.
    func telling(_ marker: DoneMarker, _ table: (_ name: String) -> ToldTable?) throws -> String {
        var line = ToldLine()
        for (output, label, topic) in tables(marker) {
            guard let table = table((output.path as NSString).lastPathComponent) else { continue }
            if topic == "quality" {
                line.add(output, try JudgedQuality(table))
            } else if !Self.leftOut.contains(topic), try SeriesMeans.isSeries(table) {
                let columns = try columns(table.names, output, marker)
                let values = try SeriesMeans(table, columns, signal: label).values(ConditionEvents())
                line.add(output, table.names, columns.indexes, values)
            }
        }
        return line.text
    }

    /// Tables that list other things than indexes.
    private static let leftOut: Set<String> = ["hrvmissing", "quality"]

    /// The remarks of a recording's provenance; few have any, and a document is long.
    private static func remarks(_ provenance: [UInt8]) -> [String] {
        let key = Array("\"remarks\"".utf8)
        let isThere = provenance.indices.contains { provenance[$0] == key[0] && provenance[$0...].starts(with: key) }
        guard isThere else { return [] }
        let fields = try? JSONSerialization.jsonObject(with: Data(provenance)) as? [String: Any]
        return fields?["remarks"] as? [String] ?? []
    }

    /// The tables of a recording that are no events, each with its recording label and topic.
    /// - Parameter withEvents: whether tables of events are among them.
    private func tables(
        _ marker: DoneMarker, withEvents: Bool = false
    ) -> [(output: DoneMarker.Output, label: String, topic: String)] {
        let start = marker.plan.unit.stem + "_"
        return marker.outputs.compactMap { output in
            guard output.path.hasSuffix(".tsv"), withEvents || !output.path.hasSuffix("_events.tsv") else { return nil }
            let slash = output.path.utf8.lastIndex(of: UInt8(ascii: "/"))
            let name = output.path[(slash.map(output.path.utf8.index(after:)) ?? output.path.startIndex)...]
            guard name.hasPrefix(start), let found = labels(ofEnding: String(name.dropFirst(start.count))) else {
                return nil
            }
            return (output, found.label, found.topic)
        }
    }

    /// The recording label and the topic of a table `<stem>_recording-<label>_desc-<topic>_<suffix>.tsv`; nil where it has
    /// no topic. What follows the stem is the same from recording to recording.
    private func labels(ofEnding ending: String) -> (label: String, topic: String)? {
        if let known = endings[ending] { return known }
        let entities = BIDSFileName(ending).entities
        let found = entities["desc"].map { (label: entities["recording"] ?? $0, topic: $0) }
        endings[ending] = .some(found)
        return found
    }

    private func read(_ output: DoneMarker.Output, _ marker: DoneMarker) throws -> TextTable {
        try TextTable(bytes: bytes(output, marker), file: root.appendingPathComponent(output.path, isDirectory: false))
    }

    private func bytes(_ output: DoneMarker.Output, _ marker: DoneMarker) throws -> [UInt8] {
        try folder.content(of: output, marker)
    }

    private func columns(
        _ names: [String], _ output: DoneMarker.Output, _ marker: DoneMarker
    ) throws -> ResultColumns {
        let path = output.path.dropLast(4) + ".json"
        let sidecar = marker.outputs.first { $0.path == path }
        let key = (sidecar?.sha256 ?? "") + names.joined(separator: "\t")
        if let known = columns[key] { return known }
        let data = Data(try sidecar.map { try bytes($0, marker) } ?? [])
        let object = try? JSONSerialization.jsonObject(with: data)
        let found = ResultColumns(header: names, sidecar: object as? [String: [String: String]] ?? [:])
        columns[key] = found
        return found
    }

    private func values(
        _ table: TextTable, _ columns: ResultColumns, signal: String, _ body: (Value) throws -> Void
    ) throws {
        func texts(_ name: String?) throws -> [String?] {
            guard let name, table.has(name) else { return Array(repeating: nil, count: table.rowCount) }
            return try table.texts(name)
        }
        let (onsets, durations) = (try texts("onset"), try texts("duration"))
        let (coverages, qualities, counts) = (
            try texts(columns.coverage), try texts(columns.quality), try texts(columns.count)
        )
        let qualifiers = try columns.qualifiers.map(texts)
        let cells = try columns.indexes.map { try texts($0.name) }
        var window = -1
        var last: String?
        for row in 0..<table.rowCount {
            if row == 0 || onsets[row] != last { window += 1 }
            last = onsets[row]
            let name = ([signal] + qualifiers.compactMap { $0[row] }).joined(separator: ":")
            for (index, cells) in zip(columns.indexes, cells) {
                try body(
                    Value(
                        window: window, onset: onsets[row], duration: durations[row],
                        signal: name, index: index, text: cells[row],
                        coverage: coverages[row], quality: qualities[row], count: counts[row]))
            }
        }
    }
}
