public import Foundation
public import Signals

extension BIDSEvents {
    /// The table of events that applies to a recording, a file or the folder of its run; nil where there is none.
    ///
    /// Beside a recording without a BIDS name that is `<name>_events.tsv`, where `<name>_physio.tsv.gz` and
    /// `<name>_recording-<label>_physio.tsv.gz` have the name too. Else it is, as the inheritance principle says
    /// (BIDS 1.10), the nearest one in its folder or above it, up to the data set's own, whose name has no entity that
    /// the recording's has not, and of several in one folder the one with most of them; events always tell the task.
    public static func file(for recording: URL) -> URL? {
        let name = recording.lastPathComponent
        let stem = String(name.prefix { $0 != "." })
        let folder = recording.standardizedFileURL.deletingLastPathComponent()
        guard stem.hasPrefix("sub-") else {
            let signals = BIDSName(name).flatMap { BIDSPhysioReader.isOurs($0) ? $0 : nil }
            return [stem + "_events.tsv", signals?.events.text].lazy.compactMap(\.self)
                .map { folder.appendingPathComponent($0, isDirectory: false) }
                .first { FileManager.default.fileExists(atPath: $0.path) }
        }
        let entities = Set(stem.split(separator: "_").filter { $0.contains("-") }.map(String.init))
        let task = entities.first { $0.hasPrefix("task-") }
        return BIDSSidecar.folders(of: recording).lazy.compactMap { nearest(in: $0, entities, task) }.first
    }

    private static func nearest(in folder: URL, _ entities: Set<String>, _ task: String?) -> URL? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let fitting = names.lazy.filter { $0.hasSuffix("events.tsv") }.compactMap(BIDSName.init).filter { other in
            other.suffix == "events" && other.ending == ".tsv" && other.entities.allSatisfy(entities.contains)
                && (task.map(other.entities.contains) ?? true)
        }
        return fitting.max { ($0.entities.count, $0.text) < ($1.entities.count, $1.text) }.map {
            folder.appendingPathComponent($0.text, isDirectory: false)
        }
    }

    /// When the run begins that events are told of, in seconds from the time 0 of a recording of it: above 0 for
    /// `…_physio.tsv.gz` that began before its run (BIDS 1.10, `StartTime`).
    /// - Throws: `FormatError` when the recording's sidecar cannot be read.
    public static func runStart(in recording: URL) throws -> Seconds {
        try BIDSPhysioReader.runStart(in: recording) ?? 0
    }
}
