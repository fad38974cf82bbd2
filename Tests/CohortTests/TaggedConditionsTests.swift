import Cohort
import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Tags of recordings as conditions, from the recordings to the tables of the group.
struct TaggedConditionsTests {
    /// A recording with tags in it.
    private final class Tagged: RecordingReader {
        let base: any RecordingReader
        var tags: [Marker]
        var header: RecordingHeader { base.header }

        init(_ base: any RecordingReader, _ tags: [Marker]) { (self.base, self.tags) = (base, tags.reversed()) }

        func next() throws -> RecordingEvent? {
            if let tag = tags.popLast() { return .marker(tag) }
            return try base.next()
        }
    }

    private static let tags = [
        Marker(onset: 0.5, label: "calm", stream: "tags"), Marker(onset: 12, label: "door", stream: "tags"),
        Marker(onset: 28, label: "busy", stream: "tags"), Marker(onset: 56, label: "end", stream: "tags"),
    ]

    private static func tagged(in folder: URL) throws -> SmallCohort {
        let cohort = try SmallCohort(in: folder, participants: 3)
        for unit in try CohortDataset(cohort.data, mapping: nil).units {
            let url = cohort.data.appendingPathComponent(unit.recording)
            let made = folder.appendingPathComponent("tagged.edf")
            try EDFWriter.write(to: made) { Tagged(try RecordingFile.open(url), tags) }
            try FileManager.default.removeItem(at: url)
            try FileManager.default.moveItem(at: made, to: url)
        }
        return cohort
    }

    private static func rows(_ cohort: SmallCohort, _ name: String) throws -> [[String: String]] {
        let table = try TextTable(reading: cohort.batch.root.appendingPathComponent("group/\(name).tsv"))
        let columns = try table.names.map { ($0, try table.texts($0)) }
        return (0..<table.rowCount).map { row in
            Dictionary(uniqueKeysWithValues: columns.map { ($0.0, $0.1[row] ?? "n/a") })
        }
    }

    @Test("every recording with tags has a table of them, and they are conditions where the design says so")
    func conditions() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.tagged(in: folder)
            try cohort.compute()
            let units = try CohortDataset(cohort.data, mapping: nil).units
            for unit in units {
                let url = cohort.batch.root.appendingPathComponent("\(unit.folder)/\(unit.stem)_events.tsv")
                let table = try TextTable(reading: url)
                #expect(try table.texts("trial_type") == ["calm", "door", "busy", "end"])
                let onsets = try table.numbers("onset")
                #expect(zip(onsets, Self.tags).allSatisfy { abs($0 - $1.onset) < 0.01 })
                #expect(FileManager.default.fileExists(atPath: url.deletingPathExtension().path + ".json"))
            }
            // Moments are no conditions by themselves.
            #expect(try Self.rows(cohort, "comparisons").allSatisfy { $0["factor"] != "condition" })

            let file = folder.appendingPathComponent("study.yaml")
            let text = "comparisons: { conditions: [calm, busy], momentsLast: untilNext, momentsEnd: [end] }\n"
            try Data(text.utf8).write(to: file)
            let design = try GroupDesign.read(file)
            var warnings: [String] = []
            _ = try GroupTables(cohort.plan(), design: design).write(warn: { warnings.append($0) })
            let found = try Self.rows(cohort, "comparisons").filter { $0["factor"] == "condition" }
            #expect(Set(found.map { [$0["first"], $0["second"]] }) == [["busy", "calm"]])
            let alpha = try #require(found.first { $0["signal"] == "eeg:AF7" && $0["index"] == "alphaRelative" })
            #expect(alpha["nFirst"] == "3" && alpha["nSecond"] == "3")
            #expect(!warnings.contains { $0.contains("have no duration") }, "\(warnings)")
            // The epochs of calm, by hand: up to the next tag that names a condition, whatever was tagged within.
            let mean = try Self.alpha(cohort, from: 0.5, to: 28)
            #expect(abs((Double(alpha["meanSecond"] ?? "") ?? .nan) - mean) < 1e-6)
        }
    }

    /// The mean over recordings of `alphaRelative` at AF7 over the epochs between two moments.
    private static func alpha(_ cohort: SmallCohort, from begin: Double, to end: Double) throws -> Double {
        let means = try cohort.batch.stems().map { stem -> Double in
            let path = cohort.batch.marker(stem)?.outputs.first { $0.path.hasSuffix("desc-eeg_physio.tsv") }?.path
            let table = try TextTable(reading: cohort.batch.root.appendingPathComponent(#require(path)))
            let (onsets, channels) = (try table.numbers("onset"), try table.texts("channel"))
            let (durations, values) = (try table.numbers("duration"), try table.numbers("alphaRelative"))
            let own = onsets.indices.filter {
                channels[$0] == "AF7" && onsets[$0] >= begin - 0.1 && onsets[$0] + durations[$0] <= end + 0.1
                    && values[$0].isFinite
            }
            return own.reduce(0) { $0 + values[$1] } / Double(own.count)
        }
        return means.reduce(0, +) / Double(means.count)
    }

    @Test("a length in seconds, and a design that makes no sense", arguments: ["20", "never", "2", "[1]"])
    func lengths(value: String) throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("study.yaml")
            try Data("comparisons: { momentsLast: \(value) }\n".utf8).write(to: file)
            if value == "20" {
                #expect(try GroupDesign.read(file).momentsLast == .seconds(20))
            } else {
                #expect(throws: CohortError.self) { try GroupDesign.read(file) }
            }
        }
    }
}
