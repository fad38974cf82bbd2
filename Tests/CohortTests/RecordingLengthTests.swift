import Cohort
import Foundation
import Pipeline
import TestSupport
import Testing

/// The length of recordings whose quality was not judged.
struct RecordingLengthTests {
    @Test func recordingsThatEndEarlyStandApartAlsoWithoutTablesOfQuality() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            // The sixth lacks seconds, but with them a whole window of 30 s; the seventh most of its time.
            for (place, beats) in [125, 125, 126, 125, 127, 110, 35].enumerated() {
                let intervals = (0..<beats).map { $0.isMultiple(of: 2) ? "1012" : "988" }
                try cohort.write(intervals.joined(separator: "\n") + "\n", to: "0\(place + 1)_1_rest.rr")
            }
            var parameters = IntervalCohort.parameters
            parameters.outputs = [.hrv]
            let units = try CohortMapping(recordings: cohort.recordings).units(in: cohort.data)
            func plan() throws -> BatchPlan {
                try BatchPlan(units, of: cohort.data, into: cohort.batch, parameters: parameters, hasReport: false)
            }
            let first = try plan()
            try first.keep(parameters: parameters)
            for plan in first.work() { #expect(try UnitRun(cohort.batch).perform(plan.unit.stem) == .done) }
            _ = try GroupTables(plan(), hasPages: false).write()
            let rows = try cohort.rows("outliers", index: nil)
            let lengths = Dictionary(uniqueKeysWithValues: rows.map { ($0["participant"], $0["duration"]) })
            #expect(lengths["01"] == "120" && lengths["06"] == "90" && lengths["07"] == "30", "\(lengths)")
            #expect(rows.filter { $0["outlier"] == "1" }.map { $0["participant"] } == ["07"], "\(rows)")
        }
    }
}
