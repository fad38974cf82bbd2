import Foundation
import Study
import TestSupport
import Testing

/// One program at a time empties a study's outbox.
struct OutboxLockTests {
    @Test("who would empty an outbox meanwhile is told by whom it is emptied; it is free when that ends")
    func oneAtATime() throws {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "s", version: "1")
            try study.lockingOutbox {
                let error = #expect(throws: StudyError.self) { try study.lockingOutbox {} }
                #expect(error?.problem.contains("by process \(getpid()) on ") == true, "\(error as Any)")
            }
            let isFree = try study.lockingOutbox { true }
            #expect(isFree)
        }
    }
}
