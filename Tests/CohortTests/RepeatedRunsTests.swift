import Cohort
import Foundation
import TestSupport
import Testing

/// Runs are repetitions of a task.
struct RepeatedRunsTests {
    /// Eight people with one run of rest and three of stress, of which the first is no faster than rest.
    private static func cohort(in folder: URL) throws -> IntervalCohort {
        var cohort = try IntervalCohort(in: folder)
        cohort.recordings = ["{subject}_{task}_{run}.rr"]
        for person in 1...8 {
            let rate = 60 + Double(person)
            try cohort.add("0\(person)_rest_1", rate)
            for run in 1...3 {
                let faster = run == 1 ? 0 : 8 + Double(person % 3)
                try cohort.add("0\(person)_stress_\(run)", rate + faster)
            }
        }
        return cohort
    }

    private static func difference(_ cohort: IntervalCohort) throws -> Double {
        let row = try cohort.rows("comparisons").first { $0["factor"] == "task" }
        return Double(row?["difference"] ?? "") ?? .nan
    }

    @Test("tasks are compared over the mean of their runs, and no recording is left out")
    func runsAreAveraged() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            let warnings = try cohort.compute()
            #expect(!warnings.contains { $0.contains("left out") }, "\(warnings)")
            let changes = (1...8).map { 2 * (8 + Double($0 % 3)) / 3 }
            #expect(abs(try Self.difference(cohort) - changes.reduce(0, +) / 8) < 0.1)
        }
    }

    @Test("runs of one number are compared where the study says so, and the others are told")
    func runsMayBeMatched() throws {
        try withTemporaryFolder { folder in
            var cohort = try Self.cohort(in: folder)
            cohort.design.runs = .match
            // The first runs differ as well, so that there is a row.
            for person in 1...8 { try cohort.add("0\(person)_stress_1", 61 + Double(person) + Double(person % 3)) }
            let warnings = try cohort.compute()
            let told = try #require(
                warnings.first { $0.contains("recordings of the others are left out") }, "\(warnings)")
            #expect(told.contains("16 of 32") && told.contains("of the same run"), "\(told)")
            #expect(abs(try Self.difference(cohort) - 1.875) < 0.3)
        }
    }

    @Test("people who have one of the tasks alone are told of")
    func peopleWithOneSideAreTold() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            try FileManager.default.removeItem(at: cohort.data.appendingPathComponent("08_rest_1.rr"))
            let warnings = try cohort.compute()
            #expect(warnings.contains { $0.contains("1 of 8 participants do not have both") }, "\(warnings)")
        }
    }
}
