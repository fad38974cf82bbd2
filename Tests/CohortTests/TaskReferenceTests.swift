import Cohort
import Formats
import Foundation
import TestSupport
import Testing

/// Conditions of several tasks, each of which has conditions of its own.
struct TaskReferenceTests {
    /// Four people who do one task at two loads and another with and without stress.
    private static func cohort(in folder: URL) throws -> IntervalCohort {
        var cohort = try IntervalCohort(in: folder)
        cohort.recordings = ["{subject}_{task}.rr"]
        cohort.design.events = "{subject}_{task}.tsv"
        for person in 1...4 {
            for (task, first, second) in [("nback", "0back", "2back"), ("stress", "baseline", "stress")] {
                let rate = 60 + Double(person) + (task == "nback" ? 3 : 0)
                try cohort.add("0\(person)_\(task)", rate, rate + 8 + 1.5 * Double(person))
                try cohort.write(
                    "onset\tduration\ttrial_type\n0\t60\t\(first)\n60\t60\t\(second)\n", to: "0\(person)_\(task).tsv")
            }
        }
        return cohort
    }

    private static func pairs(_ cohort: IntervalCohort) throws -> [[String?]] {
        try cohort.rows("comparisons").filter { $0["factor"] == "condition" }.map { [$0["first"], $0["second"]] }
    }

    @Test func everyTaskHasAReferenceAmongItsOwnConditions() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            #expect(try cohort.compute().isEmpty)
            #expect(try Self.pairs(cohort) == [["0back", "2back"], ["baseline", "stress"]])
            let figures = cohort.batch.root.appendingPathComponent("group/figures")
            let headers = try FileManager.default.contentsOfDirectory(atPath: figures.path)
                .filter { $0.hasPrefix("spaghetti") && $0.hasSuffix(".tsv") }
                .map { try TextTable(reading: figures.appendingPathComponent($0)).names }
            #expect(headers.contains(["participant", "0back", "2back"]))
            #expect(headers.contains(["participant", "baseline", "stress"]))
        }
    }

    @Test func aReferenceCanBeNamedForEachTask() throws {
        try withTemporaryFolder { folder in
            var cohort = try Self.cohort(in: folder)
            let file = folder.appendingPathComponent("study.yaml")
            try Data("comparisons:\n  reference: { n-back: 2back }\n".utf8).write(to: file)
            cohort.design.taskReferences = try GroupDesign.read(file).taskReferences
            #expect(cohort.design.taskReferences == ["n-back": "2back"])
            #expect(try cohort.compute().isEmpty)
            #expect(try Self.pairs(cohort) == [["2back", "0back"], ["baseline", "stress"]])
            cohort.design.taskReferences = ["nback": "1back", "walk": "slow"]
            let warnings = try cohort.gather()
            #expect(warnings.contains { $0.contains("no condition of task nback is called 1back") }, "\(warnings)")
            #expect(warnings.contains { $0.contains("no task called walk has conditions") }, "\(warnings)")
        }
    }

    @Test func aConditionThatItsTaskHasAloneIsComparedWithThoseOfOtherTasks() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            for person in 1...4 {
                try cohort.add("0\(person)_quiet", 55 + Double(person) * 0.7)
                try cohort.write("onset\tduration\ttrial_type\n0\t120\trest\n", to: "0\(person)_quiet.tsv")
            }
            try cohort.compute()
            let pairs = try Self.pairs(cohort)
            #expect(pairs.starts(with: [["0back", "2back"], ["baseline", "stress"]]))
            #expect(
                Set(pairs.dropFirst(2))
                    == Set(["0back", "2back", "baseline", "stress"].map { label -> [String?] in ["rest", label] }))
        }
    }
}
