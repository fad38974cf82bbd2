import CArchive
import Foundation
import Signals

/// Recordings that were compressed with gzip: unpacked to a file without a name in the folder for temporary files. Open
/// files live on until they have been read, and however the program ends, nothing of a recording stays behind.
enum GzipFile {
    /// The most bytes a file may unpack to.
    private static let byteLimit = 64 << 30

    /// Whether a file begins like a gzip file (RFC 1952, 2.3.1).
    static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        head.starts(with: [0x1F, 0x8B, 0x08])
    }

    /// Opens the recording inside.
    /// - Throws: `FormatError` when it is damaged, too large, or holds no recording of one file.
    static func open(_ url: URL) throws -> any RecordingReader { try open(url) { try RecordingFile.open($0) } }

    /// The tables that tell of the recording inside, by what it is called.
    static func tables(for url: URL) -> [URL] {
        let ending = url.deletingPathExtension().pathExtension.lowercased()
        return ["edf", "bdf", "rec"].contains(ending) ? BIDSMarkedRecording.tables(for: url) : []
    }

    /// Opens the recording inside by `body`, which is given a place that only `InputFile` can open, called as the unpacked
    /// file would be, and keeps it open as long as it needs it.
    /// - Throws: `FormatError` when it is damaged or too large; what `body` throws.
    static func open(_ url: URL, by body: (URL) throws -> any RecordingReader) throws -> any RecordingReader {
        let name = url.pathExtension.lowercased() == "gz" ? url.deletingPathExtension().lastPathComponent : "recording"
        let unpacked = try NamelessFile(in: FileManager.default.temporaryDirectory, named: name, for: url)
        try unpack(url, to: unpacked)
        return try UnpackedRecording(of: url, in: unpacked.url) {
            try unpacked.whileOpenable {
                let head = try InputFile(unpacked.url).read(at: 0, count: 4)
                guard !recognizes(head, url: unpacked.url), !head.starts(with: [0x50, 0x4B]) else {
                    throw FormatError(url, "holds another compressed file", advice: "unpack it")
                }
                return try body(unpacked.url)
            }
        }
    }

    private static func unpack(_ url: URL, to target: NamelessFile) throws {
        guard let archive = archive_read_new() else { throw FormatError(url, "cannot be unpacked: no memory") }
        defer { archive_read_free(archive) }
        archive_read_support_filter_gzip(archive)
        archive_read_support_format_raw(archive)
        var entry: OpaquePointer?
        guard archive_read_open_filename(archive, url.path, 1 << 18) == ARCHIVE_OK,
            archive_read_next_header(archive, &entry) == ARCHIVE_OK
        else { throw isOfNothing(url) ? FormatError(url, "is empty: nothing was compressed") : damaged(url, archive) }
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        var total = 0
        while true {
            let count = buffer.withUnsafeMutableBytes { archive_read_data(archive, $0.baseAddress, $0.count) }
            guard count >= 0 else { throw damaged(url, archive) }
            if count == 0 { break }
            total += count
            guard total <= byteLimit else {
                throw FormatError(url, "unpacks to more than \(byteLimit) bytes, which is refused")
            }
            try buffer.withUnsafeBytes { try target.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }

    /// Whether it is a whole gzip file of no bytes, which libarchive takes for no archive: checksum and length at its end are 0
    /// (RFC 1952, 2.3.1).
    private static func isOfNothing(_ url: URL) -> Bool {
        guard let input = try? InputFile(url), (20...1 << 16).contains(input.size),
            let end = try? input.read(at: input.size - 8, count: 8)
        else { return false }
        return end == [UInt8](repeating: 0, count: 8)
    }

    private static func damaged(_ url: URL, _ archive: OpaquePointer) -> FormatError {
        let reason = archive_error_string(archive).map { String(cString: $0) } ?? "it ends early"
        return FormatError(url, "is a damaged gzip file: \(reason)")
    }
}
