import Cohort
import Foundation
import TestSupport
import Testing

/// Where ext4 has no journal, results are written apart from what somebody deleted a moment ago.
@Suite(.enabled(if: ExtDisk.isPossible), .serialized)
struct SpreadFoldersTests {
    @Test(arguments: [false, true])
    func unfinishedResultsLieApartWithoutAJournalAndFinishedOnesAreFoldersLikeAnyOther(journal: Bool) throws {
        try ExtDisk.with(journal: journal) { folder in
            let cohort = try IntervalCohort(in: folder)
            try cohort.add("01_1_rest", 61)
            try cohort.compute()
            let root = cohort.batch.root
            let partial = try ExtDisk.attributes(of: root.appendingPathComponent(".marey/batch/partial"))
            #expect(partial.contains("T") == !journal)
            for path in ["", ".marey/batch", ".marey/batch/units", "logs", "sub-01", "sub-01/ses-1"] {
                let others = try ExtDisk.attributes(of: root.appendingPathComponent(path))
                #expect(!others.contains("T"), "\(path)")
            }
        }
    }

    @Test func otherAttributesOfTheFolderStay() throws {
        try ExtDisk.with(journal: false) { folder in
            let partial = folder.appendingPathComponent(".marey/batch/partial")
            try FileManager.default.createDirectory(at: partial, withIntermediateDirectories: true)
            // No time of access: among the few that anybody may set.
            try ExtDisk.set("A", of: partial)
            for _ in 0..<2 { try BatchFolder(folder).make(derivedFrom: "data") }
            #expect(try ExtDisk.attributes(of: partial).isSuperset(of: "AT"))
        }
    }
}
