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

    /// - Throws: when one of `files` belongs to the recording that is read.
    static func refuseInputs(_ files: [URL], of recording: URL) throws {
        let inputs = Set(([recording] + ((try? RecordingFile.files(of: recording)) ?? [])).map(place))
        guard let mine = files.first(where: { inputs.contains(place($0)) }) else { return }
        throw Failure.misuse("\(mine.relativePath): belongs to the recording that is read; name another file")
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
