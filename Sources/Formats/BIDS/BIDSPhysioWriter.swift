public import Foundation
public import Signals

/// Writes recordings as BIDS files of continuous signals: `…_physio.tsv.gz` with its JSON sidecar, and the markers as
/// `…_events.tsv` (BIDS 1.10, "Physiological recordings").
///
/// Each evenly sampled stream is a file; where there are several, they are told apart by the entity `recording`. Gaps
/// are rows of `n/a`, as a file has one rate throughout. Irregular streams do not fit and are left out with a note. The
/// same recording gives the same bytes.
public enum BIDSPhysioWriter {
    /// The files that a recording is written to.
    struct Plan {
        /// For each stream the name of its file; nil where the stream does not fit.
        fileprivate var names: [BIDSName?]
        fileprivate let folder: URL
        /// The file for markers and the one that explains it.
        let events: [URL]

        /// - Throws: `FormatError` when the name is another, or nothing fits.
        init(_ header: RecordingHeader, at url: URL) throws {
            guard let name = BIDSName(url.lastPathComponent), BIDSPhysioReader.isOurs(name), !name.entities.isEmpty
            else {
                throw FormatError(
                    url, "must end with _physio.tsv.gz, as files of signals do in BIDS",
                    advice: "call it such as sub-01_task-rest_physio.tsv.gz")
            }
            let folder = url.deletingLastPathComponent()
            self.folder = folder
            let isSingle = header.streams.count { $0.sampleRate > 0 } == 1
            var distinct = DistinctNames<BIDSName>()
            names = header.streams.map { stream in
                guard stream.sampleRate > 0 else { return nil }
                return distinct.next { number in
                    isSingle ? name : name.adding("recording", stream.name + (number.map(String.init) ?? ""))
                }
            }
            guard names.contains(where: { $0 != nil }) else {
                throw FormatError(url, "the recording has no evenly sampled stream, which BIDS physio files hold")
            }
            let table = folder.appendingPathComponent(name.events.text)
            events = [table, table.jsonSidecar]
        }

        /// The files of the streams and their sidecars.
        var files: [URL] {
            names.compactMap(\.self).flatMap { [$0, $0.with(suffix: $0.suffix, ending: ".json")] }
                .map { folder.appendingPathComponent($0.text) }
        }
    }

    /// The files that a recording with this header is written to.
    /// - Returns: those of the streams, and those there are besides where it has markers.
    /// - Throws: `FormatError` when the name is another, or nothing fits.
    public static func files(of header: RecordingHeader, at url: URL) throws -> (streams: [URL], markers: [URL]) {
        let plan = try Plan(header, at: url)
        return (plan.files, plan.events)
    }

    /// Writes what `reader` gives, reading it once.
    /// - Parameter url: a name that ends with `_physio.tsv.gz`.
    /// - Returns: what a user should know of the files.
    /// - Throws: `FormatError` when the name is another, nothing fits, or a file cannot be written.
    public static func write(_ reader: any RecordingReader, to url: URL) throws -> [String] {
        let plan = try Plan(reader.header, at: url)
        try reader.header.checkRates(for: url)
        let streams = reader.header.streams
        let origin = reader.header.sourceOrigin ?? 0
        var files: [BIDSPhysioFile?] = try zip(streams, plan.names).map { stream, name in
            try name.map { try BIDSPhysioFile(stream, folder: plan.folder, name: $0, origin: origin) }
        }
        var markers: [Marker] = []
        while let event = try reader.next() {
            switch event {
            case .segment(let stream, let start): try files[stream]?.begin(start)
            case .samples(let stream, let block): try files[stream]?.write(block)
            case .values: break
            case .marker(var marker):
                marker.onset -= origin
                markers.append(marker)
            }
        }
        var notes = reader.header.noteOfStart(in: "a physio file; BIDS tells it in scans.tsv").map { [$0] } ?? []
        for index in files.indices { notes += try files[index]?.commit() ?? [] }
        for stream in streams where stream.sampleRate <= 0 {
            notes.append("\(stream.name): irregular values do not fit into a physio file and are left out")
        }
        if !markers.isEmpty { try BIDSEvents.write(markers, to: plan.events[0]) }
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
    private var infinities = 0
    /// The moment from which the file's times count.
    private let origin: Seconds
    private var bytes: [UInt8] = []

    init(_ stream: StreamHeader, folder: URL, name: BIDSName, origin: Seconds) throws {
        self.stream = stream
        self.origin = origin
        file = try GzipWriter(folder.appendingPathComponent(name.text))
        sidecar = folder.appendingPathComponent(name.with(suffix: name.suffix, ending: ".json").text)
        var labels = DistinctNames<String>()
        columns = stream.channels.map { labels.next($0.label) }
    }

    /// The rate of all rows: that measured in the first two runs where it is the same, else the nominal one.
    private var rate: Double { runs == 1 ? first?.sampleRate ?? stream.sampleRate : rateOfRuns ?? stream.sampleRate }
    private var rateOfRuns: Double?
    /// Rates that differ by no more than this share are the same.
    private static let sameRate = 1e-6

    mutating func begin(_ start: SegmentStart) throws {
        runs += 1
        guard let first else {
            self.first = start
            return
        }
        if runs == 2, abs(start.sampleRate / first.sampleRate - 1) <= Self.sameRate { rateOfRuns = first.sampleRate }
        let exact = (start.onset - first.onset) * rate
        guard exact - Double(rows) < Double(Plausible.missingSamples) else {
            throw FormatError(
                sidecar, "stream \(stream.name) has a gap of more than \(Plausible.missingSamples) samples")
        }
        let wanted = Int(max(exact.rounded(), Double(rows)))
        drift = max(drift, abs(Double(wanted) - exact))
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
                let sample = block.samples[channel * block.frameCount + frame]
                if sample.isInfinite { infinities += 1 }
                NumberFormatting.append(Double(sample), to: &bytes)
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
        var notes: [String] = []
        if drift > 0.01 {
            notes.append(
                "\(stream.name): samples are moved by up to \(Float(drift / rate)) s onto even rows")
        }
        if infinities > 0 { notes.append("\(stream.name): \(infinities) infinite values are written as missing") }
        return notes
    }

    private var description: [UInt8] {
        func string(_ text: String) -> String {
            var bytes: [UInt8] = []
            TableJSON.append(string: text, to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
        var lines = [
            "\"SamplingFrequency\": \(rate)", "\"StartTime\": \((first?.onset ?? 0) - origin)",
            "\"Columns\": [\(columns.map(string).joined(separator: ", "))]",
        ]
        for (column, channel) in zip(columns, stream.channels) {
            var facts: [String] = []
            // What is cardiac is not left to be guessed.
            let isGuessed = column.lowercased() == BIDSPhysioColumns.cardiac
            if isGuessed || BIDSPhysioColumns.kind(column, channel.unit) != stream.kind {
                facts.append("\"Description\": \(string(stream.kind.rawValue))")
            }
            if channel.unit != .unknown { facts.append("\"Units\": \(string(channel.unit.rawValue))") }
            if !facts.isEmpty { lines.append("\(string(column)): {\(facts.joined(separator: ", "))}") }
        }
        return Array(("{\n  " + lines.joined(separator: ",\n  ") + "\n}\n").utf8)
    }
}
