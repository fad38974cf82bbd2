public import Foundation
public import Signals

/// Writes recordings as BIDS files of continuous signals: `…_physio.tsv.gz` with its JSON sidecar, and the markers as
/// `…_events.tsv` (BIDS 1.10, "Physiological recordings").
///
/// Each evenly sampled stream is a file; where there are several, they are told apart by the entity `recording`. Gaps
/// are rows of `n/a`, as a file has one rate throughout. Irregular streams do not fit and are left out with a note. The
/// same recording gives the same bytes.
public enum BIDSPhysioWriter {
    /// Writes what `reader` gives, reading it once.
    /// - Parameter url: a name that ends with `_physio.tsv.gz`.
    /// - Returns: what a user should know of the files.
    /// - Throws: `FormatError` when the name is another, nothing fits, or a file cannot be written.
    public static func write(_ reader: any RecordingReader, to url: URL) throws -> [String] {
        guard let name = BIDSName(url.lastPathComponent), name.ending == ".tsv.gz" else {
            throw FormatError(url, "must end with _physio.tsv.gz")
        }
        let folder = url.deletingLastPathComponent()
        let streams = reader.header.streams
        let isSingle = streams.count { $0.sampleRate > 0 } == 1
        var files: [BIDSPhysioFile?] = try streams.map { stream in
            guard stream.sampleRate > 0 else { return nil }
            let own = isSingle ? name : name.adding("recording", stream.name)
            return try BIDSPhysioFile(stream, folder: folder, name: own)
        }
        guard files.contains(where: { $0 != nil }) else {
            throw FormatError(url, "the recording has no evenly sampled stream, which BIDS physio files hold")
        }
        var markers: [Marker] = []
        while let event = try reader.next() {
            switch event {
            case .segment(let stream, let start): try files[stream]?.begin(start)
            case .samples(let stream, let block): try files[stream]?.write(block)
            case .values: break
            case .marker(let marker): markers.append(marker)
            }
        }
        var notes: [String] = []
        for index in files.indices { notes += try files[index]?.commit() ?? [] }
        for stream in streams where stream.sampleRate <= 0 {
            notes.append("\(stream.name): irregular values do not fit into a physio file and are left out")
        }
        if !markers.isEmpty {
            let events = name.with(suffix: "events", ending: ".tsv", without: ["recording"])
            try BIDSEvents.write(markers, to: folder.appendingPathComponent(events.text))
        }
        return notes
    }
}

/// One stream being written as a BIDS file of continuous signals.
struct BIDSPhysioFile {
    private let stream: StreamHeader
    private let file: GzipWriter
    private let sidecar: URL
    private let columns: [String]
    private var first: SegmentStart?
    private var runs = 0
    private var rows = 0
    private var drift = 0.0
    private var bytes: [UInt8] = []
    /// More rows of nothing than this mean a wrong clock.
    private static let mostMissingRows = 1_000_000_000

    init(_ stream: StreamHeader, folder: URL, name: BIDSName) throws {
        self.stream = stream
        file = try GzipWriter(folder.appendingPathComponent(name.text))
        sidecar = folder.appendingPathComponent(name.with(suffix: name.suffix, ending: ".json").text)
        var taken: Set<String> = []
        columns = stream.channels.map { channel in
            var label = channel.label
            while !taken.insert(label).inserted { label += "_2" }
            return label
        }
    }

    /// The rate of all rows: that of the only run, else the nominal one.
    private var rate: Double { runs == 1 ? first?.sampleRate ?? stream.sampleRate : stream.sampleRate }

    mutating func begin(_ start: SegmentStart) throws {
        runs += 1
        guard let first else {
            self.first = start
            return
        }
        let exact = (start.onset - first.onset) * stream.sampleRate
        guard exact - Double(rows) < Double(Self.mostMissingRows) else {
            throw FormatError(sidecar, "stream \(stream.name) has a gap of more than \(Self.mostMissingRows) samples")
        }
        let wanted = Int(exact.rounded())
        drift = max(drift, abs(Double(max(wanted, rows)) - exact))
        let missing = Array((columns.map { _ in "n/a" }.joined(separator: "\t") + "\n").utf8)
        while rows < wanted {
            bytes += missing
            rows += 1
            if bytes.count > 1 << 18 { try flush() }
        }
    }

    mutating func write(_ block: SampleBlock) throws {
        for frame in 0..<block.frameCount {
            for channel in 0..<block.channelCount {
                if channel > 0 { bytes.append(0x09) }
                NumberFormatting.append(Double(block.samples[channel * block.frameCount + frame]), to: &bytes)
            }
            bytes.append(0x0A)
        }
        rows += block.frameCount
        if bytes.count > 1 << 18 { try flush() }
    }

    private mutating func flush() throws {
        try file.write(bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Completes the file and writes its sidecar.
    /// - Returns: what a user should know.
    mutating func commit() throws -> [String] {
        try flush()
        try file.commit()
        try writeAtomically(description, to: sidecar)
        guard drift > 0.5 else { return [] }
        return ["\(stream.name): samples are moved by up to \(Float(drift / stream.sampleRate)) s onto even rows"]
    }

    private var description: [UInt8] {
        func string(_ text: String) -> String {
            var bytes: [UInt8] = []
            TableJSON.append(string: text, to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
        var lines = [
            "\"SamplingFrequency\": \(rate)", "\"StartTime\": \(first?.onset ?? 0)",
            "\"Columns\": [\(columns.map(string).joined(separator: ", "))]",
        ]
        for (column, channel) in zip(columns, stream.channels) where channel.unit != .unknown {
            lines.append("\(string(column)): {\"Units\": \(string(channel.unit.rawValue))}")
        }
        return Array(("{\n  " + lines.joined(separator: ",\n  ") + "\n}\n").utf8)
    }
}
