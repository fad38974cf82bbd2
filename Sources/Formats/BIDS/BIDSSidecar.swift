import Foundation

/// What the JSON files that apply to a BIDS file say, those nearer to it last (BIDS 1.10, "The inheritance principle").
struct BIDSSidecar {
    private(set) var values: [String: Any] = [:]
    /// The files that were read, the farthest first.
    private(set) var files: [URL] = []
    private static let mostLevels = 8
    private static let largest = 16 << 20

    /// - Throws: `FormatError` when one of the files is no JSON object.
    init(for url: URL, named name: BIDSName) throws {
        for folder in Self.folders(of: url).reversed() {
            for file in Self.applicable(in: folder, to: name) {
                files.append(file)
                values.merge(try Self.read(file)) { _, nearer in nearer }
            }
        }
    }

    /// The file's folder and those above it up to the data set's own, which has a dataset_description.json.
    static func folders(of url: URL) -> [URL] {
        let own = url.standardizedFileURL.deletingLastPathComponent()
        var folders: [URL] = []
        var folder = own
        for _ in 0..<mostLevels {
            folders.append(folder)
            let mark = folder.appendingPathComponent("dataset_description.json").path
            if access(mark, F_OK) == 0 { return folders }
            let above = folder.deletingLastPathComponent()
            if above == folder { break }
            folder = above
        }
        return [own]
    }

    /// The JSON files of a folder with the same suffix and no entity that `name` has not, the most general first.
    private static func applicable(in folder: URL, to name: BIDSName) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let found = names.compactMap(BIDSName.init).filter { other in
            other.ending == ".json" && other.suffix == name.suffix
                && other.entities.allSatisfy { name.entities.contains($0) }
        }
        return found.sorted { ($0.entities.count, $0.text) < ($1.entities.count, $1.text) }
            .map { folder.appendingPathComponent($0.text) }
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
