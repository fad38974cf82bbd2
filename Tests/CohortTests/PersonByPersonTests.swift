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
                .filter { $0.hasPrefix("spaghetti") && $0.hasSuffix(".tsv") }
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

    @Test func aConditionTooShortForAnIndexTakesNoMeanFromIt() throws {
        try withTemporaryFolder { folder in
            let cohort = try SmallCohort(in: folder, participants: 3)
            for unit in try CohortDataset(cohort.data, mapping: nil).units {
                let place = cohort.data.appendingPathComponent(unit.recording).deletingLastPathComponent()
                let other = unit.task == "rest" ? "30\t30\twork\n" : "30\t20\tbrief\n"
                try Data("onset\tduration\ttrial_type\n0\t30\tbaseline\n\(other)".utf8)
                    .write(to: place.appendingPathComponent(unit.stem + "_events.tsv"))
            }
            try cohort.compute()
            let group = cohort.batch.root.appendingPathComponent("group")
            let names = try FileManager.default.contentsOfDirectory(atPath: group.path + "/figures")
            let drawn = try names.filter { $0.hasPrefix("spaghetti") && $0.hasSuffix(".tsv") }.map {
                try TextTable(reading: group.appendingPathComponent("figures/" + $0))
            }
            // Conductance and EEG have values in 20 s, the heart has none.
            #expect(drawn.contains { $0.names == ["participant", "baseline", "brief", "work"] })
            let heart = try TextTable(reading: group.appendingPathComponent("figures/spaghetti-0.tsv"))
            try #require(heart.names == ["participant", "baseline", "work"])
            let mean = try #require(try heart.texts("participant").firstIndex(of: "mean of 3"))
            let (first, second) = (try heart.numbers("baseline")[mean], try heart.numbers("work")[mean])
            let compared = try TextTable(reading: group.appendingPathComponent("comparisons.tsv"))
            let (factors, labels) = (try compared.texts("factor"), try compared.texts("second"))
            let indexes = try compared.texts("index")
            let (firsts, seconds) = (try compared.texts("meanFirst"), try compared.texts("meanSecond"))
            let found = (0..<compared.rowCount).contains { row in
                guard factors[row] == "condition", labels[row] == "work", indexes[row] == "meanHR" else { return false }
                return Self.agree(first, firsts[row]) && Self.agree(second, seconds[row])
            }
            #expect(found)
        }
    }

    @Test func whereNothingWasComparedEverybodysRecordingsRangeAroundTheirMean() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            try cohort.add("01_1_rest", 60)
            try cohort.add("01_1_stress", 80)
            try cohort.compute()
            let drawn = try TextTable(
                reading: cohort.batch.root.appendingPathComponent("group/figures/caterpillar-0.tsv"))
            try #require(drawn.rowCount == 1)
            let (low, mean) = (try drawn.numbers("lowest")[0], try drawn.numbers("mean")[0])
            let high = try drawn.numbers("highest")[0]
            #expect(low < 65 && high > 75 && abs(mean - (low + high) / 2) < 0.01, "\(low) \(mean) \(high)")
        }
    }

    private static func agree(_ drawn: Double, _ compared: String?) -> Bool {
        abs(drawn - (compared.flatMap { Double($0) } ?? .nan)) < 1e-3
    }
}
