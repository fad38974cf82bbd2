import Cohort
import Formats
import Foundation
import TestSupport
import Testing

/// Conditions and remarks of real recordings.
struct RecordedConditionsTests {
    private static let events = "onset\tduration\ttrial_type\n0\t30\tcalm\n30\t30\tbusy\n5\t1\tbutton\n"

    private static func rows(_ cohort: SmallCohort, _ name: String) throws -> [[String: String]] {
        let table = try TextTable(reading: cohort.batch.root.appendingPathComponent("group/\(name).tsv"))
        let columns = try table.names.map { ($0, try table.texts($0)) }
        return (0..<table.rowCount).map { row in
            Dictionary(uniqueKeysWithValues: columns.map { ($0.0, $0.1[row] ?? "n/a") })
        }
    }

    @Test func seriesAreComparedByConditionAndTasksAreComparedAsWell() throws {
        try withTemporaryFolder { folder in
            let cohort = try SmallCohort(in: folder, participants: 3)
            for unit in try CohortDataset(cohort.data, mapping: nil).units {
                let place = cohort.data.appendingPathComponent(unit.recording).deletingLastPathComponent()
                try Data(Self.events.utf8).write(to: place.appendingPathComponent(unit.stem + "_events.tsv"))
            }
            try cohort.compute()
            let found = try Self.rows(cohort, "comparisons")
            let sides = Set(found.map { [$0["factor"], $0["first"], $0["second"]] })
            #expect(sides == [["condition", "busy", "calm"], ["task", "rest", "stress"]])
            let conditions = found.filter { $0["factor"] == "condition" }
            for (signal, index) in [("ecg", "meanHR"), ("eeg:AF7", "alphaRelative"), ("eda", "tonic")] {
                let row = conditions.first { $0["signal"] == signal && $0["index"] == index }
                #expect(row?["nFirst"] == "3" && row?["within"] == "task, session", "\(signal) \(index)")
            }
            // The mean of the epochs within a condition, by hand.
            let row = try #require(
                conditions.first { $0["signal"] == "eeg:AF7" && $0["index"] == "alphaRelative" })
            let (calm, all) = try Self.alpha(cohort)
            #expect(abs((Double(row["meanSecond"] ?? "") ?? .nan) - calm) < 1e-6)
            let wide = try Self.rows(cohort, "indexes_wide").compactMap { Double($0["eeg_AF7_alphaRelative"] ?? "") }
            #expect(abs(wide.reduce(0, +) / Double(wide.count) - all) < 1e-6)
        }
    }

    /// The mean over recordings of `alphaRelative` at AF7 over the epochs of the first half, and over all.
    private static func alpha(_ cohort: SmallCohort) throws -> (calm: Double, all: Double) {
        var (calm, all): ([Double], [Double]) = ([], [])
        for stem in cohort.batch.stems() {
            let path = cohort.batch.marker(stem)?.outputs.first { $0.path.hasSuffix("desc-eeg_physio.tsv") }?.path
            let table = try TextTable(reading: cohort.batch.root.appendingPathComponent(#require(path)))
            let (onsets, channels) = (try table.numbers("onset"), try table.texts("channel"))
            let (durations, values) = (try table.numbers("duration"), try table.numbers("alphaRelative"))
            func mean(_ end: Double) -> Double {
                let own = onsets.indices.filter {
                    channels[$0] == "AF7" && onsets[$0] + durations[$0] <= end + 0.1 && values[$0].isFinite
                }
                return own.reduce(0) { $0 + values[$1] } / Double(own.count)
            }
            calm.append(mean(30))
            all.append(mean(60))
        }
        func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
        return (mean(calm), mean(all))
    }

    @Test(arguments: ["sub-01_ses-1_task-rest_eeg", "sub-01_ses-1_task-rest", "sub-01_ses-1_task-rest_recording-a_ecg"])
    func eventsAreFoundBesideRecordingsHoweverTheseAreNamed(name: String) throws {
        try withTemporaryFolder { folder in
            let cohort = try SmallCohort(in: folder, participants: 1)
            let unit = try #require(try CohortDataset(cohort.data, mapping: nil).units.first)
            let raw = cohort.data.appendingPathComponent("sourcedata/sub-01/ses-1")
            for made in [raw, cohort.data.appendingPathComponent(".marey")] {
                try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
            }
            let recording = cohort.data.appendingPathComponent(unit.recording)
            let place = name.hasSuffix("rest") ? raw : recording.deletingLastPathComponent()
            let moved = place.appendingPathComponent(name + ".edf")
            if moved.path != recording.path { try FileManager.default.moveItem(at: recording, to: moved) }
            // Its stress recording has none: what is called after the session alone serves no task.
            try Data("onset\tduration\ttrial_type\n0\t60\tnever\n".utf8)
                .write(to: place.appendingPathComponent("sub-01_ses-1_events.tsv"))
            try Data(Self.events.utf8).write(to: place.appendingPathComponent("sub-01_ses-1_task-rest_events.tsv"))
            try cohort.compute()
            let page = cohort.batch.root.appendingPathComponent("group/indexes_wide.tsv")
            #expect(try TextTable(reading: page).rowCount == 2)
            var design = GroupDesign()
            design.conditions = ["calm", "busy", "never"]
            var warnings: [String] = []
            _ = try GroupTables(cohort.plan(), design: design).write(warn: { warnings.append($0) })
            #expect(warnings.count { $0.contains("no event is called never") } == 1, "\(warnings)")
            // Its conditions are shorter than some windows and than RMSSD needs.
            #expect(
                warnings.allSatisfy {
                    $0.contains("is called never") || $0.contains("no window of") || $0.hasPrefix("rmssd of ")
                }, "\(warnings)")
        }
    }

    @Test func whatIsMissingAtTheEndOfARecordingIsSaidEverywhere() throws {
        try withTemporaryFolder { folder in
            let cohort = try SmallCohort(in: folder, participants: 3)
            let unit = try #require(try CohortDataset(cohort.data, mapping: nil).units.first)
            let url = cohort.data.appendingPathComponent(unit.recording)
            let whole = try Data(contentsOf: url)
            try whole.prefix(whole.count * 7 / 10).write(to: url)
            try cohort.compute(hasReport: true)
            let told = "data records are missing at the end of the file"
            let log = try String(contentsOf: cohort.batch.log(unit.stem), encoding: .utf8)
            #expect(log.contains("note: ") && log.contains(told))
            for name in ["outliers", "missingness"] {
                let rows = try Self.rows(cohort, name)
                let marked = rows.filter { $0["remarks"]?.contains(told) == true }
                #expect(!marked.isEmpty && marked.allSatisfy { $0["participant"] == "01" && $0["task"] == "rest" })
            }
            for page in ["group/report.html", "sub-01/sub-01_participant.html"] {
                let text = try String(contentsOf: cohort.batch.root.appendingPathComponent(page), encoding: .utf8)
                #expect(text.contains(told), "\(page)")
            }
        }
    }
}
