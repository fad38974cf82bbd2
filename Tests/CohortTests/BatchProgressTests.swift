import Cohort
import Foundation
import TestSupport
import Testing

/// What is told of how far a batch has come.
struct BatchProgressTests {
    /// Three recordings of one size.
    private static func plans(in folder: URL) throws -> [UnitPlan] {
        let cohort = try IntervalCohort(in: folder)
        for person in 1...3 { try cohort.add("0\(person)_1_rest", 60) }
        return try cohort.plan().entries.map(\.plan)
    }

    @Test("what was not to be computed does not count, whatever became of it before")
    func others() throws {
        try withTemporaryFolder { folder in
            let plans = try Self.plans(in: folder)
            var progress = BatchProgress(Array(plans.prefix(2)))
            progress.end(plans[2], .failed)
            #expect(progress.fraction == 0 && progress.text(after: 1) == "0 of 2")
            progress.end(plans[0], .done)
            #expect(progress.fraction == 0.5 && progress.text(after: 1).hasPrefix("1 of 2, 1.0 a second"))
        }
    }

    @Test("a recording that is told of again and again counts once")
    func once() throws {
        try withTemporaryFolder { folder in
            let plans = try Self.plans(in: folder)
            var progress = BatchProgress(plans)
            for _ in 1...3 { progress.end(plans[0], .failed) }
            #expect(progress.text(after: 1).hasPrefix("1 of 3, 1 failed"))
            for plan in plans { progress.end(plan, .done) }
            #expect(progress.fraction == 1 && progress.text(after: 1).hasPrefix("3 of 3, 1 failed"))
        }
    }
}
