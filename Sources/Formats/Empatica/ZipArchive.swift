import CArchive
public import Foundation

/// A source of bytes that are read once, from beginning to end.
protocol ByteSource: AnyObject {
    /// Fills as much of `buffer` as there is; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

/// A zip file whose entries are read in place, never unpacked to the disk.
///
/// Refuses what a harmless archive does not have: names that lead elsewhere, links, encrypted entries, more entries or
/// bytes than the limits allow.
public struct ZipArchive {
    /// A file in the archive.
    public struct Entry: Hashable, Sendable {
        /// Its name with the folders it lies in, `/` between them.
        public var path: String
        /// Its place among all entries.
        fileprivate var index: Int
    }

    /// The archive.
    public let url: URL
    /// Its files, folders left out.
    public let entries: [Entry]
    private let byteLimit: Int

    /// The most entries an archive may have.
    public static let entryLimit = 10_000

    /// Opens an archive and checks the names of its entries.
    /// - Parameter byteLimit: the most bytes that one entry may unpack to.
    /// - Throws: `FormatError` when it cannot be read, is damaged, or has entries that are refused.
    public init(_ url: URL, byteLimit: Int = 512 << 20) throws {
        self.url = url
        self.byteLimit = byteLimit
        let handle = try ZipHandle(url)
        var entries: [Entry] = []
        var index = 0
        while let entry = try handle.nextEntry() {
            guard index < Self.entryLimit else {
                throw FormatError(url, "has more than \(Self.entryLimit) entries", advice: "is this the right file?")
            }
            let name = try Self.name(entry, url)
            try Self.check(entry, name, url, byteLimit)
            if !name.hasSuffix("/"), archive_entry_filetype(entry) != 0o040000 {
                entries.append(Entry(path: name, index: index))
            }
            index += 1
        }
        self.entries = entries
    }

    /// Opens an entry for reading.
    func open(_ entry: Entry) throws -> any ByteSource {
        let handle = try ZipHandle(url)
        for _ in 0...entry.index {
            guard try handle.nextEntry() != nil else {
                throw FormatError(url, "changed while it was read: '\(entry.path)' is gone")
            }
        }
        return try ZipEntrySource(handle, name: "'\(entry.path)'", byteLimit: byteLimit)
    }

    private static func name(_ entry: OpaquePointer, _ url: URL) throws -> String {
        let name = withUTF8Locale {
            (archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry)).map { String(cString: $0) }
        }
        guard let name else { throw FormatError(url, "has an entry whose name cannot be read") }
        return name
    }

    private static func check(_ entry: OpaquePointer, _ name: String, _ url: URL, _ byteLimit: Int) throws {
        // One line of sane length, whatever the name holds.
        let shown = "'" + String(name.prefix(100).map { $0.isNewline || $0 == "\0" ? "?" : $0 }) + "'"
        let parts = name.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }
        let isAbsolute = parts.first == "" || parts.first?.hasSuffix(":") == true
        if isAbsolute || parts.contains("..") {
            throw FormatError(
                url, at: "entry \(shown)", "leads out of the archive, which is refused",
                advice: "unpack what you trust by hand and give the folder")
        }
        let type = archive_entry_filetype(entry)
        if type == 0o120000 || archive_entry_hardlink(entry) != nil || archive_entry_symlink(entry) != nil {
            throw FormatError(url, at: "entry \(shown)", "is a link, which is refused")
        }
        guard type == 0 || type == 0o100000 || type == 0o040000 else {
            throw FormatError(url, at: "entry \(shown)", "is a special file, which is refused")
        }
        if archive_entry_is_encrypted(entry) != 0 {
            throw FormatError(url, at: "entry \(shown)", "is encrypted", advice: "unpack it and give the folder")
        }
        if archive_entry_size_is_set(entry) != 0, archive_entry_size(entry) > Int64(byteLimit) {
            throw tooLarge(url, shown, byteLimit)
        }
    }

    fileprivate static func tooLarge(_ url: URL, _ name: String, _ byteLimit: Int) -> FormatError {
        FormatError(
            url, at: "entry \(name)", "unpacks to more than \(byteLimit) bytes, which is refused",
            advice: "if it is what it should be, unpack it and give the folder")
    }
}

/// Runs `body` in a locale whose names are UTF-8: in the "C" locale libarchive loses names that are not ASCII.
private func withUTF8Locale<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) else { return try body() }
    let previous = uselocale(locale)
    defer {
        uselocale(previous)
        freelocale(locale)
    }
    return try body()
}

/// An open archive of libarchive.
private final class ZipHandle {
    let url: URL
    let archive: OpaquePointer

    init(_ url: URL) throws {
        // Tells directories, missing and unreadable files apart, as for every format.
        let size = try InputFile(url).size
        guard size > 0 else { throw FormatError(url, "is empty, expected a zip archive") }
        guard let archive = archive_read_new() else { throw FormatError(url, "cannot be read: out of memory") }
        self.url = url
        self.archive = archive
        // By the directory at the end only, so that a cut archive is not taken for a whole one.
        archive_read_support_format_zip_seekable(archive)
        guard archive_read_open_filename(archive, url.path, 1 << 16) == ARCHIVE_OK else {
            throw failure("is no whole zip archive")
        }
    }

    deinit {
        archive_read_free(archive)
    }

    func nextEntry() throws -> OpaquePointer? {
        var entry: OpaquePointer?
        let status = withUTF8Locale { archive_read_next_header(archive, &entry) }
        if status == ARCHIVE_EOF { return nil }
        guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry else { throw failure("is damaged") }
        return entry
    }

    func failure(_ problem: String, at place: String? = nil) -> FormatError {
        var detail = archive_error_string(archive).map { String(cString: $0) } ?? "no directory of entries at its end"
        if detail == "Unrecognized archive format" { detail = "no directory of entries at its end" }
        detail = String(detail.prefix(200).map { $0.isNewline ? " " : $0 })
        return FormatError(url, at: place, "\(problem) (\(detail))", advice: "copy or download it again")
    }
}

/// The bytes of one entry.
private final class ZipEntrySource: ByteSource {
    private let handle: ZipHandle
    private let name: String
    private let byteLimit: Int
    private var total = 0

    init(_ handle: ZipHandle, name: String, byteLimit: Int) throws {
        self.handle = handle
        self.name = name
        self.byteLimit = byteLimit
        // Other methods may ask for gigabytes of memory; no device or service writes them.
        let format = archive_format_name(handle.archive).map { String(cString: $0) } ?? ""
        guard format.contains("deflation") || format.contains("uncompressed") else {
            throw FormatError(
                handle.url, at: "entry \(name)", "is compressed in an unusual way (\(format))",
                advice: "unpack it and give the folder")
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let got = archive_read_data(handle.archive, buffer.baseAddress, buffer.count)
        guard got >= 0 else { throw handle.failure("is damaged", at: "entry \(name)") }
        total += got
        guard total <= byteLimit else { throw ZipArchive.tooLarge(handle.url, name, byteLimit) }
        return got
    }
}

/// The bytes of a file.
final class FileSource: ByteSource {
    private let file: InputFile
    private var place = 0

    init(_ url: URL) throws {
        file = try InputFile(url)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let got = try file.read(at: place, into: buffer)
        place += got
        return got
    }
}
