import Foundation
import Pipeline

/// What lies at a place, compared with a file of this machine.
extension Rclone {
    /// How it was found that a place holds the same as a file, `sha256`, `sha1`, `md5` or `download`; nil when it does not.
    /// - Parameter sha256: of the file.
    /// - Throws: `UploadError.failed` when it cannot be read back.
    func sameness(of place: String, as file: URL, _ sha256: String) throws(UploadError) -> String? {
        for kind in ["sha256", "sha1", "md5"] {
            guard let there = try? hash(kind, of: place),
                let here = try kind == "sha256" ? sha256 : hash(kind, of: file.path)
            else { continue }
            return here == there ? kind : nil
        }
        return try hash("sha256", of: place, byDownload: true) == sha256 ? "download" : nil
    }

    /// Whether a place holds what arrived there earlier, or less than a file and nothing but its beginning, as an interrupted
    /// copy leaves it.
    /// - Parameters:
    ///   - earlier: the SHA-256 of what arrived; nil where nothing did.
    ///   - file: nil where no beginning will do.
    /// - Throws: `UploadError.failed` when it cannot be read back.
    func holds(_ earlier: String?, orBeginningOf file: URL?, at place: String) throws(UploadError) -> Bool {
        guard let there = try hash("sha256", of: place, byDownload: true) else { return false }
        if there == earlier { return true }
        guard let file, let count = try size(of: place) else { return false }
        return there == Self.sha256(ofFirst: count, of: file)
    }

    /// The SHA-256 of a file of this machine.
    /// - Parameter told: of how many bytes more were read.
    /// - Throws: `UploadError.failed` when it cannot be read, `UploadError.stopped` when rclone is stopped meanwhile.
    func sha256(of file: URL, told: (_ bytes: Int) -> Void = { _ in }) throws(UploadError) -> String {
        var hash = ContentHash()
        do {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
                guard !isStopped else { throw UploadError.stopped }
                piece.withUnsafeBytes { hash.add($0) }
                told(piece.count)
            }
        } catch let error as UploadError {
            throw error
        } catch {
            throw .failed("\(file.lastPathComponent) cannot be read: \(error.localizedDescription)")
        }
        return hash.hexadecimal()
    }

    /// The SHA-256 of so many bytes of a file; nil where it is shorter, or can't be read.
    private static func sha256(ofFirst count: Int, of file: URL) -> String? {
        guard let handle = try? FileHandle(forReadingFrom: file) else { return nil }
        defer { try? handle.close() }
        var hash = ContentHash()
        var left = count
        while left > 0 {
            guard let piece = try? handle.read(upToCount: min(left, 1 << 20)), !piece.isEmpty else { return nil }
            piece.withUnsafeBytes { hash.add($0) }
            left -= piece.count
        }
        return hash.hexadecimal()
    }
}
