import Cohort
import Formats
import Foundation
import Pipeline
import TestSupport
import Testing

/// What the group's page and those about people say of what is missing, not compared or standing apart.
struct GroupPageTests {
    private static func page(_ cohort: IntervalCohort, _ path: String = "group/report.html") throws -> String {
        try String(contentsOf: cohort.batch.root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test func recordingsWithoutResultsAreOnThePages() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            for person in 1...3 { try cohort.add("0\(person)_1_rest", 60 + Double(person)) }
            try cohort.write("", to: "03_1_work.rr")
            for plan in try cohort.plan().work() { _ = try UnitRun(cohort.batch).perform(plan.unit.stem) }
            try cohort.add("04_1_rest", 64)
            _ = try GroupTables(cohort.plan()).write(allowMissing: true)
            let page = try Self.page(cohort)
            for text in [
                "sub-03_ses-1_task-work, failed", "sub-04_ses-1_task-rest, pending", "recordings without results yet",
                "no results yet", "../sub-04/sub-04_participant.html", "1 failed, 1 pending",
            ] { #expect(page.contains(text), "\(text)") }
            let pending = try Self.page(cohort, "sub-04/sub-04_participant.html")
            #expect(pending.contains("Without results yet: ses-1_task-rest (pending)"))
            let done = try Self.page(cohort, "sub-01/sub-01_participant.html")
            #expect(done.contains("No recording failed.") && done.contains("Recordings were analyzed one by one"))
            let table = cohort.batch.root.appendingPathComponent("group/figures/missingness.tsv")
            let states = try TextTable(reading: table).texts("state").compactMap { $0 }
            #expect(states == ["done", "done", "done", "failed", "pending"])
        }
    }

    @Test func whoHasNoRecordingIsInTheSummaryOnceAndNotWarnedOfAgain() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            for person in 1...2 { try cohort.add("0\(person)_1_rest", 60 + Double(person)) }
            try cohort.compute()
            let note = "2 people in participants.tsv have no recording: sub-07, sub-08"
            #expect(try !Self.page(cohort).contains(note))
            var warnings: [String] = []
            _ = try GroupTables(cohort.plan(), hasPages: false, notes: [note]).write(warn: { warnings.append($0) })
            let page = try Self.page(cohort)
            let summary = try #require(page.range(of: "<section id=\"summary\""))
            let missing = try #require(page.range(of: "<section id=\"missing\""))
            #expect(page[summary.upperBound..<missing.lowerBound].components(separatedBy: note).count == 2)
            #expect(!warnings.contains(note))
        }
    }

    @Test func whyNothingCouldBeComparedIsSaid() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            try cohort.add("01_1_rest", 60)
            try cohort.add("01_1_work", 70)
            try cohort.compute()
            let alone = "work and rest (task): only one participant was recorded on both sides; two are needed"
            #expect(try Self.page(cohort).contains(alone))
            #expect(try !Self.page(cohort).contains("one condition and no groups"))
            #expect(try !Self.page(cohort).contains("false discovery rate"))
            // Another person for whom work changes nothing either way, and one on a side of a column.
            try cohort.add("02_1_rest", 60)
            try cohort.add("02_1_work", 70)
            for task in ["rest", "work"] {
                let first = try String(
                    contentsOf: cohort.data.appendingPathComponent("01_1_\(task).rr"), encoding: .utf8)
                try cohort.write(first + "\n", to: "02_1_\(task).rr")
            }
            try cohort.write("participant_id\tsmoker\n01\tyes\n02\tno\n", to: "participants.tsv")
            try cohort.compute()
            let page = try Self.page(cohort)
            #expect(page.contains("in every index the 2 participants recorded on both sides differ by the same"))
            #expect(page.contains("yes and no (smoker): 1 participant in yes and 1 participant in no with results"))
        }
    }

    @Test func theMethodsNameTheTestsThatWereMade() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            for person in 1...4 {
                try cohort.add("0\(person)_1_rest", 60 + Double(person))
                try cohort.add("0\(person)_1_work", 70 + 1.5 * Double(person))
            }
            try cohort.compute()
            var page = try Self.page(cohort)
            #expect(page.contains("Wilcoxon") && page.contains("false discovery rate") && !page.contains("Mann"))
            #expect(page.contains("tests, of ibi)"))
            try cohort.write("participant_id\tsex\n01\tm\n02\tf\n03\tm\n04\tf\n", to: "participants.tsv")
            _ = try cohort.gather()
            page = try Self.page(cohort)
            #expect(page.contains("Wilcoxon") && page.contains("Mann and Whitney"))
        }
    }

    @Test func theMethodsTellAgreementOverSessionsWhereItWasComputed() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            for person in 1...4 { try cohort.add("0\(person)_1_rest", 60 + Double(person)) }
            try cohort.compute()
            #expect(try !Self.page(cohort).contains("McGraw"))
            for person in 1...4 { try cohort.add("0\(person)_2_rest", 61 + 1.5 * Double(person)) }
            try cohort.compute()
            let page = try Self.page(cohort)
            #expect(page.contains("ICC(A,1)") && page.contains("10.1037/1082-989X.1.1.30"))
            // The sessions were compared as well.
            #expect(page.contains("10.3102/10769986006002107"))
        }
    }

    @Test func theParametersOfTheRecordingsAreOnThePageAndInProvenance() throws {
        struct Seal: Decodable {
            var parametersSHA256: String
            var parameters: Parameters
        }
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            for person in 1...2 { try cohort.add("0\(person)_1_rest", 60 + Double(person)) }
            try cohort.compute()
            let seal = try JSONDecoder().decode(Seal.self, from: Data(Self.page(cohort, "group/provenance.json").utf8))
            #expect(seal.parameters == IntervalCohort.parameters)
            #expect(try seal.parametersSHA256 == IntervalCohort.parameters.hash())
            let page = try Self.page(cohort)
            #expect(page.contains("hrv.window = 30 s") && !page.contains("hrv.step"))
            #expect(page.contains("begins with \(seal.parametersSHA256.prefix(12))."))
        }
    }

    @Test func whatStandsApartIsNamedAndStandsFirst() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            for person in 1...6 {
                let intervals = (0..<150).map { beat in
                    let slow = 25 * sin(0.31 * Double(beat) + Double(person))
                    return String(format: "%.3f\n", 800 + 10 * Double(person) + 40 * sin(0.9 * Double(beat)) + slow)
                }
                try cohort.write(intervals.joined(), to: "0\(person)_1_rest.rr")
            }
            // Four beats, sound as far as they go, so that its mean quality is the best of all.
            try cohort.write(String(repeating: "812.3\n830.1\n", count: 2), to: "07_1_rest.rr")
            try cohort.compute()
            let outliers = try TextTable(
                reading: cohort.batch.root.appendingPathComponent("group/outliers.tsv"))
            #expect(try outliers.texts("participant").first == "07" && outliers.numbers("outlier").first == 1)
            let page = try Self.page(cohort)
            #expect(page.contains("share of values present far below the others (z −"))
            #expect(!page.contains("missing values or length stand apart"))
            let table = try #require(page.range(of: "<section id=\"participants\""))
            let after = page[table.upperBound...]
            let (worst, best) = (try #require(after.range(of: ">07<")), try #require(after.range(of: ">01<")))
            #expect(worst.lowerBound < best.lowerBound)
        }
    }
}
