import ArgumentParser
import Foundation
import Pipeline

/// What a person changed in the beats of a recording.
struct EditOptions: ParsableArguments {
    @Option(
        help: """
            A table of beat edits: onset (s), action (add, move or delete), to (s, for moves), and kind, recording, note \
            if wanted. Default: <name>_desc-edits_beats.tsv beside the recording, if there is one; 'none' leaves it out.
            """)
    var edits: String?

    /// The table's file for a recording, or nil where there is none.
    func file(for recording: URL) -> URL? {
        switch edits {
        case "none": nil
        case let path?: URL(fileURLWithPath: path)
        case nil: BeatEditsFile.found(beside: recording)
        }
    }

    /// The edits for a recording.
    func edits(for recording: URL) throws -> BeatEdits? {
        var found = try file(for: recording).map(BeatEditsFile.read)
        found?.areForAnySource = edits != nil
        return found
    }
}
