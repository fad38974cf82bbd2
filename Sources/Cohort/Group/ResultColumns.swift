import Foundation

/// What the columns of a result table mean, told from its header and its sidecar.
struct ResultColumns {
    /// An index: something measured in each window.
    struct Index: Hashable {
        var name: String
        /// As the sidecar writes it.
        var unit: String
        var definition: String
    }

    /// The indexes, in the table's order.
    var indexes: [Index] = []
    /// Columns of words that tell rows of one window apart, such as the channel.
    var qualifiers: [String] = []
    /// The column with the share of the window that has data.
    var coverage: String?
    /// The column with the quality of the signal.
    var quality: String?
    /// The column with how many beats, epochs or the like a value rests on.
    var count: String?

    private static let counts = ["nBeats", "nEpochs", "nBreaths", "nSamples", "epochs", "n"]
    private static let places: Set<String> = ["onset", "duration"]

    init(header: [String], sidecar: [String: [String: String]]) {
        for name in header where !Self.places.contains(name) {
            let entry = sidecar[name] ?? [:]
            let lower = name.lowercased()
            if lower.hasSuffix("reason") || lower.hasSuffix("reasons") { continue }
            if lower == "coverage" {
                coverage = name
            } else if lower.hasSuffix("quality") {
                quality = name
            } else if Self.counts.contains(name) {
                count = name
            } else if let unit = entry["Units"] {
                indexes.append(Index(name: name, unit: unit, definition: entry["Description"] ?? ""))
            } else {
                qualifiers.append(name)
            }
        }
    }
}
