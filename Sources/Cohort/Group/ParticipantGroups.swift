import Formats
import Foundation

/// The columns of `participants.tsv` that may tell groups of people.
enum ParticipantGroups {
    /// The columns in their order, each with the text of every participant (label without `sub-`); none where there is
    /// no such file.
    /// - Throws: `FormatError` when the file is no table.
    static func read(_ dataset: URL) throws -> [(name: String, values: [String: String])] {
        let url = dataset.appendingPathComponent("participants.tsv")
        guard FileManager.default.fileExists(atPath: url.path) else { return [] }
        let table = try TextTable(reading: url)
        guard table.has("participant_id") else { return [] }
        let labels = try table.texts("participant_id").map {
            $0.map { String($0.hasPrefix("sub-") ? $0.dropFirst(4) : $0[...]) }
        }
        return try table.names.filter { $0 != "participant_id" }.map { name in
            let texts = try table.texts(name)
            let pairs = zip(labels, texts).compactMap { label, text in
                label.flatMap { label in text.map { (label, $0) } }
            }
            return (name, Dictionary(pairs) { first, _ in first })
        }
    }
}
