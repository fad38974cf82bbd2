import Cohort
import Foundation
import TestSupport
import Testing

/// Which columns of participants.tsv are compared, and what is said of those that are not.
struct ParticipantColumnTests {
    /// A person for each text, with this text in one column.
    private static func cohort(in folder: URL, _ name: String, _ texts: [String]) throws -> IntervalCohort {
        let cohort = try IntervalCohort(in: folder)
        var rows = "participant_id\t\(name)\n"
        for (place, text) in texts.enumerated() {
            let label = String(format: "%02d", place + 1)
            try cohort.add("\(label)_1_rest", 60 + Double(place % 7) + Double(place) / 3)
            rows += "\(label)\t\(text)\n"
        }
        try cohort.write(rows, to: "participants.tsv")
        return cohort
    }

    private static func repeated(_ texts: [String]) -> [String] { texts + texts }

    @Test(arguments: [
        ("site", ["1", "2", "3"], "site is not compared: it has 3 levels (1, 2, 3), and only columns of two are"),
        ("arm", ["0", "1", "2", "4"], "arm is not compared: it has 4 levels (0, 1, 2, 4)"),
        ("lab", ["a", "b", "c", "d", "e", "f", "g"], "it has 7 levels, and only columns of two are"),
    ])
    func columnsOfManyLevelsAreTold(name: String, texts: [String], told: String) throws {
        try withTemporaryFolder { folder in
            let warnings = try Self.cohort(in: folder, name, Self.repeated(texts)).compute()
            #expect(warnings.count == 1 && warnings[0].contains(told), "\(warnings)")
        }
    }

    @Test func codesThatAreExplainedAreToldWithTheirMeaning() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder, "diag", ["10", "20", "30", "10", "20"])
            #expect(try cohort.compute().isEmpty)
            let levels = "\"10\": \"control\", \"20\": \"depression\", \"30\": \"anxiety\""
            try cohort.write("{\"diag\": {\"Levels\": {\(levels)}}}", to: "participants.json")
            let warnings = try cohort.gather()
            let told = "it has 3 levels (10 (control), 20 (depression), 30 (anxiety))"
            #expect(warnings.count == 1 && warnings[0].contains(told), "\(warnings)")
        }
    }

    @Test(arguments: [
        ["21", "22", "23", "21", "22", "23"], ["1", "2", "3", "1", "2", "4"], ["1.5", "2.5", "1", "1.5", "2.5", "1"],
        ["a", "b", "c", "d", "e", "f", "g", "g"],
    ])
    func agesMeasuresAndWhatPeopleHaveForThemselvesAreNoGroups(texts: [String]) throws {
        try withTemporaryFolder { folder in
            let warnings = try Self.cohort(in: folder, "x", texts).compute()
            #expect(warnings.isEmpty, "\(warnings)")
        }
    }

    @Test func whoOnlyFailedTakesNoComparisonFromTheOthers() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder, "group", ["x", "y", "x", "y", "z"])
            try cohort.write("no interval at all\n", to: "05_1_rest.rr")
            let warnings = try cohort.compute()
            #expect(cohort.batch.failure("sub-05_ses-1_task-rest") != nil)
            #expect(warnings.count == 1 && warnings[0].contains("group: nobody who is z has results"), "\(warnings)")
            let row = try #require(try cohort.rows("comparisons").first { $0["factor"] == "group" })
            #expect(row["first"] == "x" && row["second"] == "y" && row["nFirst"] == "2" && row["nSecond"] == "2")
        }
    }

    @Test func aGroupOfWhichAllFailedIsStillNamedOnThePage() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder, "group", ["x", "x", "y", "y"])
            for person in 3...4 { try cohort.write("no interval at all\n", to: "0\(person)_1_rest.rr") }
            try cohort.compute()
            let page = cohort.batch.root.appendingPathComponent("group/report.html")
            let text = try String(contentsOf: page, encoding: .utf8)
            #expect(text.contains("no participants in y and 2 participants in x with results"))
        }
    }

    @Test(arguments: ["session", "Task", "condition"])
    func aColumnCalledAsWhatIsComparedWithinPeopleIsToldApart(name: String) throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder, name, ["x", "y", "x", "y"])
            for person in 1...4 {
                try cohort.add("0\(person)_2_rest", 66 + 1.2 * Double(person))
                try cohort.add("0\(person)_2_work", 80 + 1.3 * Double(person))
            }
            #expect(try cohort.compute().withoutMissingSides.isEmpty)
            let factors = Set(try cohort.rows("comparisons").compactMap { $0["factor"] })
            #expect(factors == ["session", "task", "participants:\(name)"])
        }
    }
}
