import Foundation

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
    func texts(_ key: String) -> [String]? { values[key] as? [String] }

    /// What is said of a column.
    func text(ofColumn column: String, _ key: String) -> String? {
        (values[column] as? [String: Any])?[key] as? String
    }
}
