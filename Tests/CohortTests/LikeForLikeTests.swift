import Cohort
import Formats
import Foundation
import TestSupport
import Testing

/// Comparisons of cohorts in which not everybody has everything: heart rates are set so that the true differences are
/// known.
struct LikeForLikeTests {
    private static func number(_ row: [String: String], _ column: String) -> Double {
        Double(row[column] ?? "") ?? .nan
    }

    /// Ten people; stress adds about 20 a minute, the second session nothing but the person's own change.
    private static func cohort(in folder: URL) throws -> IntervalCohort {
        let cohort = try IntervalCohort(in: folder)
        for person in 1...10 {
            let (rest, change) = (58 + Double(person), Double(person % 3) - 1)
            let label = String(format: "%02d", person)
            try cohort.add("\(label)_1_rest", rest)
            try cohort.add("\(label)_1_stress", rest + 20 + Double(person % 2))
            try cohort.add("\(label)_2_rest", rest + change)
            if person > 3 { try cohort.add("\(label)_2_stress", rest + 20 + Double(person % 2) + change) }
        }
        return cohort
    }

    @Test func sessionsAreComparedWithinTheTasksThatAPersonHasInBoth() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            try cohort.compute()
            let rows = try cohort.rows("comparisons").filter { $0["factor"] == "session" }
            let row = try #require(rows.first)
            #expect(rows.count == 1 && row["within"] == "task" && row["nFirst"] == "10")
            // Three people without stress in the second session would make it three a minute less.
            let change = (1...10).map { Double($0 % 3) - 1 }.reduce(0, +) / 10
            #expect(abs(Self.number(row, "difference") - change) < 0.1)
            #expect(abs(Self.number(row, "modelEstimate") - change) < 0.3)
            let stress = try #require(try cohort.rows("comparisons").first { $0["factor"] == "task" })
            #expect(stress["within"] == "session" && stress["nFirst"] == "10")
            #expect(abs(Self.number(stress, "difference") - 20.5) < 0.2)
        }
    }

    @Test func groupsOfPeopleDoNotDifferByWhatSomeOfThemLack() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            // No difference between the groups, but the second lacks stress in half of its people.
            for person in 1...12 {
                let (label, rest) = (String(format: "%02d", person), 60 + Double((person + 1) / 2))
                try cohort.add("\(label)_1_rest", rest)
                if person % 4 != 0 { try cohort.add("\(label)_1_stress", rest + 20 + Double(person % 3)) }
            }
            let rows = (1...12).map { String(format: "sub-%02d\t%@\n", $0, $0.isMultiple(of: 2) ? "m " : "f") }
            try cohort.write("participant_id\tsex\n" + rows.joined(), to: "participants.tsv")
            #expect(try cohort.compute().isEmpty)
            let row = try #require(try cohort.rows("comparisons").first { $0["factor"] == "sex" })
            #expect(row["nFirst"] == "6" && row["nSecond"] == "6" && row["within"] == "task")
            #expect(abs(Self.number(row, "difference")) < 1)
        }
    }

    @Test func aTaskOfTheFirstSessionIsComparedWithOneOfTheSecondWhereNobodyHasBothInOne() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            for person in 1...4 {
                try cohort.add("0\(person)_1_before", 60 + Double(person))
                try cohort.add("0\(person)_2_after", 70 + Double(person) * 1.5)
            }
            try cohort.compute()
            let row = try #require(try cohort.rows("comparisons").first { $0["factor"] == "task" })
            #expect(row["nFirst"] == "4" && row["within"] == "n/a")
        }
    }

    @Test func reliabilityIsToldOfTheSessionsThatMostPeopleHave() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            try cohort.add("01_3_rest", 60)
            try FileManager.default.removeItem(at: cohort.data.appendingPathComponent("02_2_rest.rr"))
            try cohort.compute()
            let rows = try cohort.rows("reliability")
            let rest = try #require(rows.first { $0["task"] == "rest" })
            #expect(rest["sessionLabels"] == "1, 2" && rest["n"] == "9" && rest["incomplete"] == "1")
            #expect(Self.number(rest, "icc") > 0.8)
            #expect(rows.first { $0["task"] == "stress" }?["n"] == "7")
        }
    }
}
