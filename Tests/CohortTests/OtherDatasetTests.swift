import Cohort
import Foundation
import Pipeline
import TestSupport
import Testing

/// Whose results an output folder holds, when data sets move, change, or call their people alike.
struct OtherDatasetTests {
    private static let people = ["01_1_rest", "02_1_rest"]

    private static func done(in folder: URL) throws -> IntervalCohort {
        let cohort = try IntervalCohort(in: folder)
        for (number, name) in people.enumerated() { try cohort.add(name, 60 + Double(number)) }
        try cohort.compute()
        return cohort
    }

    /// A data set in another place, for the same output.
    private static func plan(_ data: URL, _ cohort: IntervalCohort) throws -> BatchPlan {
        let units = try CohortMapping(recordings: cohort.recordings).units(in: data)
        return try BatchPlan(
            units, of: data, into: cohort.batch, parameters: IntervalCohort.parameters, hasReport: false)
    }

    @Test func anotherDatasetWithTheSameLabelsIsRefused() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.done(in: folder)
            let other = folder.appendingPathComponent("other")
            try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
            for name in Self.people {
                // As long as the other's, to the byte.
                let text = try String(
                    contentsOf: cohort.data.appendingPathComponent(name + ".rr"), encoding: .utf8)
                try Data(text.replacing("9", with: "8").utf8).write(to: other.appendingPathComponent(name + ".rr"))
            }
            let error = #expect(throws: CohortError.self) { try Self.plan(other, cohort).demandSameDataset() }
            #expect(error?.problem.contains(cohort.data.path) == true)
            // That the other one is out of reach does not make it the same.
            try FileManager.default.moveItem(at: cohort.data, to: folder.appendingPathComponent("away"))
            #expect(throws: CohortError.self) { try Self.plan(other, cohort).demandSameDataset() }
        }
    }

    @Test func aDatasetThatMovedOrWasCopiedAndChangedIsTheSame() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.done(in: folder)
            let copy = folder.appendingPathComponent("copy")
            try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
            for name in Self.people {
                let data = try Data(contentsOf: cohort.data.appendingPathComponent(name + ".rr"))
                let place = copy.appendingPathComponent(name + ".rr")
                try (name.hasPrefix("01") ? data + Data("800\n".utf8) : data).write(to: place)
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: place.path)
            }
            try Self.plan(copy, cohort).demandSameDataset()
            try Self.plan(cohort.data, cohort).demandSameDataset()
        }
    }

    @Test func aDatasetThatMovedAndWhoseBeatsWereEditedIsTheSame() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.done(in: folder)
            let away = folder.appendingPathComponent("away")
            try FileManager.default.moveItem(at: cohort.data, to: away)
            for name in Self.people {
                try Data("onset\taction\n".utf8).write(
                    to: away.appendingPathComponent(name + BeatEditsFile.ending))
            }
            let plan = try Self.plan(away, cohort)
            #expect(plan.entries.allSatisfy { $0.plan.unit.files.count == 2 })
            try plan.demandSameDataset()
        }
    }

    @Test func resultsOfADatasetOutOfReachAreNoOrphans() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.done(in: folder)
            let other = folder.appendingPathComponent("other")
            try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
            try Data("800\n810\n".utf8).write(to: other.appendingPathComponent("11_1_rest.rr"))
            let mapping = CohortMapping(recordings: cohort.recordings)
            let (away, home) = (folder.appendingPathComponent("away"), cohort.data)
            try FileManager.default.moveItem(at: home, to: away)
            #expect(try cohort.batch.noteOrphans(besides: CohortDataset(other, mapping: mapping)).isEmpty)
            // It comes back under another name, without one of its recordings.
            try FileManager.default.removeItem(at: away.appendingPathComponent("02_1_rest.rr"))
            for _ in 0..<2 {
                #expect(
                    try cohort.batch.noteOrphans(besides: CohortDataset(away, mapping: mapping)) == [
                        "sub-02_ses-1_task-rest"
                    ])
                try Self.plan(away, cohort).keep(parameters: IntervalCohort.parameters)
            }
        }
    }

    @Test func resultsGoIntoNoOtherDataset() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.done(in: folder)
            let dataset = try CohortDataset(cohort.data, mapping: CohortMapping(recordings: cohort.recordings))
            let other = folder.appendingPathComponent("other")
            try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
            try dataset.demandApart(from: other)
            try Data(#"{"Name": "x", "BIDSVersion": "1.10.0"}"#.utf8).write(
                to: other.appendingPathComponent("dataset_description.json"))
            #expect(throws: CohortError.self) { try dataset.demandApart(from: other) }
            try dataset.demandApart(from: cohort.batch.root)
        }
    }
}
