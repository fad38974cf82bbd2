import Formats
import Foundation
import Pipeline
import Signals

/// Writes recordings in the format that a file's extension asks for.
enum RecordingOutput {
    /// The extensions that can be written.
    static let extensions = ["edf", "bdf", "hea", "xdf", "csv", "tsv", "tsv.gz", "rr"]

    /// Writes what `open` reads; it may be opened more than once.
    /// - Returns: what a user should know of the file, such as how finely values were kept.
    @discardableResult
    static func write(to url: URL, title: String, reading open: () throws -> any RecordingReader) throws -> [String] {
        let bar = ProgressBar(title)
        defer { bar.clear() }
        func tracked() throws -> any RecordingReader { TrackedReader(try open(), bar) }
        switch url.pathExtension.lowercased() {
        case "edf": return try EDFWriter.write(to: url, reading: tracked).notes
        case "bdf": return try EDFWriter.write(to: url, as: .bdf, reading: tracked).notes
        case "gz" where url.lastPathComponent.lowercased().hasSuffix(".tsv.gz"):
            return try BIDSPhysioWriter.write(tracked(), to: url)
        case "rr": return try RRTextWriter.write(tracked(), to: url)
        case "hea": return try WFDBWriter.write(tracked(), to: url)
        case "xdf":
            try XDFWriter.write(tracked(), to: url, software: "Marey \(MareyVersion.current)")
            return []
        case "csv":
            return try CSVExport.write(tracked(), to: url, separator: ",")
        case "tsv":
            return try CSVExport.write(tracked(), to: url, separator: "\t")
        default:
            let known = extensions.map { ".\($0)" }.joined(separator: ", ")
            throw Failure.misuse("\(url.relativePath): the extension must be one of \(known)")
        }
    }
}

/// Moves a progress bar while a recording is read.
private final class TrackedReader: RecordingReader {
    private let base: any RecordingReader
    private let bar: ProgressBar
    private let duration: Seconds
    private var onset: Seconds = 0

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
        return event
    }
}
