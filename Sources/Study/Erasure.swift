import Foundation

/// What the erasure of a person took away, for whoever asks for a proof. It names files and numbers, no content.
public struct ErasureReceipt: Hashable, Codable, Sendable {
    /// The participant's label.
    public var participant: String
    /// The files that are gone, relative to the study.
    public var files: [String] = []
    /// Their bytes in all.
    public var bytes = 0
    /// Rows taken out of tables that list participants, by table.
    public var tableRows: [String: Int] = [:]
    /// Rows taken out of the bookkeeping, by table.
    public var bookkeepingRows: [String: Int] = [:]
    /// Copies that were sent elsewhere and are not reached from here: where each lies.
    public var copiesElsewhere: [String] = []
}

extension StudyFolder {
    /// All files that hold data of a participant: those named after it, those in folders named after it, and tables
    /// over the whole group, which have to be made anew.
    public func files(of participant: String) -> [String] {
        let name = "sub-\(participant)"
        var found: [String] = []
        let paths = FileManager.default.enumerator(atPath: root.path)
        while let path = paths?.nextObject() as? String {
            let parts = path.split(separator: "/")
            let isOwn = parts.contains { part in
                part == name || part.hasPrefix(name + "_") || part.hasPrefix(name + ".")
                    || part.hasPrefix(".\(name)_") || part.hasPrefix(".\(name).")
            }
            let isGroup = parts.count > 3 && parts[0] == "derivatives" && parts[2] == "group"
            guard isOwn || isGroup, Self.isFile(root.appendingPathComponent(path)) else { continue }
            found.append(path)
        }
        return found.sorted()
    }

    /// Removes a participant from raw data, results, models, logs, outbox and bookkeeping, and from tables that list
    /// participants. Files are overwritten before they are deleted; on disks that write elsewhere (SSD, snapshots,
    /// backups) older blocks may live on.
    /// - Throws: `StudyError` when the study has no such participant, or something could not be removed.
    public func erase(_ participant: String) throws -> ErasureReceipt {
        let bookkeeping = try Bookkeeping(self)
        let files = files(of: participant)
        let isListed = try bookkeeping.participants().contains(participant)
        guard isListed || files.contains(where: { $0.contains("sub-\(participant)") }) else {
            throw StudyError(root, "has no participant \(participant)")
        }
        var receipt = ErasureReceipt(participant: participant)
        receipt.copiesElsewhere = try bookkeeping.copiesElsewhere(of: participant)
        for file in files {
            receipt.bytes += try Self.overwriteAndDelete(root.appendingPathComponent(file))
            receipt.files.append(file)
        }
        removeEmptyFolders(of: participant)
        receipt.tableRows = try removeRows(of: participant)
        receipt.bookkeepingRows = try bookkeeping.erase(participant)
        return receipt
    }

    private static func isFile(_ url: URL) -> Bool {
        var status = stat()
        return lstat(url.path, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
    }

    private static func overwriteAndDelete(_ url: URL) throws -> Int {
        var status = stat()
        guard lstat(url.path, &status) == 0 else { return 0 }
        var length = 0
        // A link is removed, not what it points to; of a file with several names the content is shared.
        if status.st_mode & S_IFMT == S_IFREG {
            length = Int(status.st_size)
            chmod(url.path, 0o600)
            let descriptor = open(url.path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
            if descriptor >= 0 {
                defer { close(descriptor) }
                let zeros = [UInt8](repeating: 0, count: 1 << 16)
                var left = length
                while left > 0 {
                    let count = write(descriptor, zeros, min(left, zeros.count))
                    guard count > 0 else { break }
                    left -= count
                }
                fsync(descriptor)
            }
        }
        guard unlink(url.path) == 0 else {
            throw StudyError(url, "cannot be deleted: \(String(cString: strerror(errno)))")
        }
        return length
    }

    /// Folders named after the participant, innermost first.
    private func removeEmptyFolders(of participant: String) {
        let paths = FileManager.default.enumerator(atPath: root.path)
        var folders: [String] = []
        while let path = paths?.nextObject() as? String {
            let parts = path.split(separator: "/")
            if parts.contains(where: { $0 == "sub-\(participant)" || $0.hasPrefix("sub-\(participant)_") }) {
                folders.append(path)
            }
        }
        for folder in folders.sorted(by: { $0.count > $1.count }) { rmdir(root.appendingPathComponent(folder).path) }
    }

    /// Takes the participant's rows out of `participants.tsv` and of phenotype tables (BIDS 1.10, "Phenotypic and
    /// assessment data").
    private func removeRows(of participant: String) throws -> [String: Int] {
        var removed: [String: Int] = [:]
        let phenotypes = (try? FileManager.default.contentsOfDirectory(atPath: root.path + "/phenotype")) ?? []
        for path in ["participants.tsv"] + phenotypes.filter({ $0.hasSuffix(".tsv") }).map({ "phenotype/" + $0 }) {
            let url = root.appendingPathComponent(path)
            guard let text = try? String(contentsOf: url, encoding: .utf8) else { continue }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let name = "sub-\(participant)"
            let kept = lines.filter { !($0 == name || $0.hasPrefix(name + "\t") || $0 == name + "\r") }
            guard kept.count < lines.count else { continue }
            removed[path] = lines.count - kept.count
            _ = try Self.overwriteAndDelete(url)
            try Data(kept.joined(separator: "\n").utf8).write(to: url, options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
        }
        return removed
    }
}
