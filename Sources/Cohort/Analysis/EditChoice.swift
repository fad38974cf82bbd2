import Formats
public import Foundation
public import Pipeline

/// Which table of a person's beat edits goes with a recording.
public enum EditChoice: Hashable, Sendable {
    /// The one that lies beside the recording, if there is one.
    case beside
    /// None.
    case none
    /// This file.
    case file(URL)

    /// The table's file for a recording; nil where there is none.
    public func file(for recording: URL) -> URL? {
        switch self {
        case .beside: BeatEditsFile.found(beside: recording)
        case .none: nil
        case .file(let url): url
        }
    }

    /// The edits for the one source of a recording that somebody asked for; nil where there are none.
    /// - Throws: `FormatError`, naming the line, when a row makes no sense.
    public func edits(for recording: URL) throws -> BeatEdits? {
        var found = try file(for: recording).map(BeatEditsFile.read)
        if case .file = self { found?.areForAnySource = true }
        return found
    }
}

extension EditChoice {
    /// One hash over a recording, the table of its channels and the edits to its beats.
    func hash(of recording: URL) throws -> String {
        let files = try RecordingFile.inputs(of: recording) + (file(for: recording).map { [$0] } ?? [])
        return InputHash.combined(try files.map(InputHash.init(of:)))
    }
}
