import Formats
import Foundation

extension ResultFolder {
    /// Puts the results of an analysis, with the provenance that names them, in the place of those of an earlier one, as a
    /// whole: where something cannot be written, the earlier ones are there as they were. What the earlier one left that is
    /// not among them is removed: tables of another recording or of other parameters must not stand beside this provenance.
    ///
    /// Only what the earlier provenance of these results names is removed; files of other origin stay.
    /// - Parameter body: writes the results; returns those that the provenance names, by their places in the folder.
    /// - Throws: what `body` throws; `FormatError` when a file cannot be removed or written.
    public func replace(_ provenance: Provenance, writing body: () throws -> [String]) throws {
        let (earlier, wasThere) = (earlierFiles(), FileManager.default.fileExists(atPath: folder.path))
        do {
            let files = try AtomicFile.allOrNone { () throws -> [String] in
                let files = try body()
                var provenance = provenance
                provenance.outputs = files.sorted()
                try writeAtomically(provenance.json(), to: self.provenance)
                return files
            }
            for name in Set(earlier).subtracting(files) { try remove(name) }
        } catch {
            if !wasThere { removeEmptyFolder() }
            throw error
        }
    }

    /// Takes away the folder of a run that failed, and those in it; only what is empty goes.
    private func removeEmptyFolder() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
            rmdir(folder.appendingPathComponent(name).path)
        }
        rmdir(folder.path)
    }

    /// What an earlier provenance says that it belongs to.
    private func earlierFiles() -> [String] {
        struct Earlier: Decodable {
            var software: String
            var outputs: [String]?
        }
        guard let data = FileManager.default.contents(atPath: provenance.path),
            let earlier = try? JSONDecoder().decode(Earlier.self, from: data), earlier.software == "Marey"
        else { return [] }
        // Somebody may have edited it: nothing outside the folder is ever meant.
        return earlier.outputs?.filter { $0.hasPrefix(stem) && !$0.split(separator: "/").contains("..") } ?? []
    }

    private func remove(_ name: String) throws {
        let (url, files) = (folder.appendingPathComponent(name), FileManager.default)
        guard files.fileExists(atPath: url.path) else { return }
        do { try files.removeItem(at: url) } catch {
            throw FormatError(url, "is of an earlier analysis and cannot be removed: \(SystemReason.text(error))")
        }
        let parent = url.deletingLastPathComponent()
        guard name.contains("/"), (try? files.contentsOfDirectory(atPath: parent.path))?.isEmpty == true else { return }
        try? files.removeItem(at: parent)
    }
}
