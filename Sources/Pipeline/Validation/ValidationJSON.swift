import Formats
import Signals

extension BeatValidation {
    /// The scores with all that they rest on, as one JSON object: `convention`, `rules`, `tolerances` in seconds,
    /// `rows` as in `table`, the recordings `excluded`, `failed` and `passedOver` with their reasons, and `notes`.
    public func json(by grouping: ValidationGrouping, worstFirst: Bool) -> [UInt8] {
        var bytes: [UInt8] = Array("{\n\"convention\": ".utf8)
        TableJSON.append(string: convention.name, to: &bytes)
        bytes += Array(",\n\"rules\": ".utf8)
        TableJSON.append(string: convention.explanation, to: &bytes)
        bytes += Array(",\n\"tolerances\": [\(tolerances.map { "\($0)" }.joined(separator: ", "))]".utf8)
        bytes += Array(",\n\"rows\": ".utf8)
        append(table(by: grouping, worstFirst: worstFirst), to: &bytes)
        for (key, list) in [("excluded", excluded), ("failed", failures), ("passedOver", passedOver)] {
            append(list.map { ($0.record, $0.reason) }, as: key, reason: "reason", to: &bytes)
        }
        let notes = channels.flatMap { channel in channel.notes.map { (channel.record, $0) } }
        append(notes, as: "notes", reason: "note", to: &bytes)
        return bytes + Array("\n}\n".utf8)
    }

    private func append(_ list: [(String, String)], as key: String, reason: String, to bytes: inout [UInt8]) {
        let columns = [Column("record", "The recording"), Column(reason, "What is to be said of it")]
        bytes += Array(",\n\"\(key)\": ".utf8)
        append(Table(columns: columns, rows: list.map { [.text($0.0), .text($0.1)] }), to: &bytes)
    }

    private func append(_ table: Table, to bytes: inout [UInt8]) {
        var rows = TableJSON.rows(table)
        while rows.last == 0x0A { rows.removeLast() }
        bytes += rows
    }
}
