import Foundation

/// What the codes in columns of `participants.tsv` mean, by the `Levels` of `participants.json` (BIDS 1.10, "Tabular
/// files").
enum ParticipantLevels {
    /// What the texts of each column mean; empty where there is no such file.
    /// - Parameter dataset: the data set's folder.
    /// - Returns: meanings by column and text, and what keeps the file from being used.
    static func read(_ dataset: URL) -> (meanings: [String: [String: String]], problem: String?) {
        let url = dataset.appendingPathComponent("participants.json")
        guard FileManager.default.fileExists(atPath: url.path) else { return ([:], nil) }
        guard let data = try? Data(contentsOf: url), let object = try? JSONSerialization.jsonObject(with: data),
            let columns = object as? [String: Any]
        else { return ([:], "participants.json: is no JSON object, so what levels mean is not told") }
        return (columns.compactMapValues { ($0 as? [String: Any]).flatMap(levels) }, nil)
    }

    private static func levels(_ column: [String: Any]) -> [String: String]? {
        (column["Levels"] as? [String: Any])?.compactMapValues { told -> String? in
            // A level may be described by an object as well.
            let text = told as? String ?? (told as? [String: Any])?["Description"] as? String
            let words = text?.split(whereSeparator: \.isWhitespace).joined(separator: " ") ?? ""
            return words.isEmpty ? nil : words
        }
    }
}
