import Foundation

/// A temporary file that has no name in its folder: the system frees it when the last of its users closes it, or ends,
/// in whatever way.
///
/// It was made and its name taken away before anything was in it. `InputFile` finds it by a place in no folder there is,
/// and only where `whileOpenable` lets it.
final class NamelessFile {
    /// Where `InputFile` finds it: a folder that does not exist, and a name whose extension readers may look at.
    let url: URL
    private let descriptor: CInt
    private let folder: URL
    private let content: URL

    @TaskLocal private static var openable: (path: String, descriptor: CInt, content: URL)?

    /// An empty file.
    /// - Parameters:
    ///   - folder: the folder whose disk it lies on.
    ///   - name: what readers take it to be called.
    ///   - content: the user's file that its content comes from, which errors name.
    /// - Throws: `FormatError` when nothing can be made there.
    init(in folder: URL, named name: String, for content: URL) throws {
        var template = Array(folder.appendingPathComponent("marey-XXXXXX", isDirectory: false).path.utf8CString)
        // Only its owner may read it, by what mkstemp does.
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            throw FormatError(
                content, "cannot be unpacked to \(folder.path): \(String(cString: strerror(errno)))",
                advice: Self.otherPlace)
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.descriptor = descriptor
        self.folder = folder
        self.content = content
        url = folder.appendingPathComponent("marey-\(UUID().uuidString)", isDirectory: true)
            .appendingPathComponent(name, isDirectory: false)
        guard unlink(template) == 0 else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw FormatError(
                content, "cannot be unpacked to \(folder.path): a file there cannot be deleted (\(reason))",
                advice: Self.otherPlace)
        }
    }

    deinit {
        close(descriptor)
    }

    private static let otherPlace = "name a folder with room for it in the variable TMPDIR (marey batch: -w FOLDER)"

    /// Adds bytes at the end.
    /// - Throws: `FormatError` when the disk refuses them.
    func append(_ bytes: UnsafeRawBufferPointer) throws {
        var written = 0
        while written < bytes.count {
            guard let base = bytes.baseAddress else { break }
            let count = write(descriptor, base + written, bytes.count - written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw FormatError(
                    content, "cannot be unpacked to \(folder.path): \(String(cString: strerror(errno)))",
                    advice: Self.otherPlace)
            }
            written += count
        }
    }

    /// Lets `body` open the file at `url`.
    func whileOpenable<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$openable.withValue((url.path, descriptor, content), operation: body)
    }

    /// Whether a file can be opened at `path`.
    static func isOpenable(_ path: String) -> Bool { openable?.path == path }

    /// The user's file that the content of the file at `path` comes from; nil where that is none of these.
    static func content(at path: String) -> URL? {
        openable.flatMap { $0.path == path ? $0.content : nil }
    }

    /// A descriptor of its own to the file that can be opened at `path`; nil where there is none, negative where the
    /// system refuses one.
    static func descriptor(at path: String) -> CInt? {
        guard let openable, openable.path == path else { return nil }
        return fcntl(openable.descriptor, F_DUPFD_CLOEXEC, 0)
    }
}
