import Foundation

/// What a table's sidecar says of a column (BIDS 1.10, "Tabular files").
struct ToldColumn {
    /// What it is.
    var definition: String
    /// The unit of its numbers, 1 where they have none; nil where it is not declared to hold numbers of one unit.
    var unit: String?
    /// What its codes mean; empty where it has none.
    var levels: [String: String]

    /// The columns of a sidecar, by name; empty where there is no such file.
    static func read(_ sidecar: URL) -> [String: ToldColumn] {
        let data = FileManager.default.contents(atPath: sidecar.path) ?? Data()
        let object = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]
        return object.compactMapValues { entry in
            (entry as? [String: Any]).map { entry in
                ToldColumn(
                    definition: entry["Description"] as? String ?? "", unit: entry["Units"] as? String,
                    levels: entry["Levels"] as? [String: String] ?? [:])
            }
        }
    }
}
