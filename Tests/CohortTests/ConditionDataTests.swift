import Cohort
import Formats
import Foundation
import Pipeline
import Signals
import TestSupport
import Testing

/// The values of conditions: of all accepted intervals, from the condition's onset on, with who lacks them and why.
struct ConditionDataTests {
    /// Two minutes of a heart, each interval a little different, and blocks of two conditions anywhere in them.
    private static func cohort(in folder: URL, seed: UInt64) throws -> (cohort: IntervalCohort, table: URL) {
        var random = SplitMix64(seed: seed)
        var cohort = try IntervalCohort(in: folder)
        cohort.recordings = ["{subject}.rr"]
        cohort.design.events = "all.tsv"
        var rows = "participant\tonset\tduration\ttrial_type\n"
        for person in 1...4 {
            let rate = Double.random(in: 60...80, using: &random)
            let lines = (0..<Int(6 * rate)).map { _ in
                String(format: "%.1f", 60_000 / rate + Double.random(in: -40...40, using: &random))
            }
            try cohort.write(lines.joined(separator: "\n") + "\n", to: "0\(person).rr")
            var edge = 0.0
            for block in 0..<4 {
                let onset = edge + Double.random(in: 1...20, using: &random)
                let duration = Double.random(in: 31...60, using: &random)
                rows += String(
                    format: "0%d\t%.3f\t%.3f\t%@\n", person, onset, duration, block.isMultiple(of: 2) ? "rest" : "work")
                edge = onset + duration
            }
        }
        try cohort.write(rows, to: "all.tsv")
        return (cohort, cohort.data.appendingPathComponent("all.tsv"))
    }

    private struct Agreement: Decodable {
        var compared: Int
        var difference: Double
        var missing: [[String]]
        var extra: [[String]]
    }

    @Test(
        "heart rate, mean NN interval and RMSSD are those of all accepted intervals, as pandas has them",
        .enabled(if: OracleData.has("cohort_export.json")), arguments: 1...6 as ClosedRange<UInt64>)
    func valuesAgreeWithPandas(seed: UInt64) throws {
        struct Oracle: Decodable { var python: String }
        let oracle = try JSONDecoder().decode(Oracle.self, from: Data(contentsOf: OracleData.url("cohort_export.json")))
        try withTemporaryFolder { folder in
            let (cohort, table) = try Self.cohort(in: folder, seed: seed)
            try cohort.compute()
            let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appendingPathComponent("Peers/condition_means.py")
            let process = Process()
            process.executableURL = URL(fileURLWithPath: oracle.python)
            process.arguments = [script.path, cohort.batch.root.path, table.path]
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            let output = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            let found = try JSONDecoder().decode(Agreement.self, from: output)
            #expect(found.compared == 24 && found.difference < 1e-6, "\(found)")
            #expect(found.missing.isEmpty && found.extra.isEmpty, "\(found)")
        }
    }

    @Test("blocks have the same values wherever in the recording they begin", arguments: [0.0, 10, 17.3, 29.9])
    func blocksAreFoundAnywhere(shift: Double) throws {
        try withTemporaryFolder { folder in
            var cohort = try IntervalCohort(in: folder)
            cohort.recordings = ["{subject}.rr"]
            cohort.design.events = "{subject}.tsv"
            for person in 1...3 {
                var random = SplitMix64(seed: UInt64(person))
                let blocks = (0..<2).map { block in
                    (0..<90).map { _ in 0.7 + 0.1 * Double(block) + Double.random(in: -0.05...0.05, using: &random) }
                }
                // Beats that fill the time before and between the blocks.
                let lead = (0..<Int(shift / 0.9)).map { _ in 0.9 }
                let all = lead + blocks[0] + [0.75] + blocks[1]
                try cohort.write(all.map { String(format: "%.4f\n", $0) }.joined(), to: "0\(person).rr")
                let first = lead.reduce(0, +)
                let second = first + blocks[0].reduce(0, +) + 0.75
                let rows = zip([first, second], ["calm", "busy"]).map { String(format: "%.4f\t60\t%@\n", $0, $1) }
                try cohort.write("onset\tduration\ttrial_type\n" + rows.joined(), to: "0\(person).tsv")
            }
            try cohort.compute()
            let rows = try cohort.rows("condition_means", index: nil)
            for index in ["meanHR", "rmssd", "sdnn", "sd1"] {
                let own = rows.filter { $0["index"] == index }
                #expect(own.count == 6 && own.allSatisfy { $0["value"] != "n/a" }, "\(index): \(own)")
            }
            let sdnn = rows.filter { $0["index"] == "sdnn" }
            // Blocks of a minute in windows of 30 s: each has two, whatever its onset.
            #expect(sdnn.allSatisfy { $0["windows"] == "2" && $0["present"] == "2" }, "\(sdnn)")
        }
    }

