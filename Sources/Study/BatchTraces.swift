public import Foundation

/// Where else the data of the people in the output of a batch lie: told by small files in its folder `.marey/batch`.
public struct BatchTraces: Sendable {
    private let output: URL

    /// What the output of a batch tells.
    public init(_ output: URL) {
        self.output = output
    }

    /// Notes a folder that results were exported to, so that a person can be erased there, too.
    /// - Throws: `StudyError` when it cannot be written.
    public func noteExport(to folder: URL) throws {
        guard !isExport(folder) else { return }
        let path = folder.standardizedFileURL.path
        let file = notes.appendingPathComponent(StudyFolder.noteName(of: path), isDirectory: false)
        do {
            try FileManager.default.createDirectory(
                at: notes, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            // One each: exports that are made at the same time do not lose one another's.
            try StudyFolder.write(Data(path.utf8), to: file)
        } catch {
            throw StudyError(
                file, "cannot be written, so nobody could be erased from the export later: \(Self.words(error))",
                advice: "make \(output.relativePath) writable, or export from a copy of it")
        }
    }

    /// Whether results were exported to a folder, as far as is noted.
    public func isExport(_ folder: URL) -> Bool { exports.contains(folder.standardizedFileURL.path) }

    /// The folders that results were exported to, whole paths in order.
    public var exports: [String] { Set(noted.compactMap(\.path) + (listed ?? [])).sorted() }

    /// What should name exports and cannot be read, by its whole path: people may be left in these.
    var problems: [String: String] {
        let text = "cannot be read, so exports that it names are not looked at: look for them by hand"
        var problems = Dictionary(uniqueKeysWithValues: noted.filter { $0.path == nil }.map { ($0.file.path, text) })
        if listed == nil { problems[list.path] = text }
        return problems
    }

    private var noted: [(file: URL, path: String?)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: notes.path)) ?? []
        return names.filter { !$0.hasPrefix(".") && $0.hasSuffix(".path") }.sorted().map { name in
            let file = notes.appendingPathComponent(name, isDirectory: false)
            let text = FileManager.default.contents(atPath: file.path).map { String(decoding: $0, as: UTF8.self) }
            return (file, text.flatMap { $0.hasPrefix("/") ? $0 : nil })
        }
    }

    /// What earlier versions noted, in one file; nil where it cannot be read.
    private var listed: [String]? {
        guard ErasedFile.isThere(list) else { return [] }
        return FileManager.default.contents(atPath: list.path).flatMap {
            try? JSONDecoder().decode([String].self, from: $0)
        }
    }

    private static func words(_ error: any Error) -> String {
        (error as? StudyError)?.problem ?? error.localizedDescription
    }

    /// The data sets, whole paths in order, that the person's recordings are in, by the plans of the batch.
    func datasets(of participant: String) -> [String] {
        struct Plan: Decodable {
            struct Unit: Decodable { var participant: String }
            var dataset: String
            var unit: Unit
        }
        let folder = output.appendingPathComponent(".marey/batch/units")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let plans = names.filter { $0.hasPrefix("sub-" + participant) && $0.hasSuffix(".json") }.compactMap { name in
            FileManager.default.contents(atPath: folder.appendingPathComponent(name).path).flatMap {
                try? JSONDecoder().decode(Plan.self, from: $0)
            }
        }
        return Set(plans.filter { $0.unit.participant == participant }.map(\.dataset)).sorted()
    }

    private var notes: URL { output.appendingPathComponent(".marey/batch/exports", isDirectory: true) }

    private var list: URL { output.appendingPathComponent(".marey/batch/exports.json", isDirectory: false) }
}
