import Cohort
import Formats
import Foundation
import Pipeline
import TestSupport
import Testing

/// A cohort in which more is broken than whole.
struct BrokenParticipantsTests {
    /// What lies in the cohort's folder beside two whole recordings: name, bytes, and a word of the reason.
    private static let kinds: [(name: String, bytes: [UInt8], word: String)] = [
        ("empty.edf", [], "empty"),
        ("noise.edf", (0..<4_000).map { UInt8(truncatingIfNeeded: $0 &* 7_919 &>> 3) }, "byte 0"),
        ("half.edf", [], "header"),
        ("torn.zip", Array("PK\u{3}\u{4}and nothing of what follows".utf8), "zip"),
        ("alone.hea", Array("alone 1 360 1000\nalone.dat 16 200(0)/mV 16 0 0 0 0 ECG\n".utf8), "alone.dat"),
        ("words.csv", Array("this is,no table\nof numbers,at all\n".utf8), "numbers"),
        ("cut.xdf", Array("XDF:\u{1}\u{4}".utf8) + [0xFF, 0xFF], "header"),
        ("vision.vhdr", Array("Brain Vision Data Exchange Header File Version 1.0\n[Common Infos]\n".utf8), "DataFile"),
        ("binary.tsv", [0xFF, 0xFE, 0, 1, 2, 3], "numbers"),
        ("folder.edf", [], "directory"),
        ("markers.csv", Array("time,comment\n0,begin\n1,end\n".utf8), "markers"),
    ]

    private static func make(in folder: URL) throws -> SmallCohort {
        let cohort = try SmallCohort(in: folder)
        let whole = try CohortDataset(cohort.data, mapping: nil).units.map {
            cohort.data.appendingPathComponent($0.recording)
        }
        let flat = folder.appendingPathComponent("flat")
        try FileManager.default.createDirectory(at: flat, withIntermediateDirectories: true)
        for (place, recording) in whole.prefix(2).enumerated() {
            try FileManager.default.copyItem(at: recording, to: flat.appendingPathComponent("whole\(place + 1).edf"))
        }
        for kind in kinds where kind.name != "folder.edf" && kind.name != "half.edf" {
            try Data(kind.bytes).write(to: flat.appendingPathComponent(kind.name))
        }
        try Data(contentsOf: whole[0]).prefix(700).write(to: flat.appendingPathComponent("half.edf"))
        try FileManager.default.createDirectory(
            at: flat.appendingPathComponent("folder.edf"), withIntermediateDirectories: true)
        return cohort
    }

