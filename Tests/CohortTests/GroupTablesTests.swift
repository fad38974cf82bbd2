import Cohort
import Formats
import Foundation
import Pipeline
import Signals
import Study
import TestSupport
import Testing

/// The tables and pages over a cohort.
struct GroupTablesTests {
    @Test func everySignalOfEveryRecordingIsInTheTables() throws {
        try withTemporaryFolder { folder in
            let cohort = try SmallCohort(in: folder)
            try cohort.compute()
            let group = cohort.batch.root.appendingPathComponent("group")
            let long = try TextTable(reading: group.appendingPathComponent("indexes_long.tsv"))
            let signals = Set(try long.texts("signal").compactMap { $0?.split(separator: ":").first.map(String.init) })
            #expect(signals == ["ecg", "bvp", "eda", "eeg"])
            let names = Set(try long.texts("index").compactMap { $0 })
            #expect(names.isSuperset(of: ["meanHR", "rmssd", "meanSCL", "alphaPower", "respirationRate", "blink"]))
            let wide = try TextTable(reading: group.appendingPathComponent("indexes_wide.tsv"))
            #expect(wide.rowCount == 4)
            for column in ["ecg_meanHR", "bvp_meanHR", "eda_meanSCL", "eeg_AF7_alphaPower"] {
                #expect(try wide.numbers(column).allSatisfy(\.isFinite), "\(column)")
            }
        }
    }

