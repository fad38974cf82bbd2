import ArgumentParser
import Cohort
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

    /// The files that are read besides the recording.
    var files: [String] { edits == "none" ? [] : [edits].compactMap(\.self) }

    /// Which table is meant.
    var choice: EditChoice {
        switch edits {
        case "none": .none
        case let path?: .file(URL(fileURLWithPath: path))
        case nil: .beside
        }
    }

    /// The edits for a recording.
    func edits(for recording: URL) throws -> BeatEdits? {
        try choice.edits(for: recording)
    }
}
