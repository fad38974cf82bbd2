import Formats
import Foundation

extension ResultFolder {
    /// Writes the provenance of results that are all there now, and removes what an earlier analysis left that is not
    /// among them: tables of another recording or of other parameters must not stand beside this provenance.
    ///
    /// Only what the earlier provenance of these results names is removed; files of other origin stay.
    /// - Parameter files: the files of the results, by their places in the folder.
    /// - Throws: `FormatError` when a file cannot be removed or written.
    public func conclude(_ provenance: Provenance, files: [String]) throws {
        for name in Set(earlierFiles()).subtracting(files) { try remove(name) }
        var provenance = provenance
        provenance.outputs = files.sorted()
        try writeAtomically(provenance.json(), to: self.provenance)
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
            throw FormatError(url, "is of an earlier analysis and cannot be removed: \(error.localizedDescription)")
        }
        let parent = url.deletingLastPathComponent()
        guard name.contains("/"), (try? files.contentsOfDirectory(atPath: parent.path))?.isEmpty == true else { return }
        try? files.removeItem(at: parent)
    }
}
