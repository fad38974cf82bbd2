import Formats
import Foundation

/// A folder for one test that goes away with it.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("marey-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String, _ text: String) throws -> URL { try file(name, Array(text.utf8)) }

    func file(_ name: String, _ bytes: [UInt8]) throws -> URL {
        let place = url.appendingPathComponent(name)
        try Data(bytes).write(to: place)
        return place
    }

    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path).sorted()) ?? [] }
}

/// The message of the `FormatError` that `body` throws.
func formatError<Value>(_ body: () throws -> Value) -> String? {
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? FormatError)?.description
    }
}
