import Cohort
import Foundation
import TestSupport
import Testing

/// Which table of beat edits is taken for a recording.
struct EditChoiceTests {
    @Test func whatLiesBesideTheRecordingIsTakenUnlessAnotherFileOrNoneIsChosen() throws {
        try withTemporaryFolder { folder in
            let recording = folder.appendingPathComponent("a.edf")
            let beside = folder.appendingPathComponent("a_desc-edits_beats.tsv")
            #expect(EditChoice.beside.file(for: recording) == nil)
            try Data("onset\taction\n".utf8).write(to: beside)
            #expect(EditChoice.beside.file(for: recording)?.lastPathComponent == "a_desc-edits_beats.tsv")
            #expect(EditChoice.none.file(for: recording) == nil)
            let other = folder.appendingPathComponent("other.tsv")
            #expect(EditChoice.file(other).file(for: recording) == other)
        }
    }
}
