public import Foundation
import Signals

extension BIDSEvents {
    /// The table of events that applies to a recording, a file or the folder of its run; nil where there is none.
    ///
    /// Beside a recording without a BIDS name that is `<name>_events.tsv`, where `<name>_physio.tsv.gz` and
    /// `<name>_recording-<label>_physio.tsv.gz` have the name too. Else it is, as the inheritance principle says
    /// (BIDS 1.10), the nearest one in its folder or above it, up to the data set's own, whose name has no entity that
    /// the recording's has not, and of several in one folder the one with most of them; events always tell the task.
    ///
    /// An unedited copy of the recording's own markers does not apply: the recording has them.
    public static func file(for recording: URL) -> URL? {
        table(for: recording).flatMap { isCopy($0) ? nil : $0 }
    }

    private static func table(for recording: URL) -> URL? {
        let recording = NamelessFile.content(at: recording.path) ?? recording
        if let entities = BIDSInheritance.entities(of: recording) {
            return BIDSInheritance.files("events.tsv", for: recording, entities: entities, demanding: "task-")
                .first { _ in true }
        }
        let name = recording.lastPathComponent
        let folder = recording.standardizedFileURL.deletingLastPathComponent()
        let signals = BIDSName(name).flatMap { BIDSPhysioReader.isOurs($0) ? $0 : nil }
        return [name.prefix { $0 != "." } + "_events.tsv", signals?.events.text].lazy.compactMap(\.self)
            .first { BIDSInheritance.isThere($0, in: folder) }
            .map { folder.appendingPathComponent($0, isDirectory: false) }
    }
}
