import Cohort
import Formats
import Foundation
import TestSupport
import Testing

/// What the group's page draws person by person.
struct PersonByPersonTests {
    private static func table(_ cohort: IntervalCohort, _ place: Int) throws -> TextTable {
        try TextTable(
            reading: cohort.batch.root.appendingPathComponent("group/figures/spaghetti-\(place).tsv"))
    }

    private static func page(_ cohort: IntervalCohort) throws -> String {
        try String(contentsOf: cohort.batch.root.appendingPathComponent("group/report.html"), encoding: .utf8)
    }

    @Test func allConditionsOfARecordingAreDrawn() throws {
        try withTemporaryFolder { folder in
            var cohort = try IntervalCohort(in: folder)
            cohort.design.events = "{subject}.tsv"
            for person in 1...4 {
                try cohort.add("0\(person)_1_x", 60 + Double(person), 70 + 1.5 * Double(person), 66 + Double(person))
                try cohort.write(
                    "onset\tduration\ttrial_type\n0\t30\tbaseline\n30\t30\tmental arithmetic\n60\t60\tcold pressor\n",
                    to: "0\(person).tsv")
            }
            try cohort.compute()
            let drawn = try Self.table(cohort, 0)
            #expect(drawn.names == ["participant", "baseline", "cold pressor", "mental arithmetic"])
            #expect(drawn.rowCount == 4 + 3, "people, mean and limits")
            let compared = try cohort.rows("comparisons").filter { $0["factor"] == "condition" }
            #expect(compared.count == 2)
            // Everybody has all three, so the bold line is what the table says; the first figure is of the heart rate.
            #expect(try Self.page(cohort).contains("Mean heart rate (bpm), ibi by condition"))
            let mean = try #require(try drawn.texts("participant").firstIndex(of: "mean of 4"))
            let baseline = try drawn.numbers("baseline")[mean]
            for row in compared {
                let second = try drawn.numbers(row["second"] ?? "")[mean]
                #expect(Self.agree(second, row["meanSecond"]) && Self.agree(baseline, row["meanFirst"]))
            }
        }
    }

    @Test func whateverWasComparedIsDrawn() throws {
        try withTemporaryFolder { folder in
            var cohort = try IntervalCohort(in: folder)
            cohort.design.events = "{subject}_{session}_{task}.tsv"
            for person in 1...3 {
                for (session, task) in [("1", "rest"), ("1", "stroop"), ("1", "speech"), ("2", "rest")] {
                    let own = 60 + Double(person) * (session == "2" ? 1.5 : 1)
                    let rate = task == "rest" ? own : own + 5 + Double(task.count * person) / 9
                    let name = "0\(person)_\(session)_\(task)"
                    try cohort.add(name, rate, rate + 4 + Double(person))
                    try cohort.write("onset\tduration\ttrial_type\n0\t60\tcalm\n60\t60\tload\n", to: name + ".tsv")
                }
            }
            try cohort.compute()
            let page = try Self.page(cohort)
            for factor in ["condition", "task", "session"] {
                #expect(page.contains("Mean heart rate (bpm), ibi by \(factor)"), "\(factor)")
            }
            #expect(page.components(separatedBy: "Mean heart rate (bpm), ibi by participant</h3>").count == 2)
            let figures = cohort.batch.root.appendingPathComponent("group/figures")
            let headers = try FileManager.default.contentsOfDirectory(atPath: figures.path)
                .filter { $0.hasPrefix("spaghetti") }
                .map { try TextTable(reading: figures.appendingPathComponent($0)).names }
            #expect(headers.contains(["participant", "rest", "speech", "stroop"]))
            #expect(headers.contains(["participant", "1", "2"]))
        }
    }

    @Test func thoseWithOneSideAloneMoveNoMean() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            for person in 1...4 {
                try cohort.add("0\(person)_1_rest", 80 + Double(person))
                try cohort.add("0\(person)_1_work", 83 + 1.3 * Double(person))
                try cohort.add("1\(person)_1_work", 60 + Double(person))
            }
            try cohort.compute()
            let drawn = try Self.table(cohort, 0)
            let row = try #require(try cohort.rows("comparisons").first)
            let mean = try #require(try drawn.texts("participant").firstIndex(of: "mean of 4"))
            let (rest, work) = (try drawn.numbers("rest")[mean], try drawn.numbers("work")[mean])
            #expect(Self.agree(rest, row["meanFirst"]) && Self.agree(work, row["meanSecond"]))
        }
    }

    private static func agree(_ drawn: Double, _ compared: String?) -> Bool {
        abs(drawn - (compared.flatMap { Double($0) } ?? .nan)) < 1e-3
    }
}
