import Cohort
import Formats
import Foundation
import Study
import TestSupport
import Testing

/// Results written for other programs.
struct ExportTests {
    private struct Oracle: Decodable {
        var python: String
        var validator: String?
    }

    private static func run(_ program: String, _ arguments: [String]) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return output
    }

    private static func oracle() throws -> Oracle {
        try JSONDecoder().decode(Oracle.self, from: Data(contentsOf: OracleData.url("cohort_export.json")))
    }

    @Test func SPSSTakesTheNamesAndMissingValuesAreEmpty() throws {
        try withTemporaryFolder { folder in
            let cohort = try SmallCohort(in: folder)
            try cohort.compute()
            let target = folder.appendingPathComponent("spss")
            let files = try GroupExport(cohort.batch).write(.spss, to: target)
            #expect(files.contains { $0.lastPathComponent == "indexes_wide.sps" })
            let text = try String(contentsOf: target.appendingPathComponent("indexes_wide.csv"), encoding: .utf8)
            let lines = text.split(separator: "\n")
            #expect(lines.count == 5 && !text.contains("n/a"))
            let names = lines[0].split(separator: ",")
            #expect(Set(names.map { $0.lowercased() }).count == names.count)
            for name in names {
                #expect(name.utf8.count <= 64 && name.first?.isLetter == true, "\(name)")
                #expect(name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }, "\(name)")
            }
            #expect(names.contains("eeg_TP9_AF7_alphaCoherence"))
            #expect(lines.dropFirst().allSatisfy { $0.count { $0 == "," } == names.count - 1 })
        }
    }

    @Test func tablesOfAGroupThatWasCutOffAreNotExported() throws {
        try withTemporaryFolder { folder in
            let cohort = try SmallCohort(in: folder)
            try cohort.compute()
            _ = try GroupExport(cohort.batch)
            // A folder where a table is to be: the run ends before all are there.
            let table = cohort.batch.root.appendingPathComponent("group/reliability.tsv")
            try FileManager.default.removeItem(at: table)
            try FileManager.default.createDirectory(at: table, withIntermediateDirectories: true)
            #expect(throws: FormatError.self) { try GroupTables(cohort.plan()).write() }
            let error = #expect(throws: CohortError.self) { try GroupExport(cohort.batch) }
            #expect(error?.problem.contains("did not come to its end") == true)
            try FileManager.default.removeItem(at: table)
            _ = try GroupTables(cohort.plan()).write()
            _ = try GroupExport(cohort.batch)
        }
    }

    @Test func tablesOfResultsThatWereComputedAgainOrAreGoneAreNotExported() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            for person in ["01", "02", "03"] { try cohort.add("\(person)_1_rest", 60 + Double(person.count)) }
            try cohort.compute()
            #expect(try GroupExport(cohort.batch).missing.isEmpty)
            // One more, then one that has changed, then one that is gone.
            try cohort.add("04_1_rest", 70)
            for plan in try cohort.plan().work() { _ = try UnitRun(cohort.batch).perform(plan.unit.stem) }
            #expect(try GroupExport(cohort.batch).missing == ["sub-04_ses-1_task-rest"])
            try cohort.add("02_1_rest", 75)
            for plan in try cohort.plan().work() { _ = try UnitRun(cohort.batch).perform(plan.unit.stem) }
            let changed = #expect(throws: CohortError.self) { try GroupExport(cohort.batch) }
            #expect(changed?.problem.contains("sub-02_ses-1_task-rest") == true)
            try cohort.gather()
            #expect(try GroupExport(cohort.batch).missing.isEmpty)
            try FileManager.default.removeItem(at: cohort.data.appendingPathComponent("03_1_rest.rr"))
            _ = try cohort.batch.noteOrphans(
                besides: CohortDataset(cohort.data, mapping: CohortMapping(recordings: cohort.recordings)))
            let gone = #expect(throws: CohortError.self) { try GroupExport(cohort.batch) }
            #expect(gone?.problem.hasSuffix("sub-03_ses-1_task-rest") == true)
        }
    }

    @Test func exportsWithinADataSetAreNobodysRecordings() throws {
        try withTemporaryFolder { folder in
            var cohort = try IntervalCohort(in: folder)
            cohort.recordings = ["*/{subject}.csv", "{subject}_{session}_{task}.rr"]
            for person in ["01", "02"] { try cohort.add("\(person)_1_rest", 60) }
            try cohort.compute()
            let files = try GroupExport(cohort.batch).write(.spss, to: cohort.data.appendingPathComponent("tables"))
            #expect(files.contains { $0.pathExtension == "csv" })
            #expect(try cohort.plan().entries.map(\.plan.unit.participant) == ["01", "02"])
        }
    }

    @Test(arguments: [(GroupExport.Format.parquet, "indexes_wide.parquet"), (.spss, "indexes_wide.csv")])
    func tablesOfAnotherBatchAreNotReplaced(format: GroupExport.Format, name: String) throws {
        try withTemporaryFolder { folder in
            let cohort = try SmallCohort(in: folder)
            try cohort.compute()
            let target = folder.appendingPathComponent("tables")
            try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
            let theirs = target.appendingPathComponent(name)
            try Data("theirs".utf8).write(to: theirs)
            #expect(throws: CohortError.self) { try GroupExport(cohort.batch).write(format, to: target) }
            #expect(try Data(contentsOf: theirs) == Data("theirs".utf8))
            // Those that were exported from here are.
            try FileManager.default.removeItem(at: theirs)
            for _ in 0..<2 { _ = try GroupExport(cohort.batch).write(format, to: target) }
        }
    }

    @Test func columnsWhoseValuesAreAllMissingHoldNumbersWhereAUnitSaysSo() throws {
        try withTemporaryFolder { folder in
            let cohort = try SmallCohort(in: folder)
            try cohort.compute()
            let target = folder.appendingPathComponent("spss")
            _ = try GroupExport(cohort.batch).write(.spss, to: target)
            let syntax = try String(contentsOf: target.appendingPathComponent("indexes_wide.sps"), encoding: .utf8)
            let wide = try TextTable(
                reading: cohort.batch.root.appendingPathComponent("group/indexes_wide.tsv"))
            let missing = try wide.names.filter { try wide.texts($0).allSatisfy { $0 == nil } }
            // A minute has no very low frequencies; nobody has an acquisition.
            #expect(missing.contains("ecg_vlf") && missing.contains("acquisition") && missing.contains("run"))
            for name in missing {
                #expect(
                    syntax.contains(
                        "  \(name.replacing(":", with: "_")) \(name == "acquisition" ? "A1" : "F8.0")\n"), "\(name)")
            }
        }
    }

    @Test func aFileIsNoFolderForResults() throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("file")
            try Data("x".utf8).write(to: file)
            for path in [file, file.appendingPathComponent("inner"), URL(fileURLWithPath: "/proc/nope")] {
                let error = #expect(throws: CohortError.self) { try BatchFolder(path).make(derivedFrom: "x") }
                #expect(error?.description.contains("Domain") == false && error?.advice != nil, "\(path.path)")
            }
        }
    }

    @Test func theParametersOfASimulatedCohortAreWrittenInOrder() throws {
        try withTemporaryFolder { folder in
            let cohort = try SmallCohort(in: folder, participants: 1)
            let text = try String(contentsOf: cohort.data.appendingPathComponent("simulation.json"), encoding: .utf8)
            let signals = text.components(separatedBy: "\"signals\"").last?.prefix { $0 != "]" } ?? ""
            let places = ["bvp", "ecg", "eda", "eeg"].map { signals.range(of: "\"\($0)\"")?.lowerBound }
            #expect(!places.contains(nil) && places.compactMap { $0 } == places.compactMap { $0 }.sorted())
        }
    }

    @Test func theSyntaxReadsEveryNumber() throws {
        let pspp = "/usr/bin/pspp"
        guard FileManager.default.isExecutableFile(atPath: pspp) else {
            return print("skipped: pspp, which runs SPSS syntax, is not installed")
        }
        try withTemporaryFolder { folder in
            let cohort = try SmallCohort(in: folder)
            try cohort.compute()
            let target = folder.appendingPathComponent("spss")
            let files = try GroupExport(cohort.batch).write(.spss, to: target)
            let syntaxes = files.filter { $0.pathExtension == "sps" }
            #expect(syntaxes.count == 10)
            for syntax in syntaxes {
                let back = folder.appendingPathComponent("back.csv")
                let save = """

                    SAVE TRANSLATE /OUTFILE='\(back.path)' /TYPE=CSV /FIELDNAMES /TEXTOPTIONS FORMAT=PLAIN /REPLACE.
                    """
                try (String(contentsOf: syntax, encoding: .utf8) + save).write(
                    to: syntax, atomically: true, encoding: .utf8)
                let output = try Self.run("/bin/sh", ["-c", "cd \(target.path) && \(pspp) -b -o - \(syntax.path)"])
                #expect(output.isEmpty, "\(String(decoding: output, as: UTF8.self))")
                let written = syntax.deletingPathExtension().appendingPathExtension("csv")
                let (here, there) = (try Self.cells(written), try Self.cells(back))
                #expect(here.count == there.count, "\(syntax.lastPathComponent)")
                for (a, b) in zip(here, there) where a != b {
                    let (x, y) = (try #require(Double(a), "\(a) \(b)"), try #require(Double(b), "\(a) \(b)"))
                    #expect(abs(x - y) <= 1e-12 * abs(x), "\(syntax.lastPathComponent)")
                }
            }
        }
    }

    /// The cells of comma-separated text; what PSPP has for a missing value is as good as nothing.
    private static func cells(_ file: URL) throws -> [String] {
        let text = try String(contentsOf: file, encoding: .utf8)
        return text.split(separator: "\n").flatMap { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map { cell in
                let plain = cell.filter { $0 != "\"" && $0 != " " }
                return plain == "." ? "" : plain
            }
        }
    }

    @Test(.enabled(if: OracleData.has("cohort_export.json")))
    func parquetHoldsTheSameNumbersForPyarrowAndDuckDB() throws {
        try withTemporaryFolder { folder in
            let cohort = try SmallCohort(in: folder)
            try cohort.compute()
            let target = folder.appendingPathComponent("parquet")
            #expect(try GroupExport(cohort.batch).write(.parquet, to: target).count == 10)
            let script = """
                import sys, math, pandas, duckdb, pyarrow.parquet as parquet, pathlib
                group, target = map(pathlib.Path, sys.argv[1:])
                for file in sorted(target.glob("*.parquet")):
                    ours = parquet.read_table(file).to_pandas()
                    theirs = pandas.read_csv(group / (file.stem + ".tsv"), sep="\\t", na_values="n/a", keep_default_na=False,
                                             dtype={c: str for c in ("participant", "session", "task", "acquisition", "condition")})
                    assert list(ours.columns) == list(theirs.columns) and len(ours) == len(theirs), file
                    for column in theirs:
                        a, b = ours[column], theirs[column]
                        assert (a.isna() == b.isna()).all(), (file, column)
                        assert (a[a.notna()].astype(b.dtype) == b[b.notna()]).all(), (file, column)
                    count = duckdb.sql(f"select count(*) from '{file}'").fetchall()[0][0]
                    assert count == len(theirs), (file, count)
                print("same")
                """
            let group = cohort.batch.root.appendingPathComponent("group")
            let output = try Self.run(Self.oracle().python, ["-c", script, group.path, target.path])
            #expect(String(decoding: output, as: UTF8.self) == "same\n")
        }
    }

    private struct Verdict: Decodable {
        struct Issues: Decodable { var issues: [Issue] }
        struct Issue: Decodable {
            var code: String
            var severity: String?
            var location: String?
        }
        var issues: Issues
    }

    @Test(.enabled(if: OracleData.has("cohort_export.json")))
    func theValidatorPassesTheDerivatives() throws {
        guard let validator = try Self.oracle().validator else {
            return print("skipped: bids-validator-deno is not installed beside the references' Python")
        }
        try withTemporaryFolder { folder in
            let cohort = try SmallCohort(in: folder)
            try cohort.compute()
            let target = folder.appendingPathComponent("derivatives")
            #expect(try BIDSExport(cohort.batch, to: target).write() == 4)
            let output = try Self.run(validator, [target.path, "--json"])
            let verdict = try JSONDecoder().decode(Verdict.self, from: output)
            let errors = verdict.issues.issues.filter { $0.severity == "error" }
            #expect(errors.isEmpty, "\(errors.prefix(5))")
            #expect(throws: CohortError.self) { try BIDSExport(cohort.batch, to: target).write() }
        }
    }

    @Test func withoutAGroupThereIsNothingToExport() throws {
        try withTemporaryFolder { folder in
            let batch = BatchFolder(folder)
            #expect(throws: CohortError.self) { try GroupExport(batch) }
        }
    }

    @Test func whatIsNotDoneNowIsNotExportedAsBIDSAndIsNamed() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            for person in 1...3 { try cohort.add("0\(person)_1_rest", 60 + Double(person)) }
            try cohort.compute()
            try cohort.write("no intervals\n", to: "02_1_rest.rr")
            for plan in try cohort.plan().work() { _ = try UnitRun(cohort.batch).perform(plan.unit.stem) }
            let target = folder.appendingPathComponent("bids")
            var warnings: [String] = []
            let count = try BIDSExport(cohort.batch, to: target).write(warn: { warnings.append($0) })
            #expect(
                count == 2 && warnings.count == 1 && warnings[0].contains("sub-02_ses-1_task-rest (failed)"),
                "\(warnings)")
            #expect(!FileManager.default.fileExists(atPath: target.appendingPathComponent("sub-02").path))
        }
    }

    @Test func recordingsThatChangedSinceAreNotDone() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            for person in 1...4 { try cohort.add("0\(person)_1_rest", 60 + Double(person)) }
            try cohort.compute()
            try cohort.write("", to: "02_1_rest.rr")
            try FileManager.default.removeItem(at: cohort.data.appendingPathComponent("03_1_rest.rr"))
            // Another date alone changes nothing.
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1e9)],
                ofItemAtPath: cohort.data.appendingPathComponent("04_1_rest.rr").path)
            #expect(BatchStatus(cohort.batch).rows.map(\.state) == [.done, .pending, .orphaned, .done])
            var warnings: [String] = []
            let count = try BIDSExport(cohort.batch, to: folder.appendingPathComponent("bids"))
                .write(warn: { warnings.append($0) })
            #expect(count == 2 && warnings.count == 1, "\(warnings)")
            #expect(warnings.first?.contains("sub-02_ses-1_task-rest (pending)") == true)
            #expect(warnings.first?.contains("sub-03_ses-1_task-rest (orphaned)") == true)
            // Results alone, without the data set, stand as they were made.
            try FileManager.default.removeItem(at: cohort.data)
            #expect(BatchStatus(cohort.batch).summary == "4 done")
        }
    }

    @Test func labelsOfComparisonsStayTextThoughTheyBeNumbers() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            for person in 1...3 {
                try cohort.add("0\(person)_1_01", 60 + Double(person))
                try cohort.add("0\(person)_1_02", 70 + 1.5 * Double(person))
            }
            try cohort.compute()
            let target = folder.appendingPathComponent("spss")
            _ = try GroupExport(cohort.batch).write(.spss, to: target)
            let syntax = try String(contentsOf: target.appendingPathComponent("comparisons.sps"), encoding: .utf8)
            for name in ["first", "second"] { #expect(syntax.contains("  \(name) A2\n"), "\(syntax)") }
            let table = try String(contentsOf: target.appendingPathComponent("comparisons.csv"), encoding: .utf8)
            #expect(table.contains("task,01,02,"))
        }
    }

    @Test func exportsAreNotedInTheBatchForTheDayWhenSomebodyIsErased() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            for person in 1...3 { try cohort.add("0\(person)_1_rest", 60 + Double(person)) }
            try cohort.compute()
            _ = try GroupExport(cohort.batch).write(.spss, to: folder.appendingPathComponent("tables"))
            _ = try BIDSExport(cohort.batch, to: folder.appendingPathComponent("bids")).write()
            let receipt = try StudyFolder(opening: cohort.batch.root).erase("02")
            #expect(receipt.tableRows.keys.contains { $0.hasSuffix("tables/indexes_wide.csv") })
            #expect(receipt.files.contains { $0.contains("/bids/sub-02/") })
            #expect(
                receipt.copiesElsewhere == [
                    "\(cohort.data.standardizedFileURL.path) (the data set that the batch read)"
                ])
        }
    }
}
