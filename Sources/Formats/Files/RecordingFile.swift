public import Foundation
public import Signals

/// Opens recordings of any readable format, which is told from the content.
public enum RecordingFile {
    /// Begins reading the recording at `url`: a file, a folder, or a WFDB record's name without extension.
    /// - Throws: `FormatError` when there is none, it is of no readable format, or it is damaged.
    public static func open(_ url: URL) throws -> any RecordingReader {
        try format(of: url).open(url)
    }

    /// Begins reading delimited text whose columns `map` describes, which may be compressed with gzip.
    /// - Throws: `FormatError` when there is none, it is damaged, or has no such columns.
    public static func open(_ url: URL, columns map: ColumnMap) throws -> any RecordingReader {
        try opened(url) { try Delimited($0, map: map) }
    }

    /// Opens a file by `body`; of one that holds another, which is compressed with gzip or text of UTF-16, what it holds.
    private static func opened(
        _ url: URL, by body: (URL) throws -> any RecordingReader
    ) throws -> any RecordingReader {
        let head = try InputFile(url).read(at: 0, count: 1 << 10)
        if GzipFile.recognizes(head, url: url) { return try GzipFile.open(url) { try opened($0, by: body) } }
        return UTF16File.recognizes(head, url: url) ? try UTF16File.open(url, by: body) : try body(url)
    }

    /// Begins reading the recording at `url`: text with the columns that `map` describes, which may be compressed with
    /// gzip, BIDS physio whose sidecar names the columns that it tells of, and any other format as it stands.
    /// - Throws: `FormatError` when there is none, it is damaged, or is text without such columns.
    public static func open(_ url: URL, columnsOfText map: ColumnMap) throws -> any RecordingReader {
        // What no format recognises may be text that only its columns explain.
        guard let format = try? format(of: url) else { return try open(url, columns: map) }
        if let openColumns = format.openColumns { return try openColumns(url, map) }
        if format.timing == .inside { return try inside(url) { try open($0, columnsOfText: map) } }
        let isFolder = (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
        return format.isTable && !isFolder ? try Delimited(url, map: map) : try format.open(url)
    }

    /// Begins reading the recording at `url`, whose samples come at `rate` Hz where nothing in it tells their times.
    /// - Throws: `FormatError` when there is none, it is of no readable format, or it is damaged.
    public static func open(_ url: URL, textRate rate: Double) throws -> any RecordingReader {
        let format = try format(of: url)
        if format.timing == .ownIfNamed, RRText.takesRate(try InputFile(url).read(at: 0, count: 1 << 12), url: url) {
            return try RRText(url, sampleRate: rate)
        }
        switch format.timing {
        case .inside: return try inside(url) { try open($0, textRate: rate) }
        case .ownIfNamed where format.extensions.contains(url.pathExtension.lowercased()), .own:
            return NotedRecording(
                try format.open(url),
                "the stated sample rate of \(NumberFormatting.text(rate)) Hz is not used: \(format.name) has its own times"
            )
        case .ownIfNamed, .uncertain: return try Delimited(url, map: ColumnMap(sampleRate: rate))
        }
    }

    /// Begins reading text whose numbers are times or sample numbers of beats, which may be compressed with gzip.
    /// - Parameter rate: samples per second, in Hz, where they are sample numbers.
    /// - Throws: `FormatError` when there is none, it is damaged, or has no such column.
    public static func open(beats url: URL, textRate rate: Double? = nil) throws -> any RecordingReader {
        try opened(url) { try RRText($0, sampleRate: rate, areBeats: true) }
    }

    /// Opens by `body` what a file of format `.inside` holds.
    private static func inside(
        _ url: URL, by body: (URL) throws -> any RecordingReader
    ) throws -> any RecordingReader {
        let head = try InputFile(url).read(at: 0, count: 4)
        return GzipFile.recognizes(head, url: url)
            ? try GzipFile.open(url, by: body) : try UTF16File.open(url, by: body)
    }

    /// The files that the recording at `url` is made of, such as the header and the signal files of a WFDB record.
    /// - Throws: `FormatError` when there is no recording or it is of no readable format.
    public static func files(of url: URL) throws -> [URL] {
        try format(of: url).files(url)
    }

    /// The files that are read where the recording at `url` is: those it is made of, and the BIDS tables of channels and events
    /// (`…_channels.tsv`, `…_events.tsv`) that apply to it, which people go on writing after it was recorded.
    /// - Throws: `FormatError` when there is no recording or it is of no readable format.
    public static func inputs(of url: URL) throws -> [URL] {
        let format = try format(of: url)
        return try format.files(url) + format.tables(url)
    }

    /// The format of the recording at `url`.
    /// - Throws: `FormatError` when there is none or it is not readable.
    public static func format(of url: URL) throws -> ReadableFormat {
        var isDirectory: ObjCBool = false
        let exists =
            NamelessFile.isOpenable(url.path)
            || FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory)
        let isFile = exists && !isDirectory.boolValue
        let head = isFile ? try InputFile(url).read(at: 0, count: 1 << 12) : []
        let named = ReadableFormat.all.first { $0.extensions.contains(url.pathExtension.lowercased()) }
        if isFile, head.isEmpty { throw FormatError(url, "is empty") }
        if EmpaticaSession.isPart(head, url: url) {
            throw FormatError(url, "is one file of an Empatica E4 session", advice: "give the folder it is in")
        }
        if let format = ReadableFormat.all.first(where: { $0.recognizes(head, url) }) { return format }
        if isDirectory.boolValue {
            throw FolderContents(url).error
        }
        // Missing or unreadable: the reason, rather than that it was not recognised.
        if !exists { _ = try InputFile(url) }
        if let named { return named }
        let names = ReadableFormat.all.map(\.name).joined(separator: "; ")
        throw FormatError(url, "is of no readable format", advice: "these are read: \(names)")
    }
}

/// A recording of which there is more to say than it says itself.
private final class NotedRecording: RecordingReader {
    let header: RecordingHeader
    private let base: any RecordingReader

    init(_ base: any RecordingReader, _ note: String) {
        self.base = base
        var header = base.header
        header.notes.append(note)
        self.header = header
    }

    func next() throws -> RecordingEvent? { try base.next() }
}
