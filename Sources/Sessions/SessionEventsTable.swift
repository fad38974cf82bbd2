import Decoding
import Formats
public import Foundation
import Pipeline
public import Signals
import Study

/// The table of a session's events: tags and device markers, `…_events.tsv`.
public enum SessionEventsTable {
    /// Writes the table next to a recording outside studies. A session without events has no table.
    /// - Returns: the table; nil where nothing was written.
    /// - Throws: `FormatError` when it cannot be written, or another table has that path.
    @discardableResult
    public static func write(_ markers: [Marker], beside recording: URL) throws -> URL? {
        guard !markers.isEmpty else { return nil }
        let table = BIDSEvents.copy(of: recording)
        try BIDSEvents.writeCopy(markers, isCode: \.isOfCalibration, to: table)
        return table
    }
}

extension SessionTarget {
    /// Writes the table of the session's events where no analysis wrote it: next to a recording outside studies, or among the run's
    /// results.
    func writeEvents(_ markers: [Marker]) throws {
        guard !markers.isEmpty else { return }
        guard let study, let name else {
            try SessionEventsTable.write(markers, beside: file)
            return
        }
        let results = ResultFolder(study.derivatives.appendingPathComponent(name.folder), stem: name.stem)
        guard !FileManager.default.fileExists(atPath: results.events.path) else { return }
        try study.writingResults {
            // A participant who was erased since the recording was closed must not come back.
            guard FileManager.default.fileExists(atPath: file.path) else { return }
            _ = try results.write(events: markers)
        }
    }
}
