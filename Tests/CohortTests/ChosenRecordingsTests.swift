import Cohort
import Foundation
import TestSupport
import Testing

/// What is said of results that the group's tables are without.
struct ChosenRecordingsTests {
    @Test func tablesOverChosenRecordingsAloneSayHowManyOthersAreFinished() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            for person in 1...4 { try cohort.add("0\(person)_1_rest", 60 + Double(person)) }
            #expect(try cohort.compute().isEmpty)
            let units = try CohortMapping(recordings: cohort.recordings).units(in: cohort.data)
                .filter { $0.participant == "01" }
            let plan = try BatchPlan(
                units, of: cohort.data, into: cohort.batch, parameters: IntervalCohort.parameters, hasReport: false)
            var warnings: [String] = []
            _ = try GroupTables(plan, hasPages: false).write(warn: { warnings.append($0) })
            #expect(warnings.count == 1 && warnings[0].contains("3 other finished recordings are not"), "\(warnings)")
            #expect(warnings[0].contains("sub-02_ses-1_task-rest"))
            #expect(try cohort.gather().isEmpty)
        }
    }

    @Test func peopleWhoAreStillThereAreNotToBeErasedForRecordingsThatAreGone() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            let gone = ["01_2_rest", "01_1_work", "02_1_rest"]
            for name in ["01_1_rest", "03_1_rest"] + gone { try cohort.add(name, 60) }
            try cohort.compute()
            for name in gone {
                try FileManager.default.removeItem(at: cohort.data.appendingPathComponent(name + ".rr"))
            }
            let rest = try CohortDataset(cohort.data, mapping: CohortMapping(recordings: cohort.recordings))
            let stems = try cohort.batch.noteOrphans(besides: rest)
            let orphans = OrphanedResults(stems, in: cohort.batch, besides: rest)
            #expect(orphans.stems == stems && stems.count == 3)
            #expect(orphans.people == ["02"])
            #expect(orphans.paths == ["sub-01/ses-1/sub-01_ses-1_task-work_*", "sub-01/ses-2"])
            let advice = orphans.advice("results")
            #expect(
                advice.contains("marey study erase results 02") && !advice.contains("erase results 01"), "\(advice)")
            // What was deleted is not told again.
            let left = cohort.batch.root.appendingPathComponent("sub-01/ses-2")
            try FileManager.default.removeItem(at: left)
            #expect(OrphanedResults(stems, in: cohort.batch, besides: rest).stems.count == 2)
        }
    }
}