    @Test func eachFailsAloneWithItsReasonAndTheOthersAreDone() throws {
        try withTemporaryFolder { folder in
            let batch = try Self.make(in: folder).batch
            let flat = folder.appendingPathComponent("flat")
            let patterns = ["edf", "zip", "hea", "csv", "xdf", "vhdr", "tsv"].map { "{subject}.\($0)" }
            let units = try CohortMapping(recordings: patterns).units(in: flat)
            #expect(units.count == Self.kinds.count + 2)
            let plan = try BatchPlan(units, of: flat, into: batch, parameters: SmallCohort.parameters, hasReport: false)
            try plan.keep(parameters: SmallCohort.parameters)
            for plan in plan.work() { _ = try UnitRun(batch).perform(plan.unit.stem) }

            for kind in Self.kinds {
                let stem = "sub-" + kind.name.prefix { $0 != "." }
                let failure = try #require(batch.failure(stem), "\(stem) did not fail")
                #expect([.unreadable, .notAnalyzable].contains(failure.kind), "\(failure)")
                #expect(failure.message.contains(kind.word), "\(failure.message)")
                #expect(failure.message.contains(kind.name.prefix { $0 != "." }), "\(failure.message)")
                #expect(failure.place != nil)
            }
            let after = try BatchPlan(
                units, of: flat, into: batch, parameters: SmallCohort.parameters, hasReport: false)
            #expect(after.entries.filter { $0.state == .done }.map(\.plan.unit.participant) == ["whole1", "whole2"])

            #expect(try GroupTables(after).write() == 2)
            let group = batch.root.appendingPathComponent("group")
            let failures = try TextTable(reading: group.appendingPathComponent("failures.tsv"))
            #expect(failures.rowCount == Self.kinds.count)
            #expect(try failures.texts("message").allSatisfy { $0 != nil })
            let page = try String(contentsOf: group.appendingPathComponent("report.html"), encoding: .utf8)
            for kind in Self.kinds { #expect(page.contains("sub-" + kind.name.prefix { $0 != "." }), "\(kind.name)") }
        }
    }

    /// Columns at 4 Hz for a minute, under these headings.
    private static func table(_ headings: String...) -> Data {
        let rows = (0..<240).map { row in
            (["\(Double(row) / 4)"] + headings.indices.map { "\(30 + 4 * $0 + row % 7)" }).joined(separator: ",")
        }
        return Data(((["time"] + headings).joined(separator: ",") + "\n" + rows.joined(separator: "\n") + "\n").utf8)
    }

    @Test func whatToDoAboutColumnsOfUnclearKindIsToldInWordsThatABatchKnows() throws {
        try withTemporaryFolder { folder in
            var cohort = try IntervalCohort(in: folder)
            cohort.recordings = ["{subject}.csv"]
            try Self.table("Ch1").write(to: cohort.data.appendingPathComponent("01.csv"))
            for plan in try cohort.plan().work() { _ = try UnitRun(cohort.batch).perform(plan.unit.stem) }
            let failure = try #require(cohort.batch.failure("sub-01"))
            #expect(failure.kind == .notAnalyzable && failure.message.contains("study.yaml"), "\(failure.message)")
            #expect(!failure.message.contains("--stream"))
        }
    }

    @Test func aBrokenSidecarIsNamedByItsPathWithinTheDataSet() throws {
        try withTemporaryFolder { folder in
            let data = folder.appendingPathComponent("data")
            let place = data.appendingPathComponent("sub-01/beh")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try Data("{\"Name\": \"n\", \"BIDSVersion\": \"1.10.0\"}".utf8)
                .write(to: data.appendingPathComponent("dataset_description.json"))
            // Nothing, compressed.
            let nothing: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
            for (ending, bytes) in ["tsv.gz": nothing, "json": Array("[1]".utf8)] {
                try Data(bytes).write(to: place.appendingPathComponent("sub-01_task-rest_physio." + ending))
            }
            let batch = BatchFolder(folder.appendingPathComponent("results"))
            try batch.make(derivedFrom: "data")
            let plan = try BatchPlan(
                CohortDataset(data, mapping: nil).units, of: data, into: batch, parameters: SmallCohort.parameters,
                hasReport: false)
            try plan.keep(parameters: SmallCohort.parameters)
            #expect(try UnitRun(batch).perform("sub-01_task-rest") == .failed)
            let failure = try #require(batch.failure("sub-01_task-rest"))
            #expect(failure.place == "sub-01/beh/sub-01_task-rest_physio.json", "\(failure.place ?? "")")
            #expect(failure.message.hasPrefix("sub-01/beh/sub-01_task-rest_physio.json: is no JSON object"))
        }
    }

    @Test func aSignalInAUnitThatCannotBeReadIsToldOf() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            try Self.table("EDA").write(to: cohort.data.appendingPathComponent("alone.csv"))
            try Self.table("EDA", "TEMP [°C]").write(to: cohort.data.appendingPathComponent("beside.csv"))
            var units = cohort
            units.recordings = ["{subject}.csv"]
            for plan in try units.plan().work() { _ = try UnitRun(units.batch).perform(plan.unit.stem) }
            let told = "stream eda: it has no unit, and eda is read in µS"
            let failure = try #require(units.batch.failure("sub-alone"))
            #expect(failure.kind == .notAnalyzable && failure.message.contains(told), "\(failure.message)")
            #expect(units.batch.marker("sub-beside") != nil)
            let log = try String(contentsOf: units.batch.log("sub-beside"), encoding: .utf8)
            #expect(log.contains("note: \(told)"), "\(log)")
        }
    }
}
