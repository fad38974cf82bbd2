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
        try reader.header.checkRates(for: url)
        var output = Output(file: try AtomicFile(url), encoder: encoder(reader.header, software))
        let header = reader.header
        for stream in header.streams { _ = output.encoder.declare(XDFStreamDescription(stream)) }
        var ends = header.streams.map { _ in -Double.infinity }
        var rates = header.streams.map { max($0.sampleRate, 1) }
        while let event = try reader.next() {
            switch event {
            case .segment(let stream, let start):
                ends[stream] = max(start.onset, ends[stream])
                output.encoder.begin(stream, start, clock: ends[stream])
                rates[stream] = start.sampleRate
            case .samples(let stream, let block):
                try output.append(stream, block)
                ends[stream] += Double(block.frameCount) / rates[stream]
            case .values(let stream, let values): output.encoder.append(stream, values)
            case .marker(let marker): output.encoder.append(marker)
            }
            try output.settle()
        }
        for note in reader.header.notes { output.encoder.append(XDFJournalLine(type: "note", text: note), at: 0) }
        output.encoder.finish()
        try output.file.write(output.encoder.take())
        try output.file.commit()
    }

    private static func encoder(_ header: RecordingHeader, _ software: String) -> XDFRecordingEncoder {
        XDFRecordingEncoder(
            .init(
                start: header.start, hasTimeZone: header.hasTimeZone, subject: header.subject,
                session: header.session, task: header.task, software: software))
    }

    /// A file and what waits for it.
    private struct Output {
        let file: AtomicFile
        var encoder: XDFRecordingEncoder
        private var sinceBoundary = 0

        init(file: AtomicFile, encoder: XDFRecordingEncoder) {
            (self.file, self.encoder) = (file, encoder)
        }

        /// Adds frames in chunks of a size at which damage costs little.
        mutating func append(_ stream: Int, _ block: SampleBlock) throws {
            let step = max(1, XDFWriter.chunkBytes / (4 * block.channelCount))
            for first in stride(from: 0, to: block.frameCount, by: step) {
                encoder.append(stream, block.frames(first..<min(first + step, block.frameCount)))
                try settle()
            }
        }

        /// Writes what waits when it is enough, with a boundary chunk each megabyte.
        mutating func settle() throws {
            guard encoder.pendingByteCount >= XDFWriter.chunkBytes else { return }
            if sinceBoundary > 1 << 20 {
                encoder.boundary()
                sinceBoundary = 0
            } else {
                encoder.flush()
            }
            let bytes = encoder.take()
            sinceBoundary += bytes.count
            try file.write(bytes)
        }
    }

    private static let chunkBytes = 1 << 16

    /// Writes a recording that is in memory.
    /// - Throws: `FormatError` when the file cannot be written; nothing is left then.
    public static func write(_ recording: Recording, to url: URL, software: String = "Marey") throws {
        try write(RecordedEvents(recording), to: url, software: software)
    }
}
