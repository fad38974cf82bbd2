import Formats
import Foundation
public import Study

extension StudyFolder {
    /// The files of a run, relative to the study: all that its recording is made of, the table of its channels, and what lies
    /// beside it under the same name.
    public func files(of run: RunRecord) throws -> [String] {
        let url = root.appendingPathComponent(run.file)
        let folder = url.deletingLastPathComponent()
        let stem = url.lastPathComponent.split(separator: ".").first.map(String.init) ?? url.lastPathComponent
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let beside = names.filter { $0.hasPrefix(stem + ".") }.map { folder.appendingPathComponent($0) }
        let read = (try? RecordingFile.inputs(of: url)) ?? [url]
        let files = Set((read + beside).compactMap(relativePath))
        return files.filter { isPlain(root.appendingPathComponent($0)) }.sorted()
    }

    /// The files that a run's recording is made of; itself where it cannot be read.
    func recordingFiles(of run: RunRecord) -> [URL] {
        let url = root.appendingPathComponent(run.file)
        return (try? RecordingFile.files(of: url)) ?? [url]
    }

    func isPlain(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) && !isDirectory.boolValue
    }
}
