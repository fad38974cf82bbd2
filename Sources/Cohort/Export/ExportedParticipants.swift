import Formats
import Foundation

/// `participants.tsv` of an export (BIDS 1.10, "Participants file"): what the data set's own says of the people in it,
/// text by text, and the file that describes its columns.
struct ExportedParticipants {
    /// The table: a row for each person, `n/a` where the data set says nothing.
    let table: [UInt8]
    /// The data set's `participants.json` as it is; nil where there is none that can be used.
    private(set) var descriptions: [UInt8]?
    /// What keeps a file of the data set from being used.
    private(set) var warnings: [String] = []

    /// The people with these labels; they alone where the data set is not at hand or has no such table.
    init(_ labels: [String], of dataset: URL) {
        var columns: [(name: String, texts: [String?])] = []
        do { columns = try Self.columns(labels, dataset) } catch {
            warnings.append("participants.tsv: has labels alone: \(error)")
        }
        let header = ["participant_id"] + columns.map(\.name)
        let rows = labels.indices.map { row -> [String] in
            ["sub-" + labels[row]] + columns.map { $0.texts[row] ?? "n/a" }
        }
        table = Array(([header] + rows).map { $0.joined(separator: "\t") + "\n" }.joined().utf8)
        let sidecar = dataset.appendingPathComponent("participants.json")
        guard !columns.isEmpty, let data = FileManager.default.contents(atPath: sidecar.path) else { return }
        guard (try? JSONSerialization.jsonObject(with: data)) is [String: Any] else {
            warnings.append("participants.json: is no JSON object and was left out")
            return
        }
        descriptions = Array(data)
    }

    /// The columns besides the labels, in the data set's order, with the text of each of these people.
    private static func columns(
        _ labels: [String], _ dataset: URL
    ) throws -> [(name: String, texts: [String?])] {
        let url = dataset.appendingPathComponent("participants.tsv")
        // A link to content that was not fetched is a file, too: reading it says how to get it.
        guard (try? FileManager.default.attributesOfItem(atPath: url.path)) != nil else { return [] }
        let table = try TextTable(reading: url)
        try table.demandUTF8()
        let rows = ParticipantGroups.rows(try table.texts("participant_id"), Set(labels))
        return try table.names.filter { $0 != "participant_id" }.map { name in
            let texts = try table.texts(name)
            return (name, labels.map { label in rows[label].flatMap { texts[$0] } })
        }
    }
}
