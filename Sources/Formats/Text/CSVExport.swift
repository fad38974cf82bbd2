public import Foundation
public import Signals

/// One stream as comma- or tab-separated text: a column `time [s]` from the recording's start, then a column per
/// channel, `label [unit]`, the kind of signal before labels that do not tell it. Gaps show as a jump in time, missing
/// samples as empty (comma) or `n/a` (tab). Where the recording has no times the first column is `record`, their numbers
/// from 0.
public enum CSVExport {
    /// Writes the recording's only stream; the file appears when it is complete.
    /// - Parameter separator: `,` or a tab.
    /// - Returns: what a user should know of the file.
    /// - Throws: `FormatError` when the recording has several streams, or the file cannot be written.
    @discardableResult
    public static func write(_ reader: any RecordingReader, to url: URL, separator: Character) throws -> [String] {
        guard reader.header.streams.count == 1, let stream = reader.header.streams.first else {
            let names = reader.header.streams.map(\.name).joined(separator: ", ")
            throw FormatError(
                url, "text holds one stream, but there are \(reader.header.streams.count): \(names)",
                advice: "choose one with --stream, or write .edf or .hea")
        }
        try reader.header.checkRates(for: url)
        let file = try AtomicFile(url)
        let comma = separator.asciiValue ?? 0x2C
        let missing = separator == "\t" ? "n/a" : ""
        let titles = stream.channels.map { channel in
            let label = SignalKind.label(channel.label, telling: channel.kind ?? stream.kind, unit: channel.unit)
            return channel.unit == .unknown ? label : "\(label) [\(channel.unit)]"
        }
        try file.write(
            ([reader.header.hasTimes ? "time [s]" : "record"] + titles).map { quoted($0, separator) }.joined(
                separator: String(separator)) + "\n")
        var start = SegmentStart(onset: 0, sample: 0, sampleRate: max(stream.sampleRate, 1))
        var offset = 0
        var markers = 0
        var bytes: [UInt8] = []
        while let event = try reader.next() {
            bytes.removeAll(keepingCapacity: true)
            switch event {
            case .segment(_, let segment):
                start = segment
                offset = 0
            case .samples(_, let block):
                for frame in 0..<block.frameCount {
                    append(start.onset(ofOffset: offset + frame), to: &bytes)
                    for channel in 0..<block.channelCount {
                        bytes.append(comma)
                        append(block.samples[channel * block.frameCount + frame], missing, to: &bytes)
                    }
                    bytes.append(0x0A)
                }
                offset += block.frameCount
            case .values(_, let values):
                for value in values {
                    append(value.onset, to: &bytes)
                    for number in value.values {
                        bytes.append(comma)
                        bytes += TSV.text(.optional(number)).utf8
                    }
                    bytes.append(0x0A)
                }
            case .marker: markers += 1
            }
            if !bytes.isEmpty { try file.write(bytes) }
        }
        try file.commit()
        let lost = markers == 0 ? [] : ["\(markers) markers are left out: text in columns has no place for them"]
        return lost + [reader.header.noteOfStart(in: "text in columns")].compactMap(\.self)
            + UntoldChannels.notes([stream], in: "text in columns")
    }

    /// Times are written to the microsecond.
    private static func append(_ onset: Seconds, to bytes: inout [UInt8]) {
        bytes += ((onset * 1e6).rounded() / 1e6).description.utf8
    }

    /// The shortest text that gives the same `Float` back.
    private static func append(_ sample: Float, _ missing: String, to bytes: inout [UInt8]) {
        bytes += (sample.isNaN ? missing : sample.description).utf8
    }

    private static func quoted(_ text: String, _ separator: Character) -> String {
        guard text.contains(separator) || text.contains("\"") || text.contains("\n") else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
