public import Foundation

/// What the JSON files that apply to a BIDS file say, those nearer to it last (BIDS 1.10, "The inheritance principle").
struct BIDSSidecar {
    private(set) var values: [String: Any] = [:]
    /// The files that were read, the farthest first.
    private(set) var files: [URL] = []
    private static let largest = 16 << 20

    /// - Throws: `FormatError` when one of the files is no JSON object.
    init(for url: URL, named name: BIDSName) throws {
        let nearest = BIDSInheritance.files(name.suffix + ".json", for: url, entities: name.entities)
        files = Array(nearest).reversed()
        for file in files { values.merge(try Self.read(file)) { _, nearer in nearer } }
    }

    private static func read(_ url: URL) throws -> [String: Any] {
        let input = try InputFile(url)
        guard input.size <= largest else { throw FormatError(url, "is too large for a sidecar") }
        let bytes = try input.read(at: 0, count: input.size)
        guard let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else {
            throw FormatError(url, "is no JSON object")
        }
        return object
    }

    func number(_ key: String) -> Double? { values[key] as? Double }
    /// What stands under a key, in words for messages; nil where nothing does.
    func found(_ key: String) -> String? {
        guard let value = values[key] else { return nil }
        if let text = value as? String { return "the text \"\(text.prefix(40))\"" }
        return String("\(value)".prefix(40))
    }
    func texts(_ key: String) -> [String]? { values[key] as? [String] }

    /// What is said of a column.
    func text(ofColumn column: String, _ key: String) -> String? {
        (values[column] as? [String: Any])?[key] as? String
    }
}

/// What the sidecars of a BIDS recording of continuous signals tell without its samples being read.
public enum BIDSPhysioSidecar {
    /// Whether a recording follows the eyes: its `PhysioType` is `eyetrack` (BIDS 1.11, "Eye tracking"). False where no
    /// sidecar can be read.
    public static func isOfEyes(_ url: URL) -> Bool {
        guard let name = BIDSName(url.lastPathComponent), let sidecar = try? BIDSSidecar(for: url, named: name) else {
            return false
        }
        return (sidecar.values["PhysioType"] as? String)?.lowercased() == "eyetrack"
    }
}
