public import Foundation
public import Study

/// Places as they are meant.
extension Rclone {
    /// A place as it is meant everywhere: one on this machine with its whole path, one of another storage as it is.
    /// - Parameter folder: where paths begin that do not begin at the root.
    /// - Throws: `UploadError.secret` where it is a connection string (rclone.org/docs, "Connection strings") that holds
    ///   a password or a key, also within a header or a URL: a study keeps the places its files go to.
    ///   `UploadError.nowhere` where it is empty.
    public static func place(
        _ text: String, in folder: String = FileManager.default.currentDirectoryPath
    ) throws(UploadError) -> String {
        // This machine may be named as a storage, too.
        let named = onThisMachine(text)
        let path = named?.path ?? text
        guard !path.allSatisfy(\.isWhitespace) else { throw .nowhere }
        let beginning = path.prefix { $0 != "/" }
        guard named != nil || !beginning.contains(":") && ConnectionString(text) == nil else {
            if let name = ConnectionString.secret(in: text) { throw .secret(name) }
            return text
        }
        let whole = URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: folder, isDirectory: true))
            .standardizedFileURL.path
        // Parameters are rclone's; without any the path says it all.
        guard let storage = named?.storage, storage != ":local:" else { return whole }
        if let name = ConnectionString.secret(in: storage) { throw .secret(name) }
        return storage + whole
    }

    /// A place as people may read it who are not to know how it is reached: another storage without its parameters, which
    /// name hosts and users.
    public static func bare(_ place: String) -> String { ConnectionString(place)?.bare ?? place }

    /// This machine named as a storage, `:local:` or `:local,name=value,name='value':`, and the path on it; nil for
    /// another storage and for a path alone.
    private static func onThisMachine(_ text: String) -> (storage: String, path: String)? {
        // A value within quotation marks may hold colons and commas; a mark of its own is doubled.
        let name = /:local(?:,[^=,:]*(?:=(?:'(?:[^']|'')*'|"(?:[^"]|"")*"|[^'",:][^,:]*)?)?)*:/
        guard let end = text.prefixMatch(of: name)?.range.upperBound else { return nil }
        return (String(text[..<end]), String(text[end...]))
    }

    /// Makes sure that a place, as `place` gives it, is not within a study whose files are to go there.
    /// - Throws: `UploadError.within` where it is, also where a symbolic link leads there.
    public static func demandPlace(_ place: String, outside study: StudyFolder) throws(UploadError) {
        let path = onThisMachine(place)?.path ?? place
        guard path.hasPrefix("/") else { return }
        let root = resolved(study.root.standardizedFileURL.path)
        guard (resolved(path) + "/").hasPrefix(root + "/") else { return }
        throw .within(place)
    }

    /// A whole path with its symbolic links resolved, as far as it exists.
    private static func resolved(_ path: String) -> String {
        if let real = realpath(path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent().path
        guard folder != path else { return path }
        return resolved(folder) + "/" + url.lastPathComponent
    }
}
