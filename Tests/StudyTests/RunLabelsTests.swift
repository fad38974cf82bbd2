import Foundation
import Signals
import Study
import TestSupport
import Testing

struct RunLabelsTests {
    private let now = Timestamp(secondsSince1970: 1_700_000_000)

    @Test func twoRecordingsDoNotShareLabels() throws {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(at: folder.appendingPathComponent("s"), name: "s", version: "1")
            let bookkeeping = try Bookkeeping(study)
            let names = [
                RunName(subject: "01"), RunName(subject: "01", task: "rest"), RunName(subject: "01", session: "1"),
                RunName(subject: "01", task: "rest", run: 1),
            ].compactMap(\.self)
            for name in names {
                try bookkeeping.noteRun(
                    name, file: "sourcedata/\(name.stem).xdf", sha256: nil, status: .finished, at: now)
            }
            for name in names {
                #expect {
                    try bookkeeping.noteRun(
                        name, file: "sourcedata/\(name.stem).edf", sha256: nil, status: .finished, at: now)
                } throws: {
                    let error = $0 as? StudyError
                    return error?.path == "sourcedata/\(name.stem).xdf" && error?.advice?.contains("--run") == true
                }
            }
            #expect(try bookkeeping.runs().count == names.count)
        }
    }
}
