import Formats
import Foundation
import Signals

extension StudyFolder {
    /// What lies under the names of a run in its folder, relative to the study: recordings, or folders of those of
    /// several files.
    public func recordings(named name: RunName) -> [String] {
        let folder = sourcedata.appendingPathComponent(name.folder)
        return entries(of: folder).filter { RunName(fileName: $0) == name }
            .filter { isRecording(folder.appendingPathComponent($0)) }.map { "sourcedata/\(name.folder)/\($0)" }
    }

    /// Refuses labels that another recording has, whatever its format.
    /// - Parameter file: the recording that is to have them, relative to the study.
    /// - Throws: `StudyError` that names the other one.
    public func demandFree(_ name: RunName, for file: String) throws {
        let noted = try Bookkeeping(self).runs().first { $0.name == name && $0.file != file }?.file
        let beside = recordings(named: name).first { $0 != file && !file.hasPrefix($0 + "/") }
        if let other = noted ?? beside { throw StudyError.taken(name, by: other) }
    }

    /// Recordings in their place that the bookkeeping does not know, so that no verb would see them.
    func unnotedFindings(_ runs: [RunRecord]) -> [StudyFinding] {
        var names: Set<RunName> = []
        for person in subfolders(of: sourcedata, "sub-") {
            for folder in [person] + subfolders(of: person, "ses-") {
                let found = entries(of: folder).compactMap { RunName(fileName: $0) }
                names.formUnion(found.filter { relativePath(of: folder) == "sourcedata/\($0.folder)" })
            }
        }
        return names.subtracting(runs.map(\.name)).sorted { $0.stem < $1.stem }.flatMap { name in
            recordings(named: name).map { entry in
                let file = readable(entry)
                let labels = [
                    "--subject \(name.subject)", name.session.map { "--session \($0)" },
                    name.task.map { "--task \($0)" }, name.run.map { "--run \($0)" },
                ]
                let study = root.relativePath
                let words = ([study, "\(study)/\(file)"].map(ShellWord.quoted) + labels.compactMap(\.self))
                return StudyFinding(
                    severity: .warning, path: file,
                    problem: "is not noted as a run, so that no other verb sees it; note it with: "
                        + "marey study add \(words.joined(separator: " "))")
            }
        }
    }

    /// The recording that a folder holds, by the file or folder that it is opened with; else the entry itself.
    private func readable(_ entry: String) -> String {
        let url = root.appendingPathComponent(entry)
        guard ErasedFile.isFolder(url) else { return entry }
        let opened = entries(of: url).first {
            ((try? RecordingFile.files(of: url.appendingPathComponent($0)).count) ?? 0) > 1
        }
        return opened.map { entry + "/" + $0 } ?? entry
    }

    /// Whether it may be a recording, and not what lies beside one: a sidecar, events, edits, a log, a torn original.
    private func isRecording(_ url: URL) -> Bool {
        let beside = [".json", "_events.tsv", "_channels.tsv", "_beats.tsv", ".torn"]
        return ErasedFile.isFolder(url)
            || !beside.contains(where: url.lastPathComponent.hasSuffix) && (try? RecordingFile.format(of: url)) != nil
    }

    /// What lies in a folder, hidden files aside, in order.
    private func entries(of folder: URL) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }

    private func subfolders(of folder: URL, _ prefix: String) -> [URL] {
        entries(of: folder).filter { $0.hasPrefix(prefix) }.map { folder.appendingPathComponent($0) }
            .filter(ErasedFile.isFolder)
    }
}