    @Test func aBatchAndAnAnalysisGiveTheSameTables() throws {
        try withTemporaryFolder { folder in
            let cohort = try SmallCohort(in: folder, participants: 1)
            let unit = try #require(try cohort.plan().work().first?.unit)
            #expect(try UnitRun(cohort.batch).perform(unit.stem) == .done)
            let alone = ResultFolder(folder.appendingPathComponent("alone"), stem: unit.stem)
            var run = AnalysisRun(
                input: cohort.data.appendingPathComponent(unit.recording), parameters: SmallCohort.parameters,
                results: alone)
            run.writesReport = false
            _ = try run.perform()
            let names = try FileManager.default.contentsOfDirectory(atPath: alone.folder.path).filter {
                $0.hasSuffix(".tsv")
            }
            #expect(names.count > 20)
            for name in names {
                let batch = cohort.batch.root.appendingPathComponent(unit.folder).appendingPathComponent(name)
                #expect(
                    try Data(contentsOf: batch) == Data(contentsOf: alone.folder.appendingPathComponent(name)),
                    "\(name)")
            }
        }
    }

    @Test func thePagesLeadToOneAnotherAndHaveTheirNumbersBesideThem() throws {
        try withTemporaryFolder { folder in
            let cohort = try SmallCohort(in: folder, participants: 3)
            try cohort.compute(hasReport: true)
            let group = cohort.batch.root.appendingPathComponent("group/report.html")
            let pages = try Self.links(in: group).filter { $0.path.hasSuffix("_participant.html") }
            #expect(
                pages.map(\.lastPathComponent).sorted() == [
                    "sub-01_participant.html", "sub-02_participant.html", "sub-03_participant.html",
                ])
            for page in pages {
                let links = try Self.links(in: page)
                #expect(links.count { $0.path.hasSuffix("_report.html") } == 2, "a page per recording")
                #expect(links.contains { $0.path == group.standardizedFileURL.path })
                #expect(links.allSatisfy { FileManager.default.fileExists(atPath: $0.path) })
            }
            // The pages about people take nothing away from those about recordings.
            #expect(try cohort.plan(hasReport: true).work().isEmpty)
            let figures = group.deletingLastPathComponent().appendingPathComponent("figures")
            let names = try FileManager.default.contentsOfDirectory(atPath: figures.path).sorted()
            #expect(names.contains("missingness.tsv") && names.contains("contrast-0-forest.tsv"))
            for name in names where name.hasSuffix(".tsv") {
                let table = try TextTable(reading: figures.appendingPathComponent(name))
                #expect(table.rowCount > 0, "\(name)")
                let sidecar = figures.appendingPathComponent(name.dropLast(4) + ".json")
                let columns = try JSONSerialization.jsonObject(with: Data(contentsOf: sidecar)) as? [String: Any] ?? [:]
                #expect(Set(columns.keys) == Set(table.names), "\(name)")
            }
            let drawn = try String(contentsOf: figures.appendingPathComponent("caterpillar-0.json"), encoding: .utf8)
            #expect(drawn.contains("\"Units\": \""), "\(drawn)")
        }
    }

    @Test func theOrderOfTheWorkLeavesNoTrace() throws {
        try withTemporaryFolder { folder in
            func results(_ name: String, _ order: ([String]) -> [String]) throws -> [String: Data] {
                let cohort = try SmallCohort(in: folder.appendingPathComponent(name))
                for stem in order(try cohort.plan(hasReport: true).work().map(\.unit.stem)) {
                    #expect(try UnitRun(cohort.batch).perform(stem) == .done)
                }
                _ = try GroupTables(cohort.plan(hasReport: true)).write()
                let all = FileManager.default.enumerator(atPath: cohort.batch.root.path)?.compactMap { $0 as? String }
                var found: [String: Data] = [:]
                for path in all ?? [] where !path.hasPrefix(".marey") && !path.hasPrefix("logs") {
                    found[path] = FileManager.default.contents(
                        atPath: cohort.batch.root.appendingPathComponent(path).path)
                }
                return found
            }
            let forward = try results("forward") { $0 }
            let backward = try results("backward") { $0.reversed() }
            #expect(forward.count > 150)
            #expect(forward.keys.sorted() == backward.keys.sorted())
            for (path, content) in forward where backward[path] != content { Issue.record("\(path) differs") }
        }
    }

    @Test func theCalibrationsOfAStudyAreOnThePage() throws {
        try withTemporaryFolder { folder in
            let cohort = try SmallCohort(in: folder)
            let study = try StudyFolder(opening: cohort.data)
            let bookkeeping = try Bookkeeping(study)
            let now = Timestamp(secondsSince1970: 1_770_000_000)
            for label in ["01", "02", "03"] { try bookkeeping.addParticipant(label, at: now) }
            for (label, statuses) in [("01", [0, 1, 2]), ("02", [0])] {
                for status in statuses {
                    try bookkeeping.noteCalibration(
                        CalibrationEntry(
                            participant: label, prediction: "enjoyment", time: now, action: "x", status: status,
                            cause: "", who: "test"))
                }
            }
            try cohort.batch.noteCalibrations(of: cohort.data)
            try cohort.compute()
            let figure = cohort.batch.root.appendingPathComponent("group/figures/ladder.tsv")
            let table = try TextTable(reading: figure)
            #expect(try table.texts("prediction") == ["enjoyment"])
            for (step, count) in [("unknown", 1.0), ("blocked", 0), ("needs calibration", 1), ("model available", 1)] {
                #expect(try table.numbers(step) == [count], "\(step)")
            }
            let page = cohort.batch.root.appendingPathComponent("group/report.html")
            #expect(try String(contentsOf: page, encoding: .utf8).contains("Calibration ladder"))
        }
    }

    /// Where a page leads to, pages and files of this machine.
    private static func links(in page: URL) throws -> [URL] {
        let text = try String(contentsOf: page, encoding: .utf8)
        return text.components(separatedBy: "href=\"").dropFirst().compactMap { rest in
            let address = String(rest.prefix { $0 != "\"" })
            guard !address.hasPrefix("#"), !address.contains(":") else { return nil }
            return URL(fileURLWithPath: address, relativeTo: page.deletingLastPathComponent()).standardizedFileURL
        }
    }

    @Test func outputsThatAreLeftOutHaveNoTables() throws {
        try withTemporaryFolder { folder in
            let cohort = try SmallCohort(in: folder, participants: 1)
            var parameters = SmallCohort.parameters
            parameters.outputs = [.hrv, .eda]
            let units = try CohortDataset(cohort.data, mapping: nil).units
            let plan = try BatchPlan(
                units, of: cohort.data, into: cohort.batch, parameters: parameters, hasReport: true)
            try plan.keep(parameters: parameters)
            let unit = try #require(plan.work().first?.unit)
            #expect(try UnitRun(cohort.batch).perform(unit.stem) == .done)
            let topics = try #require(cohort.batch.marker(unit.stem)).outputs.map(\.path).filter {
                $0.hasSuffix(".tsv")
            }
            #expect(topics.contains { $0.contains("ecg_desc-hrv") } && topics.contains { $0.contains("eda_desc-scl") })
            for part in ["recording-eeg", "rhythm", "respiration", "quality"] {
                #expect(!topics.contains { $0.contains(part) }, "\(part)")
            }
        }
    }
}
