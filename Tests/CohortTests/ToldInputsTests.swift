import Cohort
import Foundation
import TestSupport
import Testing

/// What is said of events that are no conditions, and of groups that are told by codes.
struct ToldInputsTests {
    private static func cohort(in folder: URL) throws -> IntervalCohort {
        var cohort = try IntervalCohort(in: folder)
        cohort.design.events = "{subject}.tsv"
        for person in 1...4 {
            try cohort.add("0\(person)_1_rest", 60 + Double(person), 70 + 1.5 * Double(person))
            try cohort.write(
                "onset\tduration\ttrial_type\n0\t60\tcalm\n60\t60\tbusy\n", to: "0\(person).tsv")
        }
        return cohort
    }

    @Test func eventsThatAreNoConditionsAreToldOfWhereTheStudyNamesNone() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            for person in 1...3 {
                try cohort.write("onset\tduration\ttrial_type\n0\t60\tcalm\n60\tn/a\tbusy\n", to: "0\(person).tsv")
            }
            let warnings = try cohort.compute()
            let told = "events called busy have no duration of 10 s or more in 3 of 4 recordings"
            #expect(warnings.count == 2 && warnings[0].contains(told), "\(warnings)")
            #expect(warnings[1].contains("1 of 4 participants has both busy and calm"), "\(warnings)")
            let page = cohort.batch.root.appendingPathComponent("group/report.html")
            #expect(try String(contentsOf: page, encoding: .utf8).contains(told))
        }
    }

    @Test(arguments: [("{\"group\": {\"Levels\": {\"1\": \"patient\", \"2\": \"control\"}}}", "2"), ("[1]", "1")])
    func codesOfGroupsAreToldWithTheirMeaningAndMayMeanTheReference(json: String, first: String) throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            try cohort.write("participant_id\tgroup\n01\t1\n02\t2\n03\t1\n04\t2\n", to: "participants.tsv")
            try cohort.write(json, to: "participants.json")
            let warnings = try cohort.compute()
            #expect(warnings.contains { $0.contains("participants.json: is no JSON object") } == (first == "1"))
            let row = try #require(try cohort.rows("comparisons").first { $0["factor"] == "group" })
            #expect(row["first"] == first)
            let page = try String(
                contentsOf: cohort.batch.root.appendingPathComponent("group/report.html"), encoding: .utf8)
            #expect(page.contains("1 (patient) − 2 (control) (group)") == (first == "2"))
            #expect(page.contains("In group 2 is control, 1 is patient.") == (first == "2"))
        }
    }
}
