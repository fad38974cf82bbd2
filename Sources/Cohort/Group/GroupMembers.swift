import Formats
import Foundation

/// Which results a group's tables were made of, taken down beside them: the stem of each recording and the key of its
/// results, so that tables can be told from what was computed since.
struct GroupMembers {
    private let keys: [String: String]

    /// The results that tables are being made of.
    init(_ markers: [DoneMarker]) {
        keys = Dictionary(markers.map { ($0.plan.unit.stem, $0.key) }) { first, _ in first }
    }

    /// What the tables in the output of a batch were made of; nil where earlier versions made them.
    init?(of batch: BatchFolder) {
        guard let data = FileManager.default.contents(atPath: Self.file(batch).path) else { return nil }
        let pairs = String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { line in
            line.firstIndex(of: ".").map { (String(line[..<$0]), String(line[$0...].dropFirst())) }
        }
        keys = Dictionary(pairs) { first, _ in first }
    }

    /// - Throws: `FormatError` when it cannot be written.
    func write(to batch: BatchFolder) throws {
        // A stem has no full stop, and begins the line: whoever is erased is taken out by it.
        let lines = keys.keys.sorted().map { "\($0).\(keys[$0] ?? "")\n" }
        try writeAtomically(Array(lines.joined().utf8), to: Self.file(batch))
    }

    /// The stems of results that the tables have and that were computed again since, or are of recordings that are gone.
    func stale(in batch: BatchFolder) -> [String] {
        let present = Set(batch.present())
        return keys.keys.filter { !present.contains($0) || batch.marker($0)?.key != keys[$0] }.sorted()
    }

    /// The stems of results that are there and that the tables do not have.
    func missing(in batch: BatchFolder) -> [String] {
        batch.present().filter { keys[$0] == nil && batch.marker($0)?.isPassing == false }
    }

    private static func file(_ batch: BatchFolder) -> URL { batch.state("group.list") }
}
