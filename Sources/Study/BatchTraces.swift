public import Foundation

/// Where else the data of the people in the output of a batch lie: told by small files in its folder `.marey/batch`.
public struct BatchTraces {
    private let output: URL

    /// What the output of a batch tells.
    public init(_ output: URL) {
        self.output = output
    }

    /// Notes a folder that results were exported to, so that a person can be erased there, too.
    /// - Throws: `StudyError` when it cannot be written.
    public func noteExport(to folder: URL) throws {
        let path = folder.standardizedFileURL.path
        let known = exports
        guard !known.contains(path) else { return }
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
            try encoder.encode((known + [path]).sorted()).write(to: list, options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: list.path)
        } catch {
            throw StudyError(
                list,
                "cannot be written, so nobody could be erased from the export later: \(error.localizedDescription)",
                advice: "make \(output.relativePath) writable, or export from a copy of it")
        }
    }

    /// The folders that results were exported to, whole paths in order.
    public var exports: [String] {
        FileManager.default.contents(atPath: list.path).flatMap { try? JSONDecoder().decode([String].self, from: $0) }
            ?? []
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

    private var list: URL { output.appendingPathComponent(".marey/batch/exports.json", isDirectory: false) }
}
