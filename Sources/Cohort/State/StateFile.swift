import Formats
import Foundation

/// Small JSON files that say where a batch stands: the same value gives the same bytes, and a file is there whole or
/// not at all.
enum StateFile {
    /// - Parameter isSynced: whether it is on the disk then; what a power cut leaves of one that is not says nothing.
    static func write(_ value: some Encodable, to url: URL, isSynced: Bool = true) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        try writeAtomically(Array(encoder.encode(value)) + [0x0A], to: url, isSynced: isSynced)
    }

    /// The value in a file; nil when there is none or it says something else.
    static func read<Value: Decodable>(_ type: Value.Type = Value.self, from url: URL) -> Value? {
        FileManager.default.contents(atPath: url.path).flatMap { try? JSONDecoder().decode(type, from: $0) }
    }
}
