import Formats
import Foundation
import TestSupport
import Testing

/// Conditions that events tell, compared over a cohort.
@Suite struct BatchConditionsTests {
    private static let people = ["01", "02", "03", "04"]

    /// Recordings of four minutes with a condition in each half, as a folder with a study.yaml.
    private static func dataset(in folder: URL) throws {
        for (number, label) in people.enumerated() {
            try Program.run(
                "simulate", "p\(label).edf", "--duration", "240", "--seed", "\(number + 1)", "--streams", "ecg",
                in: folder)
            let events = "onset\tduration\ttrial_type\n0\t120\trest\n120\t120\tstress\n60\t0\tbutton\n"
            try Data(events.utf8).write(to: folder.appendingPathComponent("\(label)_told.tsv"))
        }
        let study = """
            cohort: { recordings: "p{subject}.edf" }
            comparisons: { events: "{subject}_told.tsv" }
            hrv: { window: 60, step: 30 }
            """
        try Data(study.utf8).write(to: folder.appendingPathComponent("study.yaml"))
    }

    @Test func conditionsAreComparedOverTheWindowsWithinThem() throws {
        try withTemporaryFolder { folder in
            try Self.dataset(in: folder)
            let run = try Program.run(
                "batch", ".", "out", "participant", "--no-reports", "--then-group", "--n-cpus", "2", in: folder)
            #expect(run.status == 0, "\(run.messages)")
            let group = folder.appendingPathComponent("out/group")
            let found = try TextTable(reading: group.appendingPathComponent("comparisons.tsv"))
            let rows = try found.texts("index").indices.filter { row in
                try found.texts("index")[row] == "sdnn" && found.texts("factor")[row] == "condition"
            }
            let row = try #require(rows.first)
            #expect(rows.count == 1)
            #expect(try found.texts("first")[row] == "rest" && found.texts("second")[row] == "stress")
            #expect(try found.texts("design")[row] == "paired" && found.numbers("nFirst")[row] == 4)
            let (rest, stress) = try Self.means(group.appendingPathComponent("indexes_long.tsv"))
            #expect(try abs(found.numbers("meanFirst")[row] - rest) < 1e-6)
            #expect(try abs(found.numbers("meanSecond")[row] - stress) < 1e-6)
            let page = try String(contentsOf: group.appendingPathComponent("report.html"), encoding: .utf8)
            #expect(page.contains("stress \u{2212} rest"))
        }
    }

    /// The mean of `sdnn` over people of their means over the windows within each half.
    private static func means(_ url: URL) throws -> (rest: Double, stress: Double) {
        let long = try TextTable(reading: url)
        let (names, values) = (try long.texts("index"), try long.numbers("value"))
        let (onsets, durations) = (try long.numbers("onset"), try long.numbers("duration"))
        let participants = try long.texts("participant")
        func mean(_ range: ClosedRange<Double>) -> Double {
            let own = people.map { person in
                let rows = names.indices.filter {
                    names[$0] == "sdnn" && participants[$0] == person && values[$0].isFinite
                        && range.contains(onsets[$0]) && range.contains(onsets[$0] + durations[$0])
                }
                return rows.reduce(0) { $0 + values[$1] } / Double(rows.count)
            }
            return own.reduce(0, +) / Double(own.count)
        }
        return (mean(-0.1...120.1), mean(119.9...240.1))
    }

    @Test func anUnknownEntryOfTheComparisonsIsNamed() throws {
        try withTemporaryFolder { folder in
            try Self.dataset(in: folder)
            try Data("cohort: { recordings: \"p{subject}.edf\" }\ncomparisons: { event: x }\n".utf8)
                .write(to: folder.appendingPathComponent("study.yaml"))
            let run = try Program.run("batch", ".", "out", "group", "--allow-missing", in: folder)
            #expect(run.status != 0 && run.messages.contains("unknown entry event"), "\(run.messages)")
        }
    }
}
