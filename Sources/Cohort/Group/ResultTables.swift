import Formats
import Foundation
import Kernels
import Pipeline

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
        /// Seconds from the recording's start to the end of the last window whose quality was judged.
        var duration: Double?
        /// What whoever uses the results should know: damage, oddities.
        var remarks: [String] = []
    }

    private let folder: BatchFolder
    private let root: URL
    private var columns: [String: ResultColumns] = [:]

    init(_ folder: BatchFolder) {
        self.folder = folder
        root = folder.root
    }

    /// What provenance and the tables of quality say of a recording.
    /// - Throws: `CohortError` when one of these files is not the one that was computed.
    func facts(_ marker: DoneMarker) throws -> Facts {
        var facts = Facts()
        for output in marker.outputs {
            if output.path.hasSuffix("_provenance.json") {
                let fields = try? JSONSerialization.jsonObject(with: Data(bytes(output, marker))) as? [String: Any]
                facts.remarks = fields?["remarks"] as? [String] ?? []
            }
            guard let (label, topic) = Self.labels(of: output.path, stem: marker.plan.unit.stem), topic == "quality"
            else { continue }
            let table = try read(output, marker)
            let ends = zip(try table.numbers("onset"), try table.numbers("duration")).map(+)
            facts.duration = (ends + [facts.duration ?? 0]).max()
            let (quality, coverage) = (try table.numbers("quality"), try table.numbers("coverage"))
            let known = quality.indices.filter { quality[$0].isFinite && coverage[$0].isFinite }
            guard !known.isEmpty else { continue }
            facts.signals[label] = (
                Statistics.mean(known.map { quality[$0] }), Statistics.mean(known.map { coverage[$0] })
            )
        }
        return facts
    }

    /// All values of a recording's tables of indexes, table by table.
    /// - Parameter events: the recording's conditions.
    /// - Throws: `CohortError` when a table is not the one that was computed.
    func values(_ marker: DoneMarker, _ events: ConditionEvents, _ body: (Value) throws -> Void) throws {
        for output in marker.outputs {
            guard let (label, topic) = Self.labels(of: output.path, stem: marker.plan.unit.stem),
                !Self.leftOut.contains(topic)
            else { continue }
            let table = try read(output, marker)
            let columns = try columns(of: table, output, marker)
            if try SeriesMeans.isSeries(table) {
                try SeriesMeans(table, columns, signal: label).values(events).forEach(body)
            } else {
                try values(table, columns, signal: label) { value in
                    var value = value
                    value.condition = events.condition(onset: value.onset, duration: value.duration)
                    try body(value)
                }
            }
        }
    }

    /// Tables that list other things than indexes.
    private static let leftOut: Set<String> = ["hrvmissing", "quality"]

    /// The recording label and the topic of a table `<stem>_recording-<label>_desc-<topic>_<suffix>.tsv`.
    private static func labels(of path: String, stem: String) -> (label: String, topic: String)? {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard name.hasPrefix(stem + "_"), name.hasSuffix(".tsv"), !name.hasSuffix("_events.tsv") else { return nil }
        let entities = BIDSFileName(String(name.dropFirst(stem.count + 1))).entities
        guard let topic = entities["desc"] else { return nil }
        return (entities["recording"] ?? topic, topic)
    }

    private func read(_ output: DoneMarker.Output, _ marker: DoneMarker) throws -> TextTable {
        try TextTable(bytes: bytes(output, marker), file: root.appendingPathComponent(output.path, isDirectory: false))
    }

    private func bytes(_ output: DoneMarker.Output, _ marker: DoneMarker) throws -> [UInt8] {
        try folder.content(of: output, marker)
    }

    private func columns(
        of table: TextTable, _ output: DoneMarker.Output, _ marker: DoneMarker
    ) throws -> ResultColumns {
        let path = output.path.dropLast(4) + ".json"
        let sidecar = marker.outputs.first { $0.path == path }
        let key = (sidecar?.sha256 ?? "") + table.names.joined(separator: "\t")
        if let known = columns[key] { return known }
        let data = FileManager.default.contents(atPath: root.appendingPathComponent(String(path)).path) ?? Data()
        let object = try? JSONSerialization.jsonObject(with: data)
        let found = ResultColumns(header: table.names, sidecar: object as? [String: [String: String]] ?? [:])
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
            let words = [signal] + qualifiers.compactMap { $0[row] }
            for (index, cells) in zip(columns.indexes, cells) {
                try body(
                    Value(
                        window: window, onset: onsets[row], duration: durations[row],
                        signal: words.joined(separator: ":"), index: index, text: cells[row],
                        coverage: coverages[row], quality: qualities[row], count: counts[row]))
            }
        }
    }
}