    @Test("who lacks a condition is named with the reason, in the table, on the page and in a line")
    func whoIsMissingIsNamed() throws {
        try withTemporaryFolder { folder in
            var cohort = try IntervalCohort(in: folder)
            cohort.recordings = ["{subject}.rr"]
            cohort.design.events = "{subject}.tsv"
            for person in 1...5 {
                try cohort.add("0\(person)", 60 + Double(person), 70 + 1.5 * Double(person))
                // The second has no work, the third too short a one.
                let work = [2: "", 3: "60\t15\twork\n"][person] ?? "60\t60\twork\n"
                try cohort.write("onset\tduration\ttrial_type\n0\t60\trest\n" + work, to: "0\(person).tsv")
            }
            let warnings = try cohort.compute()
            let told = try #require(
                warnings.first { $0.hasPrefix("meanNN, rmssd, meanHR of ibi: 3 of 5 participants have both") })
            #expect(told.contains("02 (work: no such condition)"), "\(told)")
            #expect(told.contains("03 (work: ") && told.contains("at least 20 s are needed"), "\(told)")
            let rows = try cohort.rows("condition_participants")
            let work = try #require(rows.first { $0["condition"] == "work" })
            #expect(work["participants"] == "5" && work["n"] == "3" && work["noCondition"] == "1")
            #expect(work["tooFewSeconds"] == "1" && work["missing"]?.contains("02 (no such condition)") == true)
            #expect(rows.first { $0["condition"] == "rest" }?["missing"] == "n/a")
            let means = try cohort.rows("condition_means")
            let third = try #require(means.first { $0["participant"] == "03" && $0["condition"] == "work" })
            #expect(third["value"] == "n/a" && third["reason"]?.contains("at least 20 s are needed") == true)
            #expect((Double(third["seconds"] ?? "") ?? 0) > 10)
            let page = try String(
                contentsOf: cohort.batch.root.appendingPathComponent("group/report.html"), encoding: .utf8)
            #expect(page.contains("Participants by condition") && page.contains("no such condition"))
        }
    }

    @Test("windows on the recording's own grid are there for who asks")
    func theOldWindowsAreAKeyAway() throws {
        try withTemporaryFolder { folder in
            var cohort = try IntervalCohort(in: folder)
            cohort.recordings = ["{subject}.rr"]
            cohort.design.events = "{subject}.tsv"
            for person in 1...3 {
                try cohort.add("0\(person)", 60 + Double(person), 70 + 1.5 * Double(person))
                try cohort.write("onset\tduration\ttrial_type\n10\t50\trest\n70\t50\twork\n", to: "0\(person).tsv")
            }
            try cohort.compute()
            func counts() throws -> Set<String?> {
                Set(try cohort.rows("condition_means", index: "sdnn").map { $0["windows"] })
            }
            #expect(try counts() == ["1"])
            #expect(try cohort.rows("condition_means", index: "meanHR").allSatisfy { $0["seconds"] != "n/a" })
            cohort.design.windows = .recording
            _ = try cohort.gather()
            #expect(try counts() == ["1"])
            #expect(try cohort.rows("condition_means", index: "meanHR").allSatisfy { $0["seconds"] == "n/a" })
        }
    }
}
