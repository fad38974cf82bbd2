import Cardiac
import Cohort
import Foundation
import Pipeline
import TestSupport
import Testing

/// What the folder of a batch tells when something around it goes wrong.
struct BatchStateTests {
    private static func cohort(in folder: URL) throws -> IntervalCohort {
        let cohort = try IntervalCohort(in: folder)
        for person in 1...2 { try cohort.add("0\(person)_1_rest", 60 + Double(person)) }
        return cohort
    }

    @Test func aRecordingOutOfReachIsTriedAgainWithoutBeingAskedTo() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            let (link, target) = (
                cohort.data.appendingPathComponent("03_1_rest.rr"), folder.appendingPathComponent("far")
            )
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
            try cohort.compute()
            let failure = try #require(cohort.batch.failure("sub-03_ses-1_task-rest"))
            #expect(failure.kind == .unreadable && failure.isPassing())
            #expect(try cohort.plan().work().map(\.unit.participant) == ["03"])
            // One that is there and makes no sense is not.
            try Data("no beats\n".utf8).write(to: target)
            try cohort.compute()
            #expect(cohort.batch.failure("sub-03_ses-1_task-rest")?.isPassing() == false)
            #expect(try cohort.plan().work().isEmpty)
        }
    }

    @Test func aRecordingWhosePlanIsGoneIsLeftAloneAndTheOthersGoOn() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            let plans = try cohort.plan().work()
            let file = cohort.batch.root.appendingPathComponent(".marey/batch/units/\(plans[0].unit.stem).json")
            try FileManager.default.removeItem(at: file)
            let run = UnitRun(cohort.batch)
            #expect(try run.perform(plans[0].unit.stem) == .withdrawn)
            #expect(try run.perform(plans[1].unit.stem) == .done)
            #expect(cohort.batch.lock(plans[0].unit.stem) == nil)
        }
    }

    @Test func aDamagedPlanDropsNoRecording() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            try cohort.compute()
            let units = cohort.batch.root.appendingPathComponent(".marey/batch/units")
            try Data("{".utf8).write(to: units.appendingPathComponent("sub-01_ses-1_task-rest.json"))
            try Data("{".utf8).write(to: units.appendingPathComponent("sub-09_ses-1_task-rest.json"))
            let status = BatchStatus(cohort.batch)
            #expect(status.rows.map(\.state) == [.done, .done] && status.damaged == ["sub-09_ses-1_task-rest"])
            var told: [String] = []
            let target = folder.appendingPathComponent("bids")
            #expect(try BIDSExport(cohort.batch, to: target).write { told.append($0) } == 2)
            #expect(told.count == 1 && told[0].contains("sub-09_ses-1_task-rest (its plan is damaged)"))
            let dataset = try CohortDataset(cohort.data, mapping: CohortMapping(recordings: cohort.recordings))
            // The next run plans the first anew; of the second the data set has no recording.
            #expect(try cohort.batch.noteOrphans(besides: dataset) == ["sub-09_ses-1_task-rest"])
            let later = BatchStatus(cohort.batch)
            #expect(later.rows.map(\.state) == [.done, .done, .orphaned] && later.damaged.isEmpty)
            #expect(later.rows[2].plan.unit.participant == "09")
        }
    }

    @Test func aGroupWithOtherParametersSaysThatThereAreResultsOfThose() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            try cohort.compute()
            try cohort.add("03_1_rest", 70)
            var parameters = IntervalCohort.parameters
            parameters.hrv.step = 10
            let units = try cohort.plan().entries.map(\.plan.unit)
            let plan = try BatchPlan(units, of: cohort.data, into: cohort.batch, parameters: parameters)
            let error = #expect(throws: CohortError.self) { _ = try GroupTables(plan).write() }
            #expect(error?.problem.contains("3 of 3 recordings have no results yet") == true, "\(error as Any)")
            #expect(error?.problem.contains("2 have those of other parameters") == true, "\(error as Any)")
        }
    }

    @Test("the output folder says what it is of, in the same words as a study's results")
    func description() throws {
        try withTemporaryFolder { folder in
            try BatchFolder(folder).make(derivedFrom: "data")
            let file = folder.appendingPathComponent("dataset_description.json")
            let text = try String(contentsOf: file, encoding: .utf8)
            let expected = """
                {
                  "BIDSVersion" : "1.10.0",
                  "DatasetType" : "derivative",
                  "GeneratedBy" : [
                    {
                      "Name" : "Marey",
                      "Version" : "\(MareyVersion.current)"
                    }
                  ],
                  "Name" : "data: results"
                }

                """
            #expect(text == expected)
        }
    }

    @Test func whatOthersWantIgnoredStays() throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent(".bidsignore")
            try Data("mine/\nlogs/".utf8).write(to: file)
            for _ in 0..<2 { try BatchFolder(folder).make(derivedFrom: "data") }
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            #expect(lines.prefix(3) == ["mine/", "logs/", ".marey/"] && Set(lines).count == lines.count)
        }
    }

    @Test func pagesOfAnEarlierGroupGoWhereNoneAreWanted() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            try cohort.compute()
            let page = cohort.batch.root.appendingPathComponent("sub-01/sub-01_participant.html")
            _ = try GroupTables(cohort.plan()).write()
            #expect(FileManager.default.fileExists(atPath: page.path))
            _ = try GroupTables(cohort.plan(), hasPages: false).write()
            #expect(!FileManager.default.fileExists(atPath: page.path))
        }
    }
}
