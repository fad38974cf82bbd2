import Formats
import Foundation
import Pipeline
import Signals

/// Reads recordings from end to end.
enum Reading {
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
