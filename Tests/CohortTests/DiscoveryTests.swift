import Cohort
import Formats
import Foundation
import Pipeline
import TestSupport
import Testing

/// Which recordings a cohort has, and what they are called.
struct DiscoveryTests {
    @Test func recordingsOfABIDSDatasetAreFoundAndOthersAreNot() throws {
        try withTemporaryFolder { folder in
            try BIDSFolder.make(
                [
                    "sub-01/ses-a/eeg/sub-01_ses-a_task-rest_run-1_eeg.edf",
                    "sub-01/ses-a/eeg/sub-01_ses-a_task-rest_run-1_eeg.json",
                    "sub-01/ses-a/eeg/sub-01_ses-a_task-rest_run-1_channels.tsv",
                    "sub-02/eeg/sub-02_task-rest_eeg.vhdr", "sub-02/eeg/sub-02_task-rest_eeg.eeg",
                    "sub-02/eeg/sub-02_task-set_eeg.set", "sub-02/eeg/sub-02_task-set_eeg.fdt",
                    "sub-02/func/sub-02_task-go_physio.tsv.gz", "sub-02/func/sub-02_task-go_bold.nii.gz",
                    "derivatives/x/sub-03/eeg/sub-03_task-rest_eeg.edf", "sourcedata/sub-04/sub-04_task-rest.xdf",
                    "sourcedata/sub-05/scan.zip",
                ], in: folder)
            let found = try CohortDataset(folder, mapping: nil).units
            #expect(
                found.map(\.stem) == [
                    "sub-01_ses-a_task-rest_run-1", "sub-02_task-go", "sub-02_task-rest", "sub-02_task-set",
                    "sub-04_task-rest",
                ])
            #expect(found[0].folder == "sub-01/ses-a")
        }
    }

    @Test func resultsGoIntoNoFolderWithRecordings() throws {
        try withTemporaryFolder { folder in
            try BIDSFolder.make(["sub-01/eeg/sub-01_task-rest_eeg.edf", "derivatives/other/x.tsv"], in: folder)
            let dataset = try CohortDataset(folder, mapping: nil)
            let link = folder.appendingPathComponent("link")
            try FileManager.default.createSymbolicLink(
                at: link, withDestinationURL: folder.appendingPathComponent("sub-01"))
            for output in [folder, folder.appendingPathComponent("sub-01"), link] {
                #expect(throws: CohortError.self) { try dataset.demandApart(from: output) }
            }
            for output in ["derivatives/marey", "derivatives", "sub-01/results", "sub-0"] {
                try dataset.demandApart(from: folder.appendingPathComponent(output))
            }
        }
    }

    @Test func rawRecordingsStandForTheFilesExportedFromThem() throws {
        try withTemporaryFolder { folder in
            try BIDSFolder.make(
                ["sub-01/eeg/sub-01_task-rest_eeg.edf", "sourcedata/sub-01/sub-01_task-rest.xdf"], in: folder)
            let found = try BIDSDataset(folder).units()
            #expect(found.map(\.recording) == ["sourcedata/sub-01/sub-01_task-rest.xdf"])
        }
    }

    @Test func whatWasAddedToAStudyIsFoundInTheRunsOwnFolderToo() throws {
        try withTemporaryFolder { folder in
            try BIDSFolder.make(
                [
                    ".marey/study.sqlite", "sourcedata/sub-01/sub-01.zip", "sourcedata/sub-02/sub-02/100.hea",
                    "sourcedata/sub-02/sub-02/100.dat", "sourcedata/sub-03/ses-1/sub-03_ses-1/S03/BVP.csv",
                    "sourcedata/sub-04/sub-04_desc-edits_beats.tsv", "sourcedata/sub-05/sub-05_run-1.acq",
                    "sourcedata/sub-05/sub-05_run-2.ecg", "sourcedata/sub-05/sub-05_run-3.edf.gz",
                    "sourcedata/sub-06/sub-06/nsr001.hea", "sourcedata/sub-06/sub-06/nsr001.ecg",
                    "sourcedata/sub-07/sub-07/a.fdt", "sourcedata/sub-07/sub-07/a.set", "sourcedata/sub-08/sub-08.set",
                ], in: folder)
            #expect(
                try BIDSDataset(folder).units().map(\.recording) == [
                    "sourcedata/sub-01/sub-01.zip", "sourcedata/sub-02/sub-02/100.hea",
                    "sourcedata/sub-03/ses-1/sub-03_ses-1/S03", "sourcedata/sub-05/sub-05_run-1.acq",
                    "sourcedata/sub-05/sub-05_run-2.ecg", "sourcedata/sub-05/sub-05_run-3.edf.gz",
                    "sourcedata/sub-06/sub-06/nsr001.hea", "sourcedata/sub-07/sub-07/a.set",
                    "sourcedata/sub-08/sub-08.set",
                ])
        }
    }

    @Test func recordingsThatLeadToOtherFilesAreFoundInTheRunsOwnFolder() throws {
        try withTemporaryFolder { folder in
            let run = "sourcedata/sub-01/sub-01_task-x/"
            try BIDSFolder.make(
                [".marey/study.sqlite", run + "sub-9_task-y_physio.json", run + "sub-9_task-y_physio.tsv"], in: folder)
            func write(_ text: String, _ name: String) throws {
                try Data(text.utf8).write(to: folder.appendingPathComponent(run + name))
            }
            try write(#"{"SamplingFrequency": 10, "StartTime": 0, "Columns": ["cardiac"]}"#, "sub-9_task-y_physio.json")
            try write((0..<100).map { "\($0 % 7)\n" }.joined(), "sub-9_task-y_physio.tsv")
            let table = folder.appendingPathComponent(run + "sub-9_task-y_physio.tsv")
            try Process.run(URL(fileURLWithPath: "/bin/gzip"), arguments: ["-n", table.path]).waitUntilExit()
            let found = try BIDSDataset(folder).units()
            #expect(found.map(\.recording) == [run + "sub-9_task-y_physio.tsv.gz"])
            #expect(found.map(\.stem) == ["sub-01_task-x"])
        }
    }

    @Test func recordingsWithTheSameLabelsAreToldApart() throws {
        try withTemporaryFolder { folder in
            try BIDSFolder.make(
                [
                    "sub-01/eeg/sub-01_task-rest_eeg.edf",
                    "sub-01/eeg/sub-01_task-rest_recording-cardiac_physio.tsv.gz",
                    "sub-01/eeg/sub-01_task-rest_recording-respiratory_physio.tsv.gz",
                ], in: folder)
            #expect(
                try BIDSDataset(folder).units().map(\.stem) == [
                    "sub-01_task-rest_acq-cardiac", "sub-01_task-rest_acq-eeg", "sub-01_task-rest_acq-respiratory",
                ])
        }
    }

    @Test(arguments: [
        (
            "{subject}/{session}/*.zip", ["P1/am/x.zip", "P1/pm/y.zip", "P1/am/x.txt", "z.zip"],
            [
                "sub-P1_ses-am", "sub-P1_ses-pm",
            ]
        ),
        ("S{subject}_{run}.edf", ["S07_1.edf", "S07_2.edf", "T01_1.edf"], ["sub-07_run-1", "sub-07_run-2"]),
        ("**/{subject}_{task}.hea", ["a/b/100_rest.hea", "101_rest.hea"], ["sub-100_task-rest", "sub-101_task-rest"]),
        ("{subject}/{subject}.csv", ["a/a.csv", "a/b.csv"], ["sub-a"]),
        ("p-?-{subject}.rr", ["p-1-me_too.rr"], ["sub-metoo"]),
    ])
    func patternsFindRecordingsAndTheirLabels(pattern: String, files: [String], expected: [String]) throws {
        try withTemporaryFolder { folder in
            try BIDSFolder.make(files, in: folder)
            #expect(try CohortMapping(recordings: [pattern]).units(in: folder).map(\.stem) == expected)
        }
    }

    @Test(arguments: ["*.zip", "/abs/{subject}", "../{subject}", "{subjet}.zip", "{subject"])
    func aPatternThatMakesNoSenseIsRefused(pattern: String) throws {
        try withTemporaryFolder { folder in
            _ = #expect(throws: CohortError.self) { try CohortMapping(recordings: [pattern]).units(in: folder) }
        }
    }

    @Test func aRecordingThatFitsSeveralPatternsIsTakenByTheFirst() throws {
        try withTemporaryFolder { folder in
            try BIDSFolder.make(["S01_rest.rr", "S02.rr"], in: folder)
            let mapping = CohortMapping(recordings: ["S{subject}_{task}.rr", "S{subject}.rr"])
            #expect(try mapping.units(in: folder).map(\.stem) == ["sub-01_task-rest", "sub-02"])
        }
    }

    @Test func twoRecordingsOfOneNameAreRefused() throws {
        try withTemporaryFolder { folder in
            try BIDSFolder.make(["a-1.edf", "a_1.edf"], in: folder)
            #expect(throws: CohortError.self) { try CohortMapping(recordings: ["{subject}.edf"]).units(in: folder) }
        }
    }

    @Test func theMappingIsReadFromTheStudysFile() throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("study.yaml")
            try Data("hrv:\n  window: 60\n".utf8).write(to: file)
            #expect(try CohortMapping.read(file) == nil)
            try Data("cohort:\n  recordings: \"{subject}.csv\"\n  task: rest\n  columns:\n    sampleRate: 64\n".utf8)
                .write(to: file)
            let mapping = try #require(try CohortMapping.read(file))
            #expect(mapping.recordings == ["{subject}.csv"])
            #expect(mapping.task == "rest")
            #expect(mapping.columns?.sampleRate == 64)
            try Data("cohort:\n  recording: \"{subject}.csv\"\n".utf8).write(to: file)
            #expect(throws: CohortError.self) { try CohortMapping.read(file) }
        }
    }

    @Test(arguments: [
        ("cohort: {}\n", "cohort: lacks recordings"), ("cohort: a.csv\n", "cohort: expected entries"),
        ("cohort: { recordings: { a: 1 } }\n", "cohort.recordings: expected a list"),
        (
            "cohort: { recordings: \"{subject}.csv\", columns: { sampleRate: fast } }\n",
            "cohort.columns.sampleRate: expected a number"
        ),
        ("comparisons: { conditions: stress }\n", "comparisons.conditions: expected a list"),
        ("comparisons: { reference: [a] }\n", "comparisons.reference: expected a text"),
        ("outputs: [hrv, foo]\n", "outputs[2]: 'foo' is no output; there are quality, hrv"),
        ("hrv: { window: wide }\n", "hrv.window: expected a number"), ("cohort: [\n", "is not YAML"),
    ])
    func mistakesInTheStudysFileAreToldInPlainWordsWithTheirPlace(text: String, told: String) throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("study.yaml")
            try Data(text.utf8).write(to: file)
            let error = #expect(throws: (any Error).self) {
                _ = try CohortMapping.read(file)
                _ = try GroupDesign.read(file)
                _ = try Parameters(reading: file)
            }
            let words = error.map { "\($0)" } ?? ""
            #expect(words.contains("study.yaml: \(told)"), "\(words)")
            #expect(!words.contains("Decoding") && !words.contains("codingPath"), "\(words)")
        }
    }

    @Test func labelsAreChosenWithOrWithoutTheirPrefix() throws {
        try withTemporaryFolder { folder in
            try BIDSFolder.make(["1_a.edf", "1_b.edf", "2_a.edf"], in: folder)
            let all = try CohortMapping(recordings: ["{subject}_{session}.edf"]).units(in: folder)
            func stems(_ selection: UnitSelection) throws -> [String] { try selection.chosen(of: all).map(\.stem) }
            #expect(try stems(UnitSelection(participants: ["sub-1"])) == ["sub-1_ses-a", "sub-1_ses-b"])
            #expect(
                try stems(UnitSelection(participants: ["1,2"], sessions: ["ses-a"])) == ["sub-1_ses-a", "sub-2_ses-a"])
            #expect(throws: CohortError.self) { try stems(UnitSelection(participants: ["3"])) }
            #expect(throws: CohortError.self) { try stems(UnitSelection(tasks: ["rest"])) }
        }
    }

    @Test func labelsAreChosenAsTheDataSetSpellsThem() throws {
        try withTemporaryFolder { folder in
            try BIDSFolder.make(["VP_01/b-1.edf", "VP_02/b-1.edf", "Bär/b-2.edf"], in: folder)
            let all = try CohortMapping(recordings: ["{subject}/{session}.edf"]).units(in: folder)
            func people(_ selection: UnitSelection) throws -> [String] {
                try selection.chosen(of: all).map(\.participant)
            }
            #expect(try people(UnitSelection(participants: ["VP_01", "VP02"])) == ["VP01", "VP02"])
            #expect(try people(UnitSelection(participants: ["Bär"], sessions: ["b-2"])) == ["Baer"])
            #expect(throws: CohortError.self) { try people(UnitSelection(participants: ["VP_03"])) }
        }
    }

    @Test func labelsInOtherScriptsBecomeTheirNumbersAndStopNobody() throws {
        try withTemporaryFolder { folder in
            try BIDSFolder.make(["山田.edf", "川口.edf", "a.edf"], in: folder)
            let units = try CohortMapping(recordings: ["{subject}.edf"]).units(in: folder)
            #expect(units.map(\.stem) == ["sub-a", "sub-u5C71u7530", "sub-u5DDDu53E3"])
            let chosen = try UnitSelection(participants: ["山田"]).chosen(of: units)
            #expect(chosen.map(\.recording) == ["山田.edf"])
        }
    }

    @Test func resultsThatLieWithinTheDataSetAreNoRecordings() throws {
        try withTemporaryFolder { folder in
            try BIDSFolder.make(["a.tsv", "deep/b.tsv"], in: folder)
            let mapping = CohortMapping(recordings: ["**/{subject}.tsv"])
            #expect(try mapping.units(in: folder).map(\.stem) == ["sub-a", "sub-b"])
            for place in ["results", "deep/results"] {
                try BatchFolder(folder.appendingPathComponent(place)).make(derivedFrom: "data")
                try BIDSFolder.make([place + "/sub-a/c.tsv", place + "/group/d.tsv"], in: folder)
            }
            #expect(try mapping.units(in: folder).map(\.stem) == ["sub-a", "sub-b"])
        }
    }

    @Test func aFolderThatCannotBeListedIsNamedAndNobodyIsLost() throws {
        try withTemporaryFolder { folder in
            try BIDSFolder.make(
                ["sub-01/eeg/sub-01_task-rest_eeg.edf", "sub-02/eeg/sub-02_task-rest_eeg.edf"], in: folder)
            // A folder that even the superuser cannot list: a link to itself.
            let lost = folder.appendingPathComponent("sub-03")
            try FileManager.default.createSymbolicLink(atPath: lost.path, withDestinationPath: "sub-03")
            let mapping = CohortMapping(recordings: ["{subject}/eeg/*.edf"])
            for mapping in [nil, mapping] {
                let error = #expect(throws: CohortError.self) { try CohortDataset(folder, mapping: mapping) }
                #expect(error?.problem.contains("sub-03: cannot be listed") == true, "\(error?.problem ?? "")")
            }
            try FileManager.default.removeItem(at: lost)
            #expect(try CohortDataset(folder, mapping: nil).units.count == 2)
        }
    }

    @Test(.enabled(if: ["e4_stress_predict/S01", "eegmat", "mitdb"].allSatisfy(RealData.has)))
    func realCohortsAreFound() throws {
        func stems(_ folder: String, _ patterns: String...) throws -> [String] {
            try CohortMapping(recordings: patterns).units(in: RealData.url(folder)).map(\.stem)
        }
        let stress = try stems("e4_stress_predict", "S{subject}.zip", "S{subject}")
        #expect(stress.starts(with: ["sub-01", "sub-05", "sub-06"]))
        #expect(try stems("eegmat", "Subject{subject}_{task}.edf").contains("sub-07_task-2"))
        #expect(try stems("mitdb", "{subject}.hea").contains("sub-100"))
    }
}
