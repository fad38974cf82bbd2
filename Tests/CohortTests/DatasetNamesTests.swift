import Cohort
import Foundation
import Simulation
import TestSupport
import Testing

/// What the names of a data set's folders and files say, and what they leave open.
struct DatasetNamesTests {
    @Test(arguments: [
        "sub-P_01/eeg/sub-P_01_task-rest_eeg.edf", "sub-K-01/eeg/sub-K-01_task-rest_eeg.edf",
        "sub-02/eeg/sub-03_task-rest_eeg.edf", "sourcedata/sub-P_02/sub-P_02_task-rest.xdf",
    ])
    func recordingsThatDoNotTellWhoseTheyAreAreRefusedOrLeftOutAndNeverMerged(path: String) throws {
        try withTemporaryFolder { folder in
            try BIDSFolder.make(["sub-01/eeg/sub-01_task-rest_eeg.edf", path], in: folder)
            let error = #expect(throws: CohortError.self) { try CohortDataset(folder, mapping: nil) }
            #expect(error?.problem.contains(path) == true, "\(error?.description ?? "")")
            #expect(error?.advice?.contains("--skip-bids-validation") == true)
            let rest = try CohortDataset(folder, mapping: nil, isValidated: false)
            #expect(rest.units.map(\.participant) == ["01"] && rest.leftOut == [path])
        }
    }

    @Test func foldersWithoutRecordingsMayBeCalledAnything() throws {
        try withTemporaryFolder { folder in
            try BIDSFolder.make(
                [
                    "sub-01/eeg/sub-01_task-rest_eeg.edf", "sub-01/eeg/sub-02_channels.tsv",
                    "sub-a_b/anat/sub-a_b_T1w.nii.gz", "sourcedata/sub-c_d/scan.zip",
                ], in: folder)
            let dataset = try CohortDataset(folder, mapping: nil)
            #expect(dataset.units.map(\.stem) == ["sub-01_task-rest"] && dataset.leftOut.isEmpty)
        }
    }

    @Test func aRunIsCalledAsItsNameSpellsItAndCountedAsANumber() throws {
        try withTemporaryFolder { folder in
            let names = ["01_task-rest_run-01", "01_task-rest_run-02", "02_task-rest_run-1"]
            try BIDSFolder.make(names.map { "sub-\($0.prefix(2))/eeg/sub-\($0)_eeg.edf" }, in: folder)
            // A study's own recordings are called as it calls them itself.
            try BIDSFolder.make(["sourcedata/sub-03/sub-03_task-rest_run-01.xdf"], in: folder)
            let units = try CohortDataset(folder, mapping: nil).units
            #expect(units.map(\.stem) == names.map { "sub-\($0)" } + ["sub-03_task-rest_run-1"])
            #expect(units.map(\.run) == [1, 2, 1, 1])
        }
    }

    @Test func runsOfOneNumberAreOneHoweverTheyAreSpelled() throws {
        try withTemporaryFolder { folder in
            try BIDSFolder.make(["S07_01.edf", "S08_1.edf"], in: folder)
            let mapping = CohortMapping(recordings: ["S{subject}_{run}.edf"])
            #expect(try mapping.units(in: folder).map(\.stem) == ["sub-07_run-01", "sub-08_run-1"])
            try BIDSFolder.make(["S07_1.edf"], in: folder)
            #expect(throws: CohortError.self) { try mapping.units(in: folder) }
        }
    }

