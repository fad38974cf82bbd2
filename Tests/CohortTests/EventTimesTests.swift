import Cohort
import Formats
import Foundation
import TestSupport
import Testing

/// Conditions of BIDS recordings whose time 0 is not that of their events, and events that several recordings share.
struct EventTimesTests {
    private static let events = "onset\tduration\ttrial_type\n0\t120\trest\n120\t120\tstress\n"

    /// Skin conductance of four people that rises from 2 to 4 µS as stress begins, 120 s after the run, in recordings
    /// that begin `lead` seconds before it.
    private static func dataset(in folder: URL, lead: Int) throws -> URL {
        let data = folder.appendingPathComponent("data")
        for person in 1...4 {
            let stem = "sub-0\(person)/func/sub-0\(person)_task-x_physio"
            try write(
                (0..<(240 + lead) * 10).map { tenth in
                    let level = tenth < (120 + lead) * 10 ? 2.0 : 4.0
                    return String(
                        format: "%.5f\n", level + Double(person) / 10 + 0.002 * Double(tenth * (person + 5) % 5))
                }.joined(), to: stem + ".tsv", in: data)
            try write(
                "{\"SamplingFrequency\": 10, \"StartTime\": -\(lead), \"Columns\": [\"eda\"], \"eda\": {\"Units\": \"uS\"}}",
                to: stem + ".json", in: data)
            try compress(data.appendingPathComponent(stem + ".tsv"))
        }
        try write("{\"Name\": \"n\", \"BIDSVersion\": \"1.10.0\"}", to: "dataset_description.json", in: data)
        return data
    }

    private static func write(_ text: String, to path: String, in folder: URL) throws {
        let url = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private static func compress(_ url: URL) throws {
        let gzip = Process()
        gzip.executableURL = URL(fileURLWithPath: "/bin/gzip")
        gzip.arguments = ["-fn", url.path]
        try gzip.run()
        gzip.waitUntilExit()
    }

    /// The difference of the level of skin conductance between stress and rest over all people.
    private static func difference(_ data: URL, _ design: GroupDesign = GroupDesign()) throws -> Double {
        let batch = BatchFolder(data.deletingLastPathComponent().appendingPathComponent("results"))
        try batch.make(derivedFrom: "data")
        let units = try CohortDataset(data, mapping: nil).units
        func plan() throws -> BatchPlan {
            try BatchPlan(units, of: data, into: batch, parameters: SmallCohort.parameters, hasReport: false)
        }
        let first = try plan()
        try first.keep(parameters: SmallCohort.parameters)
        for plan in first.work() { _ = try UnitRun(batch).perform(plan.unit.stem) }
        _ = try GroupTables(plan(), design: design, hasPages: false).write()
        let table = try TextTable(reading: batch.root.appendingPathComponent("group/comparisons.tsv"))
        let (factors, indexes) = (try table.texts("factor"), try table.texts("index"))
        let (people, differences) = (try table.numbers("nFirst"), try table.numbers("difference"))
        let row = factors.indices.first { factors[$0] == "condition" && indexes[$0] == "tonic" && people[$0] == 4 }
        return try differences[#require(row, "no comparison of conditions over four people")]
    }

    @Test(arguments: [0, 60]) func conditionsCountFromTheRunsStartAlsoWhereTheRecordingBeganBefore(lead: Int) throws {
        try withTemporaryFolder { folder in
            let data = try Self.dataset(in: folder, lead: lead)
            for person in 1...4 {
                try Self.write(Self.events, to: "sub-0\(person)/func/sub-0\(person)_task-x_events.tsv", in: data)
            }
            // The level takes some seconds to follow.
            #expect(abs(try Self.difference(data) - 2) < 0.1)
            var design = GroupDesign()
            design.events = "sub-{subject}/func/sub-{subject}_task-{task}_events.tsv"
            #expect(abs(try Self.difference(data, design) - 2) < 0.1)
        }
    }

    @Test(arguments: [0, 60]) func exportedOnsetsCountFromTheRunsStart(lead: Int) throws {
        try withTemporaryFolder { folder in
            let data = try Self.dataset(in: folder, lead: lead)
            try Self.write(Self.events, to: "task-x_events.tsv", in: data)
            _ = try Self.difference(data)
            let batch = BatchFolder(folder.appendingPathComponent("results"))
            let target = folder.appendingPathComponent("derivatives")
            #expect(try BIDSExport(batch, to: target).write() == 4)
            func file(_ folder: URL, _ ending: String) throws -> URL {
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                let name = try #require(names.first { $0.hasSuffix(ending) }, "\(names)")
                return folder.appendingPathComponent(name)
            }
            let results = batch.root.appendingPathComponent("sub-01")
            let exported = target.appendingPathComponent("sub-01/beh")
            let before = try TextTable(reading: file(results, "_desc-scl_physio.tsv"))
            let after = try TextTable(reading: file(exported, "Scl_events.tsv"))
            let onsets = try (before.numbers("onset"), after.numbers("onset"))
            #expect(!onsets.0.isEmpty && onsets.1 == onsets.0.map { $0 - Double(lead) })
            #expect(try after.texts("meanSCL") == before.texts("meanSCL"))
            // The recording's own events are exported too.
            func own(_ folder: URL) throws -> TextTable {
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                let name = try #require(
                    names.first { $0.hasSuffix("_events.tsv") && !$0.contains("_desc-") }, "\(names)")
                return try TextTable(reading: folder.appendingPathComponent(name))
            }
            let events = (before: try own(results), after: try own(exported))
            #expect(try events.after.numbers("onset") == events.before.numbers("onset").map { $0 - Double(lead) })
            #expect(try events.after.texts("trial_type") == events.before.texts("trial_type"))
            let told = try String(contentsOf: file(exported, "Scl_events.json"), encoding: .utf8)
            #expect(told.contains("seconds from the start of the run") == (lead > 0), "\(told)")
            let sidecar = try String(contentsOf: file(results, "_desc-scl_physio.json"), encoding: .utf8)
            #expect(
                sidecar.contains("the run, from whose start the source counts its times, begins at 60 s") == (lead > 0))
            let provenance = try String(contentsOf: file(results, "_provenance.json"), encoding: .utf8)
            #expect(provenance.contains("\"sourceOrigin\" : 60") == (lead > 0))
        }
    }

    @Test func oneTableOfEventsAboveSeveralRecordingsIsInheritedAndTheNearestCounts() throws {
        try withTemporaryFolder { folder in
            let data = try Self.dataset(in: folder, lead: 30)
            try Self.write(Self.events, to: "task-x_events.tsv", in: data)
            // Neither those of another task nor those without a task are meant.
            for name in ["task-y_events.tsv", "sub-02/sub-02_events.tsv"] {
                try Self.write("onset\tduration\ttrial_type\n0\t240\tother\n", to: name, in: data)
            }
            #expect(abs(try Self.difference(data) - 2) < 0.1)
            let recording = data.appendingPathComponent("sub-01/func/sub-01_task-x_physio.tsv.gz")
            #expect(BIDSEvents.file(for: recording)?.lastPathComponent == "task-x_events.tsv")
            #expect(try RecordingFile.inputs(of: recording).count == 3)
            try Self.write(Self.events, to: "sub-01/sub-01_task-x_events.tsv", in: data)
            #expect(BIDSEvents.file(for: recording)?.lastPathComponent == "sub-01_task-x_events.tsv")
        }
    }
}
