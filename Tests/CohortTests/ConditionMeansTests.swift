import Cohort
import Formats
import Foundation
import TestSupport
import Testing

/// The values that conditions are compared by.
struct ConditionMeansTests {
    /// Four people, two tasks of a session each but for the last, with two conditions called by numbers.
    private static func cohort(in folder: URL) throws -> IntervalCohort {
        var cohort = try IntervalCohort(in: folder)
        cohort.design.events = "{subject}.tsv"
        for person in 1...4 {
            for task in person < 4 ? ["read", "walk"] : ["read"] {
                let rate = 60 + Double(person) + Double(task.count)
                try cohort.add("0\(person)_1_\(task)", rate, rate + 4 + Double(person % 3))
            }
            try cohort.write(
                "onset\tduration\ttrial_type\n0\t60\t01\n60\t60\t02\n", to: "0\(person).tsv")
        }
        return cohort
    }

    private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

    @Test func aComparisonCanBeMadeAgainOfThem() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            try cohort.compute()
            let means = try cohort.rows("condition_means", index: nil)
            let compared = try cohort.rows("comparisons", index: nil).filter { $0["factor"] == "condition" }
            #expect(Set(means.compactMap { $0["condition"] }) == ["01", "02"] && compared.count > 20)
            for row in compared {
                let own = means.filter { $0["signal"] == row["signal"] && $0["index"] == row["index"] }
                #expect(own.allSatisfy { $0["unit"] == row["unit"] })
                func value(_ person: String, _ task: String, _ condition: String?) -> Double? {
                    own.first { $0["participant"] == person && $0["task"] == task && $0["condition"] == condition }
                        .flatMap { Double($0["value"] ?? "") }
                }
                #expect(row["within"] == "task, session")
                let people = ["01", "02", "03", "04"].compactMap { person -> (first: Double, second: Double)? in
                    let both = ["read", "walk"].compactMap { task -> (Double, Double)? in
                        guard let first = value(person, task, row["first"]),
                            let second = value(person, task, row["second"])
                        else { return nil }
                        return (first, second)
                    }
                    guard !both.isEmpty else { return nil }
                    return (Self.mean(both.map(\.0)), Self.mean(both.map(\.1)))
                }
                #expect(row["nFirst"] == "\(people.count)")
                for (found, mean) in [("meanFirst", people.map(\.first)), ("meanSecond", people.map(\.second))] {
                    let told = Double(row[found] ?? "") ?? .nan
                    #expect(abs(told - Self.mean(mean)) <= 1e-7 * max(1, told.magnitude), "\(row)")
                }
            }
        }
    }

    @Test func eachTellsWhatItRestsOn() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            try cohort.compute()
            let rows = try cohort.rows("condition_means")
            #expect(rows.count == 7 * 2)
            // Windows of half a minute; what reaches over the end of a condition is in none.
            #expect(rows.allSatisfy { ["1", "2"].contains($0["windows"]) }, "\(rows)")
            #expect(rows.allSatisfy { $0["present"] == $0["windows"] }, "\(rows)")
            #expect(rows.allSatisfy { (Double($0["coverage"] ?? "") ?? 0) > 0.9 }, "\(rows)")
            let sidecar = cohort.batch.root.appendingPathComponent("group/condition_means.json")
            let columns = try JSONSerialization.jsonObject(with: Data(contentsOf: sidecar)) as? [String: Any]
            #expect(Set(rows[0].keys) == columns.map { Set($0.keys) })
        }
    }

    @Test func conditionsThatAreNumbersStayTextInExports() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            try cohort.compute()
            let target = folder.appendingPathComponent("spss")
            _ = try GroupExport(cohort.batch).write(.spss, to: target)
            let syntax = try String(contentsOf: target.appendingPathComponent("condition_means.sps"), encoding: .utf8)
            #expect(syntax.contains("  condition A2\n"))
        }
    }

    @Test func theOrderOfTheWorkLeavesNoTraceInThem() throws {
        try withTemporaryFolder { folder in
            func table(_ name: String, _ order: ([String]) -> [String]) throws -> Data {
                let place = folder.appendingPathComponent(name)
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
                let cohort = try Self.cohort(in: place)
                for stem in order(try cohort.plan().work().map(\.unit.stem)) {
                    _ = try UnitRun(cohort.batch).perform(stem)
                }
                _ = try cohort.gather()
                return try Data(contentsOf: cohort.batch.root.appendingPathComponent("group/condition_means.tsv"))
            }
            let forward = try table("forward") { $0 }
            let backward = try table("backward") { $0.reversed() }
            #expect(forward == backward)
        }
    }

    @Test func withoutConditionsThereAreNoRows() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            for person in 1...2 { try cohort.add("0\(person)_1_rest", 60 + Double(person)) }
            try cohort.compute()
            #expect(try cohort.rows("condition_means", index: nil).isEmpty)
        }
    }
}