    @Test func whatTellsRecordingsApartIsNothingThatAnotherIsCalled() throws {
        try withTemporaryFolder { folder in
            let names = ["task-rest_eeg", "task-rest_ecg", "task-rest_acq-eeg_eeg"]
            try BIDSFolder.make(names.map { "sub-01/eeg/sub-01_\($0).edf" }, in: folder)
            let units = try BIDSDataset(folder).units()
            #expect(
                units.map(\.stem) == [
                    "sub-01_task-rest_acq-ecg", "sub-01_task-rest_acq-eeg", "sub-01_task-rest_acq-eeg2",
                ])
            #expect(units.map(\.difference) == ["ecg", nil, "eeg2"])
            #expect(units[1].recording.hasSuffix("acq-eeg_eeg.edf"))
        }
    }

    @Test func nobodyIsLostToALabelThatOnlyTellsFilesApart() throws {
        try withTemporaryFolder { folder in
            var parameters = CohortParameters()
            (parameters.participants, parameters.sessions, parameters.duration) = (4, 2, 60)
            (parameters.hasFaults, parameters.signals, parameters.conditions) = (false, ["ecg"], [.rest])
            let data = folder.appendingPathComponent("data")
            try SimulatedDataset(SimulatedCohort(parameters), in: data).write()
            // All have another file beside the first, two of four people not in the second session.
            for unit in try CohortDataset(data, mapping: nil).units
            where unit.session == "1" || ["01", "02"].contains(unit.participant) {
                let file = data.appendingPathComponent(unit.recording)
                try FileManager.default.copyItem(
                    at: file,
                    to: URL(fileURLWithPath: file.path.replacingOccurrences(of: "_eeg.edf", with: "_ecg.edf")))
            }
            let units = try CohortDataset(data, mapping: nil).units
            #expect(units.count == 14 && units.count { $0.acquisition == nil } == 2)
            let batch = BatchFolder(folder.appendingPathComponent("results"))
            try batch.make(derivedFrom: "data")
            func plan() throws -> BatchPlan {
                try BatchPlan(
                    units, of: data, into: batch, parameters: SmallCohort.parameters, hasReport: false)
            }
            try plan().keep(parameters: SmallCohort.parameters)
            for open in try plan().work() { _ = try UnitRun(batch).perform(open.unit.stem) }
            _ = try GroupTables(plan(), hasPages: false).write()
            let text = try String(
                contentsOf: batch.root.appendingPathComponent("group/comparisons.tsv"), encoding: .utf8)
            let rows = text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
            let row = try #require(rows.first { $0.contains("session") && $0.contains("meanHR") })
            let place = try #require(rows[0].firstIndex(of: "nFirst"))
            #expect(row[place] == "4" && !row.contains { $0.contains("acquisition") }, "\(row)")
        }
    }

    @Test func aLabelThatIsSpelledWithBlanksIsChosenAsItStands() throws {
        try withTemporaryFolder { folder in
            for name in ["Bär 01", "Bär 02", "01"] {
                try Data("x".utf8).write(to: folder.appendingPathComponent(name + ".edf"))
            }
            let all = try CohortMapping(recordings: ["{subject}.edf"]).units(in: folder)
            func people(_ labels: String...) throws -> [String] {
                try UnitSelection(participants: labels).chosen(of: all).map(\.participant)
            }
            #expect(try people("Bär 01") == ["Baer01"])
            #expect(try people("sub-Bär 02", "sub-01") == ["01", "Baer02"])
            #expect(try people("Baer01, Baer02") == ["Baer01", "Baer02"])
            #expect(try people("", " ").count == 3)
            #expect(throws: CohortError.self) { try people("Bär 03") }
        }
    }

    @Test func aDescriptionThatCannotBeReadIsNotCalledMissing() throws {
        try withTemporaryFolder { folder in
            try BIDSFolder.make(["sub-01/eeg/sub-01_task-rest_eeg.edf"], in: folder)
            let file = folder.appendingPathComponent("dataset_description.json")
            try FileManager.default.removeItem(at: file)
            #expect(BIDSDataset(folder).problem()?.contains("it has no dataset_description.json") == true)
            // What even the superuser cannot read: a link to itself.
            try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: file.lastPathComponent)
            let problem = BIDSDataset(folder).problem()
            #expect(problem?.contains("cannot be read") == true, "\(problem ?? "")")
        }
    }
}
