import Foundation
import Signals

/// A recording whose file was unpacked; its errors name the file that the user knows, or the table beside it that is meant.
final class UnpackedRecording: RecordingReader {
    private let base: any RecordingReader
    private let url: URL
    /// The folder of the unpacked file, which nobody knows.
    private let folder: String

    init(of url: URL, in place: URL, opening: () throws -> any RecordingReader) throws {
        self.url = url
        folder = place.deletingLastPathComponent().lastPathComponent
        base = try Self.naming(url, folder, opening)
    }

    var header: RecordingHeader { base.header }

    func next() throws -> RecordingEvent? {
        try Self.naming(url, folder) { try base.next() }
    }

    private static func naming<Result>(_ url: URL, _ folder: String, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch var error as FormatError {
            if error.file.contains(folder) { error.file = url.relativePath }
            throw error
        }
    }
}
