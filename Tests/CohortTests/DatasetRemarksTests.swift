import Cohort
import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// What a data set has that is no recording of the plan, and what is said of it.
struct DatasetRemarksTests {
    private static func write(_ text: String, to path: String, in folder: URL) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(path))
    }

    @Test func filesWithOtherNamesAndPeopleWithoutRecordingsAreNamed() throws {
        try withTemporaryFolder { folder in
            try BIDSFolder.make(
                [
                    "sub-01/eeg/sub-01_task-rest_eeg.edf", "sub-01/eeg/sub-01_task-rest_channels.tsv",
                    "sub-02/eeg/raw.edf", "sub-03/eeg/sub-03_task-rest_EEG.edf", "sub-04/anat/sub-04_T1w.nii.gz",
                    "sub-06/beh/rest_physio.tsv.gz", "sourcedata/sub-08/scan.edf",
                ], in: folder)
            try Self.write("participant_id\tage\nsub-01\t20\nsub-02\t30\n05\t40\n", to: "participants.tsv", in: folder)
            let dataset = try CohortDataset(folder, mapping: nil)
            #expect(dataset.units.map(\.stem) == ["sub-01_task-rest"])
            let warnings = dataset.warnings
            try #require(warnings.count == 3, "\(warnings)")
            #expect(warnings[0].hasPrefix("3 files look like recordings, but are left out: "))
            #expect(
                warnings[0].hasSuffix(
                    ": sub-02/eeg/raw.edf, sub-03/eeg/sub-03_task-rest_EEG.edf, sub-06/beh/rest_physio.tsv.gz"))
            #expect(warnings[1] == "3 folders of people have no recording: sub-03, sub-04, sub-06")
            #expect(warnings[2] == "2 people in participants.tsv have no recording: sub-02, 05")
            #expect(dataset.warningsOnPeople == Array(warnings.dropFirst()))
        }
    }

    @Test func aListThatCannotBeReadIsNamed() throws {
        try withTemporaryFolder { folder in
            try BIDSFolder.make(["sub-01/eeg/sub-01_task-rest_eeg.edf"], in: folder)
            #expect(try CohortDataset(folder, mapping: nil).warnings.isEmpty)
            let list = folder.appendingPathComponent("participants.tsv")
            try #require("participant_id\tname\nsub-01\tJü\n".data(using: .isoLatin1)).write(to: list)
            let told = try CohortDataset(folder, mapping: nil).warnings
            #expect(told.count == 1 && told[0].contains("line 2: is not UTF-8 text"), "\(told)")
            #expect(try CohortDataset(folder, mapping: nil).warningsOnPeople == told)
            try FileManager.default.removeItem(at: list)
            try FileManager.default.createSymbolicLink(
                atPath: list.path, withDestinationPath: ".git/annex/objects/x/MD5E-s1--a.tsv")
            let missed = try CohortDataset(folder, mapping: nil).warnings
            #expect(missed.count == 1 && missed[0].contains("datalad get"), "\(missed)")
        }
    }

    @Test func aListOfParticipantsThatIsNotUTF8OrWasNotFetchedMakesNoGroups() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            for person in 1...2 { try cohort.add("0\(person)_1_rest", 60 + Double(person)) }
            let list = cohort.data.appendingPathComponent("participants.tsv")
            // `män` and `mün` would be the same to those who put up with it.
            let text = "participant_id\tgroup\nsub-01\tmän\nsub-02\tmün\n"
            try #require(text.data(using: .isoLatin1)).write(to: list)
            let warnings = try cohort.compute()
            #expect(
                warnings.contains {
                    $0.contains("no groups are compared") && $0.contains("line 2: is not UTF-8 text")
                }, "\(warnings)")
            try FileManager.default.removeItem(at: list)
            try FileManager.default.createSymbolicLink(
                atPath: list.path, withDestinationPath: ".git/annex/objects/x/MD5E-s1--a.tsv")
            let missed = try cohort.gather()
            #expect(missed.contains { $0.contains("datalad get") }, "\(missed)")
        }
    }

    @Test func aSessionThatOnlyTheFolderTellsIsTakenAndARunThatIsNoNumberIsTold() throws {
        try withTemporaryFolder { folder in
            let (session, run) = (
                "sub-10/ses-1/eeg/sub-10_task-rest_eeg.edf", "sub-11/eeg/sub-11_task-rest_run-a_eeg.edf"
            )
            try BIDSFolder.make([session, run], in: folder)
            let dataset = try CohortDataset(folder, mapping: nil)
            #expect(dataset.units.map(\.stem) == ["sub-10_ses-1_task-rest", "sub-11_task-rest"])
            #expect(dataset.units[0].folder == "sub-10/ses-1")
            #expect(
                dataset.warnings == [
                    "1 recording does not tell its session; that of its folder is taken: \(session)",
                    "1 recording has a run that is no number; it is left away: \(run)",
                ])
        }
    }

    @Test(arguments: [
        ("sub-02\n", true), ("sub-02/\n", true), ("*_task-rest_*", true), ("/sub-02/**", true),
        ("**/sub-0?_task-rest_eeg.edf", true), ("sub-*/eeg/*rest*", true), ("sub-02/**/*.edf\r\n", true),
        ("!sub-02\nsub-02  \n", true), ("# sub-02", false), ("eeg/*rest*", false), ("sub-02\n!sub-02\n", false),
        ("/eeg/", false), ("sub-02_task-rest_eeg.edf/", false), ("sub-?", false), ("*.bdf\n\nextra/\n", false),
    ])
    func whatBidsignoreNamesIsLeftOut(text: String, isLeftOut: Bool) throws {
        try withTemporaryFolder { folder in
            try BIDSFolder.make(
                ["sub-01/eeg/sub-01_task-a_eeg.edf", "sub-02/eeg/sub-02_task-rest_eeg.edf"], in: folder)
            try Self.write(text, to: ".bidsignore", in: folder)
            let dataset = try CohortDataset(folder, mapping: nil)
            #expect(dataset.units.map(\.participant) == (isLeftOut ? ["01"] : ["01", "02"]))
            let told = "1 recording is left out, as .bidsignore says: sub-02/eeg/sub-02_task-rest_eeg.edf"
            #expect(dataset.warnings == (isLeftOut ? [told] : []))
        }
    }

    @Test func bidsignoreSaysNothingOfRawData() throws {
        try withTemporaryFolder { folder in
            try BIDSFolder.make(["sourcedata/sub-01/sub-01_task-rest.xdf"], in: folder)
            try Self.write("sourcedata/\n*.xdf\n", to: ".bidsignore", in: folder)
            #expect(try BIDSDataset(folder).units().map(\.stem) == ["sub-01_task-rest"])
        }
    }

    @Test func filesThatWereMadeFromOthersAreNoRecordings() throws {
        try withTemporaryFolder { folder in
            let derived = "sub-01/eeg/sub-01_task-rest_desc-filtered_eeg.edf"
            try BIDSFolder.make(["sub-01/eeg/sub-01_task-rest_eeg.edf", derived], in: folder)
            let dataset = try CohortDataset(folder, mapping: nil)
            #expect(dataset.units.map(\.stem) == ["sub-01_task-rest"])
            #expect(dataset.warnings.count == 1 && dataset.warnings[0].hasSuffix(": \(derived)"))
            try FileManager.default.removeItem(at: folder.appendingPathComponent("sub-01/eeg/sub-01_task-rest_eeg.edf"))
            let error = #expect(throws: CohortError.self) { try CohortDataset(folder, mapping: nil) }
            #expect(error?.problem.contains(derived) == true, "\(error?.description ?? "")")
        }
    }

    /// EDF of 2 s, a stream a label.
    private static func record(_ signals: [(label: String, kind: StreamKind)], to path: String, in folder: URL) throws {
        let url = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        let streams = signals.map { signal in
            Stream(
                header: StreamHeader(
                    name: signal.label, kind: signal.kind,
                    channels: [Channel(label: signal.label, unit: .microvolts)], sampleRate: 100),
                segments: [
                    Segment(
                        start: SegmentStart(onset: 0, sample: 0, sampleRate: 100),
                        block: SampleBlock((0..<200).map { Float($0 % 50) }))
                ])
        }
        _ = try EDFWriter.write(Recording(header: RecordingHeader(format: "test"), streams: streams), to: url)
    }

    @Test func recordingsOfWhichNothingIsComputedAreNoFailures() throws {
        try withTemporaryFolder { folder in
            let (emg, eyes) = ("sub-01/emg/sub-01_task-x_emg.edf", "sub-03/beh/sub-03_task-x_recording-eye1_physio")
            // What cannot be read may be anything, and fails with a reason.
            try BIDSFolder.make([eyes + ".tsv.gz", "sub-04/ieeg/sub-04_task-x_ieeg.edf"], in: folder)
            try Self.write(#"{"PhysioType": "eyetrack", "SamplingFrequency": 100}"#, to: eyes + ".json", in: folder)
            try Self.record([("EMG1", .other)], to: emg, in: folder)
            try Self.record(
                [("EMG1", .other), ("ECG", .ecg)], to: "sub-02/emg/sub-02_task-x_emg.edf", in: folder)
            let dataset = try CohortDataset(folder, mapping: nil)
            #expect(dataset.units.map(\.participant) == ["02", "04"])
            #expect(dataset.warnings.count == 1, "\(dataset.warnings)")
            #expect(dataset.warnings.first?.hasSuffix(": \(emg), \(eyes).tsv.gz") == true)
        }
    }
}
