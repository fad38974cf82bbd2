import Foundation
import Formats
import Pipeline
import Signals

/// Opens a file, with the user's words in every message.
enum Reading {
    static func open(_ path: String) throws -> any RecordingReader {
        try RecordingFile.open(URL(fileURLWithPath: path))
    }

    /// Takes all events of a recording, showing how far it is.
    static func all(_ reader: any RecordingReader, title: String, _ take: (RecordingEvent) throws -> Void) throws {
        let bar = ProgressBar(title)
        defer { bar.clear() }
        var clock = ReadingClock(reader.header)
        while let event = try reader.next() {
            try take(event)
            if let fraction = clock.fraction(after: event) { bar.show(fraction) }
        }
    }
}
