public import Foundation

/// A file as it looks from outside: enough to tell, without reading it, that it has not changed.
public struct FileStamp: Hashable, Codable, Sendable {
    /// Its path relative to the folder that is meant.
    public var path: String
    /// Its length in bytes.
    public var bytes: Int
    /// When it was last changed, nanoseconds since 1970; as far as there are numbers for it, which is the year 2262.
    public var modified: Int

    /// The stamp of the file `path` below `folder`; nil when there is no such file.
    public init?(_ path: String, in folder: URL) { self.init(path, below: folder.path) }

    /// The same for a folder whose path is at hand, as for many files of one.
    init?(_ path: String, below folder: String) {
        var status = stat()
        guard stat(folder + "/" + path, &status) == 0 else { return nil }
        self.path = path
        bytes = Int(status.st_size)
        let (seconds, isBeyond) = status.st_mtim.tv_sec.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isPast) = seconds.addingReportingOverflow(status.st_mtim.tv_nsec)
        modified = isBeyond || isPast ? (status.st_mtim.tv_sec > 0 ? .max : .min) : sum
    }
}
