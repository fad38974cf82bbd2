import Formats
import Foundation

/// Keeps files that are there already.
enum OutputFiles {
    /// - Throws: when one of `files` exists and may not be replaced.
    static func refuseExisting(_ files: [URL], force: Bool) throws {
        guard !force, let existing = files.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else {
            return
        }
        throw Failure.nothingDone("\(existing.relativePath): exists already; name another file or add --force")
    }

    /// - Throws: when one of `files` belongs to the recording that is read, or is one of `others` that are read.
    static func refuseInputs(_ files: [URL], of recording: URL? = nil, and others: [String] = []) throws {
        let inputs = Set(recording.map { [$0] + ((try? RecordingFile.inputs(of: $0)) ?? []) }?.map(place) ?? [])
        if let mine = files.first(where: { inputs.contains(place($0)) }) {
            throw Failure.misuse("\(mine.relativePath): belongs to the recording that is read; name another file")
        }
        let read = Set(others.map { place(URL(fileURLWithPath: $0)) })
        guard let mine = files.first(where: { read.contains(place($0)) }) else { return }
        throw Failure.misuse("\(mine.relativePath): is read too; name another file")
    }

    /// - Throws: when one of `files` is there already and lies within a folder that is read as a whole.
    static func refuseWithin(_ recording: URL, _ files: [URL]) throws {
        let folder = place(recording) + "/"
        let inside = files.filter { place($0).hasPrefix(folder) && FileManager.default.fileExists(atPath: $0.path) }
        guard let mine = inside.first else { return }
        throw Failure.misuse("\(mine.relativePath): is in the folder that is read; name another file")
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

    private static func place(_ url: URL) -> String { url.standardizedFileURL.resolvingSymlinksInPath().path }
}
