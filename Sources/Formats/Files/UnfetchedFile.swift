import Foundation
import Signals

/// Files of data sets under version control whose content is elsewhere: git-annex, as DataLad and OpenNeuro use it, leaves a
/// link that leads nowhere, or a small file that names the content, and Git LFS such a file, until somebody fetches it.
enum UnfetchedFile {
    /// No file that names content is longer.
    static let mostBytes = 1 << 10

    /// What is wrong with a file that is not there, where it is a link; nil where it is none.
    static func error(ofLink url: URL) -> FormatError? {
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path) else { return nil }
        if target.contains("/annex/objects/") { return annexed(url) }
        return FormatError(url, "is a link to \(target), which is not there", advice: "is its disk mounted?")
    }

    /// Whether there is a file of this path, if only as a link to one that is not there.
    static func isNamed(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// What is wrong with a file that is there by its name, but whose content was not fetched; nil where it was.
    static func error(at url: URL) -> FormatError? {
        var status = stat()
        guard stat(url.path, &status) == 0 else { return error(ofLink: url) }
        // A pipe would be waited for.
        guard status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) <= mostBytes,
            let content = FileManager.default.contents(atPath: url.path)
        else { return nil }
        return error(of: url, content: [UInt8](content))
    }

    /// What is wrong with a file of these bytes, where they only name its content; nil where they are its content.
    static func error(of url: URL, content: [UInt8]) -> FormatError? {
        if content.starts(with: Array("/annex/objects/".utf8)) { return annexed(url) }
        guard content.starts(with: Array("version https://git-lfs.github.com/spec/".utf8)) else { return nil }
        return FormatError(
            url, "holds only the name of its content, which Git LFS keeps", advice: "get it: git lfs pull")
    }

    private static func annexed(_ url: URL) -> FormatError {
        FormatError(
            url, "holds only the name of its content, which git-annex keeps elsewhere",
            advice: "get it: datalad get \(ShellWord.quoted(url.relativePath))")
    }
}
