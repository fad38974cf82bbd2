import Cohort
import Formats
import Foundation
import Signals
import Simulation
import TestSupport
import Testing

/// What recordings are told by: names, places, and what study.yaml says of them.
struct NamesOfRecordingsTests {
    @Test func aSessionThatFolderAndNameTellDifferentlyIsTakenForNeither() throws {
        try withTemporaryFolder { folder in
            let stray = "sub-1/ses-1/ecg/sub-1_ses-2_task-rest_ecg.edf"
            try BIDSFolder.make(
                ["sub-1/ses-1/ecg/sub-1_ses-1_task-rest_ecg.edf", stray, "sub-2/ecg/sub-2_ses-2_ecg.edf"], in: folder)
            let dataset = try CohortDataset(folder, mapping: nil)
            #expect(dataset.units.map(\.stem) == ["sub-1_ses-1_task-rest", "sub-2_ses-2"])
            #expect(dataset.refused.map(\.path) == [stray] && dataset.refused.map(\.participant) == ["1"])
            #expect(dataset.refused.first?.reason == .session(folder: "1", name: "2"))
        }
    }

    @Test(arguments: ["\t", "\n", "\u{1B}", "\u{2028}"])
    func aNameWithControlCharactersKeepsNobodyElseOut(character: String) throws {
        try withTemporaryFolder { folder in
            let stray = "sub-1/ecg/sub-1_acq-a\(character)b_ecg.edf"
            try BIDSFolder.make([stray, "sub-2/ecg/sub-2_task-a b_ecg.edf"], in: folder)
            let dataset = try CohortDataset(folder, mapping: nil)
            #expect(dataset.units.map(\.stem) == ["sub-2_task-a b"])
            #expect(dataset.refused.map(\.path) == [stray])
            #expect(dataset.refused.first?.shownPath.contains(character) == false)
            try FileManager.default.removeItem(at: folder.appendingPathComponent("sub-2"))
            let error = #expect(throws: CohortError.self) { try CohortDataset(folder, mapping: nil) }
            #expect(error?.problem.contains("control character") == true)
        }
    }

    @Test(arguments: [
        ("recordings: []", "cohort.recordings: the list is empty, expected one pattern or more"),
        ("{recordings: a, columns: {sampleRate: .inf}}", "cohort.columns: a sampleRate of inf Hz is not possible"),
        ("{recordings: a, columns: {sampleRate: .nan}}", "cohort.columns: a sampleRate of nan Hz is not possible"),
        ("{recordings: a, columns: {skipRows: -1}}", "cohort.columns: skipRows is -1, expected a number of lines"),
        ("{recordings: a, columns: {samplerate: 4}}", "unknown key cohort.columns.samplerate"),
        ("{recordings: a, columns: {time: {column: t, unti: s}}}", "unknown key cohort.columns.time.unti"),
        ("{recordings: a, columns: {delimiter: ab}}", "cohort.columns: delimiter is 'ab', expected one character"),
        ("{recordings: a, columns: {decimalMark: x}}", "cohort.columns: decimalMark is 'x', expected '.' or ','"),
        ("{recordings: a, columns: {[x]: 1}}", "line 1: keys must be texts"),
    ])
    func whatStudyYAMLSaysOfRecordingsIsRefusedWithFileAndKey(section: String, words: String) throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("study.yaml")
            try Data("cohort: \(section.hasPrefix("{") ? section : "{\(section)}")".utf8).write(to: file)
            let error = #expect(throws: CohortError.self) { try CohortMapping.read(file) }
            #expect(error?.problem.contains("study.yaml: " + words) == true, "\(error?.description ?? "")")
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func aPatternOfManyNamesIsSoonFoundNotToFit() throws {
        try withTemporaryFolder { folder in
            let name = String(repeating: "ab", count: 30)
            try BIDSFolder.make([name + ".edf", name + ".zip"], in: folder)
            let mapping = CohortMapping(recordings: ["{subject}*{session}*{task}*{run}*.zap"])
            #expect(try mapping.units(in: folder).isEmpty)
            let again = CohortMapping(recordings: ["*{subject}*-*{subject}*.edf"])
            #expect(try again.units(in: folder).isEmpty)
        }
    }

    @Test func aNameThatComesAgainStandsForTheSame() throws {
        try withTemporaryFolder { folder in
            try BIDSFolder.make(["xabab-abab.edf", "cd-ab.edf"], in: folder)
            let units = try CohortMapping(recordings: ["*{subject}-{subject}.edf"]).units(in: folder)
            #expect(units.map(\.participant) == ["abab"])
        }
    }

    @Test(arguments: ReadableFormat.endings)
    func resultsAreCalledAfterARecordingWithoutTheEndingOfItsFormat(ending: String) {
        for suffix in ["", ".gz"] where ending != "gz" {
            #expect(AnalysisRun.stem(of: "data/session.one.\(ending)\(suffix)") == "session.one")
            #expect(AnalysisRun.stem(of: "S.\(ending.uppercased())\(suffix)") == "S")
        }
    }

    @Test(arguments: [
        ("session.xdf", "session"), ("a/b.vhdr", "b"), ("100.dat", "100"), ("holter.ecg", "holter"), ("x.tsv.gz", "x"),
        ("S01", "S01"), ("v1.2", "v1.2"), (".edf", ".edf"), ("folder/", "folder"),
    ])
    func resultsAreCalledAfter(file: String, stem: String) {
        #expect(AnalysisRun.stem(of: file) == stem)
    }

    @Test func columnsOfTextAreNoConcernOfOtherFiles() throws {
        try withTemporaryFolder { folder in
            let data = folder.appendingPathComponent("data")
            var parameters = CohortParameters()
            (parameters.participants, parameters.sessions, parameters.duration) = (1, 1, 60)
            (parameters.hasFaults, parameters.signals, parameters.conditions) = (false, ["ecg"], [.rest])
            try SimulatedDataset(SimulatedCohort(parameters), in: folder.appendingPathComponent("made")).write()
            let made = try #require(
                try CohortDataset(folder.appendingPathComponent("made"), mapping: nil).units.first?.recording)
            try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                at: folder.appendingPathComponent("made/" + made), to: data.appendingPathComponent("P1.edf"))
            let temperatures = (0..<240).map { "\(30 + Double($0 % 8) / 10)" }
            try Data(temperatures.joined(separator: "\n").utf8).write(to: data.appendingPathComponent("P2.csv"))
            let map = ColumnMap(sampleRate: 4, columns: [.init(column: "1", kind: .temperature, unit: "°C")])
            let mapping = CohortMapping(recordings: ["{subject}.edf", "{subject}.csv"], columns: map)
            let batch = BatchFolder(folder.appendingPathComponent("results"))
            try batch.make(derivedFrom: "data")
            let plan = try BatchPlan(
                CohortDataset(data, mapping: mapping).units, of: data, into: batch,
                parameters: SmallCohort.parameters, hasReport: false)
            try plan.keep(parameters: SmallCohort.parameters)
            for open in plan.work() {
                let outcome = try UnitRun(batch).perform(open.unit.stem)
                #expect(outcome == .done, "\(open.unit.stem): \(batch.failure(open.unit.stem)?.message ?? "")")
            }
        }
    }
}
