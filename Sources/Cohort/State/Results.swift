import Formats
import Foundation
import Pipeline

extension BatchFolder {
    /// The content of a result, as it was computed.
    /// - Throws: `CohortError` when the file may not be read, or is not what was computed. The recordings whose results
    ///   are not are then no longer done, so that the participant level computes them again.
    func content(of output: DoneMarker.Output, _ marker: DoneMarker) throws -> [UInt8] {
        let url = root.appendingPathComponent(output.path, isDirectory: false)
        let bytes = (try? InputFile(url).read(at: 0, count: output.bytes + 1)) ?? []
        if bytes.count == output.bytes, InputHash.sha256(of: bytes) == output.sha256 { return bytes }
        if let refusal = Self.refusal(url) { throw refusal }
        let altered = stems().filter { self.marker($0).map(isAltered) == true }
        for stem in altered { unlink(doneFile(stem).path) }
        throw CohortError(
            url, "is not what was computed",
            advice: "run the participant level again: it computes \(Listing.text(altered)) once more")
    }

    /// Whether some of the results are not what was computed, as far as they may be read.
    private func isAltered(_ marker: DoneMarker) -> Bool {
        marker.isPassing
            || UpToDate.changes(of: marker.outputs, in: root).contains { cause in
                cause.file.map { Self.refusal(root.appendingPathComponent($0, isDirectory: false)) == nil } ?? true
            }
    }
}
