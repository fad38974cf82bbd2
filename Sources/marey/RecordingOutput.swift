import Formats
import Foundation
import Pipeline
import Signals

/// Writes recordings in the format that a file's extension asks for.
enum RecordingOutput {
    /// The extensions that can be written.
    static let extensions = ["edf", "bdf", "hea", "xdf", "csv", "tsv", "tsv.gz", "rr"]

    /// What became of a recording.
    struct Outcome {
        var files: [URL]
        /// What a user should know: of the source, and of the files, such as how finely values were kept.
        var notes: [String]

        /// The files' names in one line.
        var names: String {
            files.map { $0.relativePath.hasPrefix("./") ? String($0.relativePath.dropFirst(2)) : $0.relativePath }
                .joined(separator: ", ")
        }
    }

    /// The files that a recording with this header becomes.
    /// - Returns: those of its streams, and those there are besides where it has markers.
    /// - Throws: `Failure` where the extension is of no format that can be written, or of one that tells times where there
    ///   are none.
    static func files(of header: RecordingHeader, at url: URL) throws -> (streams: [URL], markers: [URL]) {
        let ending = url.pathExtension.lowercased()
        if !header.hasTimes, extensions.contains(ending) || isBIDS(url), !["csv", "tsv"].contains(ending) {
            throw Failure.nothingDone(
                "\(url.relativePath): its format tells when each value was measured, and the recording has no times; "
                    + "write .csv or .tsv, which number its records")
        }
        switch ending {
        case "hea": return WFDBWriter.files(of: header, at: url)
        case "gz" where isBIDS(url): return try BIDSPhysioWriter.files(of: header, at: url)
        case let ending where extensions.contains(ending): return ([url], [])
        default:
            // Intervals are what `.rr` holds, and no other streams.
            let fitting = extensions.filter { $0 != "rr" || header.streams.contains { $0.kind == .ibi } }
            let known = fitting.map { ".\($0)" }.joined(separator: ", ")
            throw Failure.misuse("\(url.relativePath): the extension must be one of \(known)")
        }
    }

    /// Writes what `open` reads; it may be opened more than once.
    @discardableResult
    static func write(to url: URL, title: String, reading open: () throws -> any RecordingReader) throws -> Outcome {
        let bar = ProgressBar(title)
        defer { bar.clear() }
        var last: TrackedReader?
        func tracked() throws -> any RecordingReader {
            let reader = TrackedReader(try open(), bar)
            last = reader
            return reader
        }
        let notes = try write(to: url, reading: tracked)
        guard let last else { return Outcome(files: [], notes: notes) }
        let files = try files(of: last.header, at: url)
        return Outcome(
            files: files.streams + (last.hasMarkers ? files.markers : []), notes: last.header.notes + notes)
    }

    private static func write(to url: URL, reading open: () throws -> any RecordingReader) throws -> [String] {
        switch url.pathExtension.lowercased() {
        case "edf": return try EDFWriter.write(to: url, resampling: resampled, reading: open).notes
        case "bdf": return try EDFWriter.write(to: url, as: .bdf, resampling: resampled, reading: open).notes
        case "gz" where isBIDS(url): return try BIDSPhysioWriter.write(open(), to: url)
        case "rr": return try RRTextWriter.write(open(), to: url)
        case "hea": return try WFDBWriter.write(to: url, resampling: resampled, reading: open)
        case "xdf":
            try XDFWriter.write(open(), to: url, software: "Marey \(MareyVersion.current)")
            return []
        case "tsv": return try CSVExport.write(open(), to: url, separator: "\t")
        default: return try CSVExport.write(open(), to: url, separator: ",")
        }
    }

    private static func resampled(_ reader: any RecordingReader, _ rates: [Int: Double]) -> any RecordingReader {
        ResampledRecording(reader, rates: rates)
    }

    private static func isBIDS(_ url: URL) -> Bool { url.lastPathComponent.lowercased().hasSuffix(".tsv.gz") }
}

/// Moves a progress bar while a recording is read.
private final class TrackedReader: RecordingReader {
    private let base: any RecordingReader
    private let bar: ProgressBar
    private let duration: Seconds
    private var onset: Seconds = 0
    private(set) var hasMarkers = false

    init(_ base: any RecordingReader, _ bar: ProgressBar) {
        self.base = base
        self.bar = bar
        duration = base.header.duration ?? 0
    }

    var header: RecordingHeader { base.header }

    func next() throws -> RecordingEvent? {
        let event = try base.next()
        if case .samples(0, let block)? = event, duration > 0, header.streams[0].sampleRate > 0 {
            onset += Double(block.frameCount) / header.streams[0].sampleRate
            bar.show(onset / duration)
        }
        if case .marker? = event { hasMarkers = true }
        return event
    }
}
