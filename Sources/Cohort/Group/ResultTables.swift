import Formats
import Foundation
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
    }

    private let root: URL
    private var columns: [String: ResultColumns] = [:]

    init(_ folder: BatchFolder) {
        root = folder.root
    }

    /// All values of a recording's tables of indexes, table by table.
    /// - Throws: `CohortError` when a table is not the one that was computed.
    func values(_ marker: DoneMarker, _ body: (Value) throws -> Void) throws {
        for output in marker.outputs {
            guard let (label, topic) = Self.labels(of: output.path, stem: marker.plan.unit.stem),
                !Self.leftOut.contains(topic)
            else { continue }
            let table = try read(output)
            let columns = try columns(of: table, output, marker)
            if try SeriesMeans.isSeries(table) {
                try SeriesMeans(table, columns, signal: label).values().forEach(body)
            } else {
                try values(table, columns, signal: label, body)
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

    private func read(_ output: DoneMarker.Output) throws -> TextTable {
        let url = root.appendingPathComponent(output.path, isDirectory: false)
        let bytes = try InputFile(url).read(at: 0, count: output.bytes + 1)
        guard bytes.count == output.bytes, InputHash.sha256(of: bytes) == output.sha256 else {
            throw CohortError(url, "is not what was computed", advice: "run the participant level again")
        }
        return try TextTable(bytes: bytes, file: url)
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
