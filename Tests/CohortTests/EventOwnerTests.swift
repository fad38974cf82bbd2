import Cohort
import Foundation
import TestSupport
import Testing

/// One table of events for several people.
struct EventOwnerTests {
    /// Four people whose conditions come at times of their own.
    private static func cohort(in folder: URL) throws -> IntervalCohort {
        var cohort = try IntervalCohort(in: folder)
        cohort.recordings = ["{subject}.rr"]
        for person in 1...4 { try cohort.add("0\(person)", 60 + Double(person), 75 + 1.5 * Double(person)) }
        return cohort
    }

    private static func rows(_ person: Int) -> [String] {
        person.isMultiple(of: 2) ? ["0\t55\trest", "62\t55\twork"] : ["62\t55\trest", "0\t55\twork"]
    }

    /// Warnings but for those of windows that are longer than the conditions, which respiration has.
    private static func remarks(_ warnings: [String]) -> [String] {
        warnings.filter { !$0.contains("respirationRate") }
    }

    private static func group(_ cohort: IntervalCohort) throws -> [String: Data] {
        let folder = cohort.batch.root.appendingPathComponent("group")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains(".") }
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appendingPathComponent($0))) })
    }

    @Test(
        "a column of participants gives the bytes that a table for each gives",
        arguments: [
            ("participant", "sub-%02d"), ("participant_id", "%02d"), ("Subject", "%d"), ("subject_id", "VP_%02d"),
            ("Participant ID", "P%d"), ("sub", "%02d"),
        ])
    func theColumnIsUsed(column: String, spelling: String) throws {
        try withTemporaryFolder { folder in
            var cohort = try Self.cohort(in: folder)
            var all = "\(column)\tonset\tduration\ttrial_type\n"
            for person in 1...4 {
                let name = String(format: spelling, person)
                all += Self.rows(person).map { "\(name)\t\($0)\n" }.joined()
                try cohort.write(
                    "onset\tduration\ttrial_type\n" + Self.rows(person).joined(separator: "\n") + "\n",
                    to: "0\(person)_own.tsv")
            }
            try cohort.write(all, to: "all.tsv")
            cohort.design.events = "all.tsv"
            #expect(try Self.remarks(cohort.compute()).isEmpty)
            let together = try Self.group(cohort)
            cohort.design.events = "{subject}_own.tsv"
            #expect(try Self.remarks(cohort.gather()).isEmpty)
            #expect(try Self.group(cohort) == together)
            #expect(try cohort.rows("comparisons").first { $0["factor"] == "condition" }?["nFirst"] == "4")
        }
    }

    @Test("columns of sessions tell which recording a row is of")
    func sessionsAreTold() throws {
        try withTemporaryFolder { folder in
            var cohort = try IntervalCohort(in: folder)
            cohort.recordings = ["{subject}_{session}.rr"]
            var all = "participant\tsession\tonset\tduration\ttrial_type\n"
            for person in 1...3 {
                for session in ["a", "b"] {
                    try cohort.add("0\(person)_\(session)", 60 + Double(person), 75 + 1.5 * Double(person))
                    let rows = session == "a" ? ["0\t55\trest", "62\t55\twork"] : ["0\t50\twork", "62\t50\trest"]
                    all += rows.map { "0\(person)\t\(session)\t\($0)\n" }.joined()
                }
            }
            try cohort.write(all, to: "all.tsv")
            cohort.design.events = "all.tsv"
            #expect(try Self.remarks(cohort.compute()).isEmpty)
            let means = try cohort.rows("condition_means").filter {
                $0["condition"] == "rest" && $0["participant"] == "01"
            }
            let values = means.compactMap { Double($0["value"] ?? "") }
            #expect(values.count == 2 && abs(values[0] - 61) < 1 && abs(values[1] - 76.5) < 1, "\(means)")
        }
    }

    @Test(
        "a table for all that cannot be the protocol of all is refused with what to do",
        arguments: [
            ("0\t50\trest\n10\t50\trest\n62\t50\twork\n", "begins again at 10 s"),
            ("0\t50\trest\n62\t50\twork\n500\t50\trest\n", "rest begins at 500 s"),
        ])
    func whatCannotBeMeantIsRefused(rows: String, told: String) throws {
        try withTemporaryFolder { folder in
            var cohort = try Self.cohort(in: folder)
            try cohort.write("onset\tduration\ttrial_type\n" + rows, to: "all.tsv")
            cohort.design.events = "all.tsv"
            let warnings = try cohort.compute()
            let warning = try #require(warnings.first { $0.contains("all.tsv: has no conditions for any of 4") })
            #expect(warning.contains(told) && warning.contains("participant_id") && warning.contains("{subject}"))
            #expect(try cohort.rows("condition_means").isEmpty)
        }
    }

    @Test("a protocol that all followed is used for all")
    func aProtocolIsUsed() throws {
        try withTemporaryFolder { folder in
            var cohort = try Self.cohort(in: folder)
            try cohort.write("onset\tduration\ttrial_type\n0\t55\trest\n62\t55\twork\n", to: "all.tsv")
            cohort.design.events = "all.tsv"
            #expect(try Self.remarks(cohort.compute()).isEmpty)
            #expect(try cohort.rows("condition_means").count == 8)
        }
    }

    @Test("people without rows and rows without people are named")
    func strangersAreNamed() throws {
        try withTemporaryFolder { folder in
            var cohort = try Self.cohort(in: folder)
            var all = "participant\tonset\tduration\ttrial_type\nn/a\t0\t50\trest\nAda\t0\t50\trest\n"
            for person in 1...3 { all += Self.rows(person).map { "0\(person)\t\($0)\n" }.joined() }
            try cohort.write(all, to: "all.tsv")
            cohort.design.events = "all.tsv"
            let warnings = try cohort.compute()
            #expect(warnings.contains { $0.contains("no row is of 1 of 4 participants (04)") }, "\(warnings)")
            #expect(warnings.contains { $0.contains("no participant is called Ada") }, "\(warnings)")
            #expect(warnings.contains { $0.contains("1 row without a participant is left out") }, "\(warnings)")
        }
    }
}
