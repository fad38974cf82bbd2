import Cardiac
import Cohort
import Foundation
import TestSupport
import Testing

/// Comparisons of recordings of which some are shorter than the window of heart-rate variability.
struct UnequalWindowsTests {
    /// A heart that beats `rate` times a minute, every other interval longer by twice `swing` ms.
    private static func intervals(_ rate: Double, seconds: Double, swing: Double) -> String {
        let count = Int(seconds * rate / 60)
        let lines = (0..<count).map { beat -> String in
            let change = beat.isMultiple(of: 2) ? swing : -swing
            return String(format: "%.3f\n", 60_000 / rate + change)
        }
        return lines.joined()
    }

    /// Four people at rest for more than two windows of 30 s, and at work for some time.
    private static func cohort(in folder: URL, work seconds: Double) throws -> IntervalCohort {
        let cohort = try IntervalCohort(in: folder)
        for person in 1...4 {
            let own = Double(person)
            try cohort.write(intervals(60 + own, seconds: 65, swing: 15 + own), to: "0\(person)_1_rest.rr")
            try cohort.write(
                intervals(75 + 1.5 * own, seconds: seconds, swing: 11 + 2 * own), to: "0\(person)_1_work.rr")
        }
        return cohort
    }

    private static func indexes(_ cohort: IntervalCohort, _ factor: String) throws -> Set<String> {
        Set(try cohort.rows("comparisons", index: nil).filter { $0["factor"] == factor }.compactMap { $0["index"] })
    }

    @Test func indexesThatFollowTheLengthOfTheWindowAreNotComparedOverWindowsOfDifferentLength() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder, work: 20)
            let warnings = try cohort.compute()
            let told = try #require(warnings.first { $0.contains("are not of one length") }, "\(warnings)")
            #expect(warnings.count == 1 && told.contains("work and rest (task)"), "\(warnings)")
            #expect(told.contains("and 30 s on average)") && told.contains("hrv: { window: "), "\(told)")
            let compared = try Self.indexes(cohort, "task")
            #expect(compared.contains("meanHR") && compared.contains("rmssd"))
            #expect(compared.isDisjoint(with: HRVIndex.namesDependingOnLength), "\(compared.sorted())")
            let page = try String(
                contentsOf: cohort.batch.root.appendingPathComponent("group/report.html"), encoding: .utf8)
            #expect(page.contains("they follow the length of the window") && page.contains("sdnn, "))
            #expect(page.contains("are not of one length"))
        }
    }

    @Test func windowsOfOneLengthAreComparedInEveryIndexAndNothingIsSaid() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder, work: 65)
            #expect(try cohort.compute().isEmpty)
            let compared = try Self.indexes(cohort, "task")
            for name in ["meanHR", "rmssd", "sdnn", "cvnn", "maxHR"] { #expect(compared.contains(name), "\(name)") }
        }
    }

    @Test func reliabilityIsOfSessionsWhoseWindowsAreOfOneLength() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            for person in 1...4 {
                let own = Double(person)
                for (session, seconds) in [(1, 65.0), (2, 20)] {
                    let rate = 60 + own * (session == 1 ? 1 : 1.2)
                    try cohort.write(
                        Self.intervals(rate, seconds: seconds, swing: 15 + own), to: "0\(person)_\(session)_rest.rr")
                }
            }
            let warnings = try cohort.compute()
            let told = try #require(warnings.first { $0.hasPrefix("reliability over sessions 1, 2") }, "\(warnings)")
            #expect(told.contains("ibi 30 s and ") && told.contains("have no row there"), "\(told)")
            let rows = Set(try cohort.rows("reliability", index: nil).compactMap { $0["index"] })
            #expect(rows.contains("meanHR") && rows.contains("rmssd"))
            #expect(rows.isDisjoint(with: HRVIndex.namesDependingOnLength), "\(rows.sorted())")
            let page = try String(
                contentsOf: cohort.batch.root.appendingPathComponent("group/report.html"), encoding: .utf8)
            #expect(page.contains("reliability over sessions 1, 2 of task rest: "))
        }
    }

    @Test func groupsOfPeopleWithShorterRecordingsAreToldOfAsWell() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            var rows = "participant_id\tgroup\n"
            for person in 1...6 {
                let (own, isPatient) = (Double(person), person.isMultiple(of: 2))
                rows += "0\(person)\t\(isPatient ? "patient" : "control")\n"
                try cohort.write(
                    Self.intervals(60 + own, seconds: isPatient ? 22 : 65, swing: 15 + own), to: "0\(person)_1_rest.rr")
            }
            try cohort.write(rows, to: "participants.tsv")
            let warnings = try cohort.compute()
            #expect(warnings.count == 1 && warnings[0].contains("patient and control (group)"), "\(warnings)")
            let compared = try Self.indexes(cohort, "group")
            #expect(compared.contains("meanNN") && !compared.contains("sdnn") && !compared.contains("nn20"))
        }
    }
}
