import Formats
import Foundation

/// Keeps files that are there already.
enum OutputFiles {
    /// - Throws: when one of `files` exists and may not be replaced, or is a link to what is not there.
    static func refuseExisting(_ files: [URL], force: Bool) throws {
        for file in files { try refuseDangling(file) }
        guard !force, let existing = files.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else {
            return
        }
        throw Failure.nothingDone("\(existing.relativePath): exists already; name another file or add --force")
    }

    /// - Throws: when one of `files` belongs to the recording that is read, or is one of `others` that are read, under this
    ///   name or another.
    static func refuseInputs(_ files: [URL], of recording: URL? = nil, and others: [String] = []) throws {
        let inputs = Files(recording.map { [$0] + ((try? RecordingFile.inputs(of: $0)) ?? []) } ?? [])
        if let mine = files.first(where: inputs.contains) {
            throw Failure.misuse("\(mine.relativePath): belongs to the recording that is read; name another file")
        }
        let read = Files(others.map { URL(fileURLWithPath: $0) })
        guard let mine = files.first(where: read.contains) else { return }
        throw Failure.misuse("\(mine.relativePath): is read too; name another file")
    }

    /// - Throws: when one of `files` is there already and lies within a folder that is read as a whole.
    static func refuseWithin(_ recording: URL, _ files: [URL]) throws {
        let folder = place(recording) + "/"
        let inside = files.filter { place($0).hasPrefix(folder) && FileManager.default.fileExists(atPath: $0.path) }
        guard let mine = inside.first else { return }
        throw Failure.misuse("\(mine.relativePath): is in the folder that is read; name another file")
    }

    /// - Throws: when two of `files`, which are all written, are one.
    static func refuseTwice(_ files: [URL]) throws {
        var taken: Set<String> = []
        for file in files where !isDevice(file) && !taken.insert(place(file)).inserted {
            throw Failure.misuse(
                "\(file.relativePath): two results would be written to it; give each a file of its own")
        }
    }

    /// - Throws: when there is a JSON file at `sidecar` that does not explain a table's columns, as the one that a
    ///   recording came with.
    static func refuseForeign(_ sidecar: URL, force: Bool) throws {
        guard !force, let data = FileManager.default.contents(atPath: sidecar.path) else { return }
        let columns = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        let isTable = columns?.values.allSatisfy { ($0 as? [String: Any])?["Description"] is String } ?? false
        guard !isTable else { return }
        throw Failure.nothingDone(
            "\(sidecar.relativePath): is there already and explains no table, so the table's sidecar may not replace it; "
                + "name another output or add --force")
    }

    /// - Throws: when `file` is a link to what is not there: a file of this name would take the link's place, and the disk
    ///   that it leads to would lack it.
    static func refuseDangling(_ file: URL) throws {
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: file.path),
            access(file.path, F_OK) != 0
        else { return }
        throw Failure.misuse(
            "\(file.relativePath): is a link to \(target), which is not there; is its disk mounted? mount it, or remove the "
                + "link")
    }

    /// Whether what is written there goes to a device, a pipe or another program: no file can lie beside it.
    static func isDevice(_ file: URL) -> Bool {
        let folder = file.standardizedFileURL.deletingLastPathComponent().path
        if folder == "/dev" || folder.hasPrefix("/dev/fd") || folder.hasPrefix("/proc/") { return true }
        var status = stat()
        return stat(file.path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
    }

    /// Where a file is, or would be, without links on the way.
    static func place(_ url: URL) -> String {
        let url = url.standardizedFileURL
        guard !FileManager.default.fileExists(atPath: url.path) else { return url.resolvingSymlinksInPath().path }
        let folder = url.deletingLastPathComponent().resolvingSymlinksInPath()
        return folder.appendingPathComponent(url.lastPathComponent, isDirectory: false).path
    }

    /// Some files, known by their places and, as one may have several names, by what they are on their disk.
    private struct Files {
        private var places: Set<String> = []
        private var numbers: Set<[UInt64]> = []

        init(_ files: [URL]) {
            for file in files {
                places.insert(OutputFiles.place(file))
                if let number = Self.number(file) { numbers.insert(number) }
            }
        }

        func contains(_ file: URL) -> Bool {
            places.contains(OutputFiles.place(file)) || Self.number(file).map { numbers.contains($0) } ?? false
        }

        /// The disk and the number of a file on it; nil where there is none, and for devices, which any number may write to.
        private static func number(_ file: URL) -> [UInt64]? {
            var status = stat()
            guard stat(file.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            return [UInt64(status.st_dev), UInt64(status.st_ino)]
        }
    }
}
