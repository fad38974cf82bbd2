public import Foundation
public import Signals

/// Writes recordings as XDF 1.0.
///
/// Samples keep their 32 bits, values of irregular streams and all times their 64; gaps are jumps of the stamps.
/// `XDFReader` gives back the same segments, gaps, values and markers.
public enum XDFWriter {
    /// Writes what a reader has; the file appears when it is complete.
    /// - Parameter software: the program and version to name in the file.
    /// - Throws: `FormatError` when the file cannot be written; what the reader throws. Nothing is left then.
    public static func write(_ reader: any RecordingReader, to url: URL, software: String = "Marey") throws {
        let file = try AtomicFile(url)
        let header = reader.header
        var encoder = XDFRecordingEncoder(
            .init(
                start: header.start, subject: header.subject, session: header.session, task: header.task,
                software: software))
        for stream in header.streams { _ = encoder.declare(XDFStreamDescription(stream)) }
        var ends = header.streams.map { _ in -Double.infinity }
        var rates = header.streams.map { max($0.sampleRate, 1) }
        var written = 0
        var boundary = 0
        while let event = try reader.next() {
            switch event {
            case .segment(let stream, let start):
                let clock = max(start.onset, ends[stream])
                encoder.begin(stream, start, clock: clock)
                rates[stream] = start.sampleRate
                ends[stream] = clock
            case .samples(let stream, let block):
                encoder.append(stream, block)
                ends[stream] += Double(block.frameCount) / rates[stream]
            case .values(let stream, let values): encoder.append(stream, values)
            case .marker(let marker): encoder.append(marker)
            }
            guard encoder.pendingByteCount >= 1 << 16 else { continue }
            encoder.flush()
            if written - boundary > 1 << 20 {
                encoder.boundary()
                boundary = written
            }
            let bytes = encoder.take()
            written += bytes.count
            try file.write(bytes)
        }
        for note in reader.header.notes { encoder.append(XDFJournalLine(type: "note", text: note), at: 0) }
        encoder.finish()
        try file.write(encoder.take())
        try file.commit()
    }

    /// Writes a recording that is in memory.
    /// - Throws: `FormatError` when the file cannot be written; nothing is left then.
    public static func write(_ recording: Recording, to url: URL, software: String = "Marey") throws {
        try write(RecordedEvents(recording), to: url, software: software)
    }
}
