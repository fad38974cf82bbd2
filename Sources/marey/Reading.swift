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
        let duration = reader.header.duration ?? 0
        var onsets = [Seconds](repeating: 0, count: reader.header.streams.count)
        while let event = try reader.next() {
            switch event {
            case .segment(let stream, let start): onsets[stream] = start.onset
            case .samples(let stream, let block):
                let rate = reader.header.streams[stream].sampleRate
                if rate > 0 { onsets[stream] += Double(block.frameCount) / rate }
                if duration > 0 { bar.show(onsets[stream] / duration) }
            default: break
            }
            try take(event)
        }
    }
}
