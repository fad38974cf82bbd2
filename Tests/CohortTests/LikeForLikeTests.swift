import Cohort
import Formats
import Foundation
import Signals
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

    @Test func sessionsCalledByTheirDatesLoseNobody() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            // Eight people came on the first day, the others on days of their own.
            for person in 1...20 {
                let day = person <= 8 ? 20_240_101 : 20_240_200 + person
                try cohort.add(
                    String(format: "%02d_%d_rest", person, day), 60 + Double((person + 1) / 2) + Double(person % 2) * 6)
            }
            let rows = (1...20).map { String(format: "sub-%02d\t%@\n", $0, $0.isMultiple(of: 2) ? "f" : "m") }
            try cohort.write("\"participant_id\"\t\"sex\"\n" + rows.joined(), to: "participants.tsv")
            #expect(try cohort.compute().isEmpty)
            let row = try #require(try cohort.rows("comparisons").first { $0["factor"] == "sex" })
            #expect(row["nFirst"] == "10" && row["nSecond"] == "10" && row["within"] == "n/a")
            #expect(abs(Self.number(row, "difference") - 6) < 0.2)
        }
    }

    @Test func peopleWhoseTaskNobodyElseDidAreLeftOutAndThatIsTold() throws {
        try withTemporaryFolder { folder in
            var cohort = try IntervalCohort(in: folder)
            cohort.recordings = ["{subject}_{task}.rr"]
            for person in 1...9 {
                let rate = 60 + Double(person)
                try cohort.add(String(format: "%02d_%@", person, person < 9 ? "rest" : "stress"), rate)
            }
            let rows = (1...9).map { String(format: "sub-%02d\t%@\n", $0, $0.isMultiple(of: 2) ? "f" : "m") }
            try cohort.write("participant_id\tsex\n" + rows.joined(), to: "participants.tsv")
            try cohort.compute()
            let row = try #require(try cohort.rows("comparisons").first { $0["factor"] == "sex" })
            #expect(row["nFirst"] == "4" && row["nSecond"] == "4")
            let page = cohort.batch.root.appendingPathComponent("group/report.html")
            #expect(try String(contentsOf: page, encoding: .utf8).contains("1 of 9 participants are left out"))
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
            #expect(try cohort.compute().withoutMissingSides.isEmpty)
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

    @Test(arguments: [
        // Who has which sessions, how often; what is chosen and how many have all of it.
        ([("24", 6), ("1", 1), ("3", 1)], "2, 4", "6"),
        ([("34", 8), ("134", 1), ("234", 1), ("123", 1)], "3, 4", "10"),
        ([("24", 2), ("123", 1)], "2, 4", "2"), ([("12", 3), ("123", 2)], "1, 2", "5"),
        ([("12", 1), ("34", 1)], "", ""),
    ])
    func reliabilityIsToldOfTheSessionsThatKeepTheMostMeasurements(
        people: [(sessions: String, count: Int)], labels: String, n: String
    ) throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            var person = 10
            for (sessions, count) in people {
                for _ in 0..<count {
                    person += 1
                    for session in sessions {
                        let rate = 50 + Double(person) + Double(session.wholeNumberValue ?? 0) / 3
                        try cohort.add("\(person)_\(session)_rest", rate)
                    }
                }
            }
            try cohort.compute()
            let row = try cohort.rows("reliability").first
            #expect(row?["sessionLabels"] ?? "" == labels && row?["n"] ?? "" == n, "\(row ?? [:])")
        }
    }

    @Test func datesAsSessionsOfManyPeopleAreDoneWithQuickly() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            for person in 100..<160 {
                for visit in 0..<2 { try cohort.add("\(person)_\(2 * person + visit)_rest", 50 + Double(person) / 4) }
            }
            try cohort.compute()
            #expect(try cohort.rows("reliability", index: nil).isEmpty)
        }
    }

    /// Seven people whose second run is faster by 20 a minute; stress adds 5. One lacks stress in the second run, and
    /// another rest.
    private static func runs(in folder: URL) throws -> IntervalCohort {
        var cohort = try IntervalCohort(in: folder)
        cohort.recordings = ["{subject}_{session}_{task}_{run}.rr"]
        for person in 1...7 {
            for run in 1...2 {
                let rest = 60 + Double(person) + 20 * Double(run - 1)
                let stress = rest + 5 + Double((person + run) % 2)
                if person != 3 || run == 1 { try cohort.add("0\(person)_1_stress_\(run)", stress) }
                if person != 5 || run == 1 { try cohort.add("0\(person)_1_rest_\(run)", rest) }
            }
        }
        return cohort
    }

    @Test func tasksAreComparedWithinTheRunsThatAPersonHasOfBoth() throws {
        try withTemporaryFolder { folder in
            var cohort = try Self.runs(in: folder)
            cohort.design.runs = .match
            try cohort.compute()
            let row = try #require(try cohort.rows("comparisons").first { $0["factor"] == "task" })
            #expect(row["within"] == "session, run" && row["nFirst"] == "7")
            // Averages over runs would make it 10 less for one person and 10 more for another.
            let differences = (1...7).map { [3, 5].contains($0) ? 5 + Double(($0 + 1) % 2) : 5.5 }
            #expect(abs(Self.number(row, "difference") - differences.reduce(0, +) / 7) < 0.15)
            #expect(Self.number(row, "high") - Self.number(row, "low") < 1.5)
            #expect(abs(Self.number(row, "modelEstimate") - 5.5) < 0.5)
            #expect(Self.number(row, "modelHigh") - Self.number(row, "modelLow") < 1.5)
        }
    }

    @Test func streamsThatAreCalledAfterTheirDevicesAreWarnedOf() throws {
        try withTemporaryFolder { folder in
            var cohort = try IntervalCohort(in: folder)
            cohort.recordings = ["{subject}.xdf"]
            for person in 1...4 {
                let header = StreamHeader(
                    name: "H10 \(person) ibi", kind: .ibi, channels: [Channel(label: "IBI", unit: .seconds)],
                    sampleRate: 0)
                let values = (1...150).map { beat in
                    TimedValue(onset: 0.8 * Double(beat), values: [0.8 + (beat.isMultiple(of: 2) ? 0.01 : -0.01)])
                }
                let recording = Recording(
                    header: RecordingHeader(streams: [header], format: "test"),
                    streams: [Signals.Stream(header: header, values: values)])
                try XDFWriter.write(recording, to: cohort.data.appendingPathComponent("0\(person).xdf"))
            }
            let warnings = try cohort.compute()
            #expect(warnings.count == 1 && warnings[0].contains("H101ibi, H102ibi, H103ibi, H104ibi"), "\(warnings)")
        }
    }

    @Test func conditionsAreComparedWithinEachRunAndGroupsOverRunsThatAllHave() throws {
        try withTemporaryFolder { folder in
            var cohort = try IntervalCohort(in: folder)
            cohort.recordings = ["{subject}_{run}.rr"]
            cohort.design.events = "{subject}_{run}.tsv"
            for person in 1...8 {
                for run in 1...2 where run == 1 || ![4, 6].contains(person) {
                    let rest = 60 + Double((person + 1) / 2) + 20 * Double(run - 1)
                    try cohort.add("0\(person)_\(run)", rest, rest + 5 + Double(person % 2))
                    let lacksStress = person == 3 && run == 2
                    try cohort.write(
                        "onset\tduration\ttrial_type\n0\t60\trest\n" + (lacksStress ? "" : "60\t60\tstress\n"),
                        to: "0\(person)_\(run).tsv")
                }
            }
            let groups = (1...8).map { "0\($0)\t\($0.isMultiple(of: 2) ? "m" : "f")\n" }
            try cohort.write("participant_id\tsex\n" + groups.joined(), to: "participants.tsv")
            try cohort.compute()
            let rows = try cohort.rows("comparisons")
            let row = try #require(rows.first { $0["factor"] == "condition" })
            #expect(row["within"] == "run" && row["nFirst"] == "8")
            #expect(abs(Self.number(row, "difference") - 5.5) < 0.3)
            // Two of the men lack the second run, which is faster.
            let sex = try #require(rows.first { $0["factor"] == "sex" })
            #expect(sex["within"] == "run" && sex["nFirst"] == "4" && sex["nSecond"] == "4")
            #expect(abs(Self.number(sex, "difference")) < 1.5)
        }
    }

    @Test func peopleWhoseSingleRunHasNoNumberAreNotLostBetweenGroups() throws {
        try withTemporaryFolder { folder in
            var cohort = try IntervalCohort(in: folder)
            cohort.recordings = ["runs/{subject}_{run}.rr", "{subject}.rr"]
            try FileManager.default.createDirectory(
                at: cohort.data.appendingPathComponent("runs"), withIntermediateDirectories: true)
            for person in 1...8 {
                for name in person < 5 ? ["runs/0\(person)_1", "runs/0\(person)_2"] : ["0\(person)"] {
                    try cohort.add(name, 60 + Double(person))
                }
            }
            let groups = (1...8).map { "0\($0)\t\($0.isMultiple(of: 2) ? "m" : "f")\n" }
            try cohort.write("participant_id\tsex\n" + groups.joined(), to: "participants.tsv")
            try cohort.compute()
            let sex = try #require(try cohort.rows("comparisons").first { $0["factor"] == "sex" })
            #expect(sex["within"] == "n/a" && sex["nFirst"] == "4" && sex["nSecond"] == "4")
        }
    }
}
