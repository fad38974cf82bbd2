import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// What a table of events beside a recording, or above it in its data set, tells of what happened.
struct BIDSMarkersTests {
    private static func markers(_ recording: Recording) -> [String] {
        recording.markers.map { marker in
            "\(marker.onset) \(marker.label)" + (marker.duration > 0 ? " for \(marker.duration)" : "")
        }
    }

    /// EDF+ of 4 s with annotations, a table of events beside it.
    private static func edf(_ table: String, _ annotations: [String] = []) throws -> Recording {
        let folder = try TemporaryFolder()
        _ = try folder.file("sub-01_task-x_events.tsv", table)
        let lists = (0..<4).map { second in
            "+\(second)\u{14}\u{14}\0" + (second == 0 ? annotations.map { $0 + "\u{14}\0" }.joined() : "")
        }
        let url = try folder.file(
            "sub-01_task-x_eeg.edf", EDFFixture.plus("EDF+C", lists: lists, annotationBytes: 128).bytes)
        return try Recording(reading: RecordingFile.open(url))
    }

    @Test func whatTheTableAndTheRecordingTellOfOneMomentIsToldOnceByTheTable() throws {
        let recording = try Self.edf(
            "onset\tduration\ttrial_type\tvalue\n1.5\t0.5\tgo\t3\n2.001\t0\tPause\tn/a\n3\t1\trest\tn/a\n",
            // By its number, by its name but for case and kind, at another time, by another name.
            ["+1.5\u{14}Stimulus/S  3", "+2\u{14}Comment/pause", "+2.5\u{14}rest", "+3\u{14}eyes open"])
        #expect(
            Self.markers(recording) == [
                "1.5 go for 0.5", "2.001 Pause", "2.5 rest", "3.0 rest for 1.0", "3.0 eyes open",
            ])
        #expect(
            recording.header.notes == [
                "events: the columns value are left out",
                "2 markers of the recording stand in sub-01_task-x_events.tsv too, and are told once",
            ])
    }

    @Test func eventsWithoutAnOnsetAreLeftOut() throws {
        let recording = try Self.edf("onset\tduration\ttrial_type\nn/a\t0\tno\n1\t0\tgo\nn/a\tn/a\tno\n")
        #expect(Self.markers(recording) == ["1.0 go"])
        #expect(recording.header.notes == ["events: 2 without an onset are left out"])
    }

    @Test func aTriggersNumberIsFoundInTheColumnValue() throws {
        var fixture = EDFFixture()
        fixture.records = "4"
        fixture.signals = ["ECG", "Trigger"].map {
            .init(label: $0, dimension: "uV", physicalMinimum: "-32768", physicalMaximum: "32767")
        }
        for record in 0..<4 {
            for sample in 0..<4 { fixture.data += EDFFixture.bytes(Int16(sample)) }
            for sample in 0..<4 { fixture.data += EDFFixture.bytes(sample == 1 ? Int16(record + 4) : 0) }
        }
        let folder = try TemporaryFolder()
        let url = try folder.file("a.edf", fixture.bytes)
        #expect(
            try Self.markers(Recording(reading: RecordingFile.open(url))) == ["0.25 4", "1.25 5", "2.25 6", "3.25 7"])
        _ = try folder.file("a_events.tsv", "onset\tduration\ttrial_type\tvalue\n1.25\t0\tgo\t5\n2.25\t0\tstop\t9\n")
        #expect(
            try Self.markers(Recording(reading: RecordingFile.open(url)))
                == ["0.25 4", "1.25 go", "2.25 stop", "2.25 6", "3.25 7"])
    }

    @Test(arguments: [
        ("trial_type\ngo\n", "has no column \"onset\""), ("onset\tduration\nsoon\t1\n", "line 2"),
        ("onset\tduration\n1e300\t1\n", "line 2: has an onset of 1e+300 s, which no recording has"),
    ])
    func tablesThatCannotBeReadAreToldAndTheRecordingsOwnMarkersStay(table: String, problem: String) throws {
        let recording = try Self.edf(table, ["+1.5\u{14}own"])
        #expect(Self.markers(recording) == ["1.5 own"])
        #expect(recording.header.notes.contains { $0.hasPrefix("markers were not read: ") && $0.contains(problem) })
        // What is said of a recording does not tell where it lies.
        #expect(!recording.header.notes.contains { $0.contains("/") })
    }

    @Test func compressedFilesHaveEventsToo() throws {
        let folder = try TemporaryFolder()
        let plain = try folder.file("sub-01_task-x_eeg.edf", EDFFixture.counting(records: 4).bytes)
        let gzip = try Process.run(URL(fileURLWithPath: "/bin/gzip"), arguments: ["-n", plain.path])
        gzip.waitUntilExit()
        let table = try folder.file("task-x_events.tsv", "onset\tduration\n1\t0\n")
        _ = try folder.file("dataset_description.json", BIDSFolder.description)
        let url = plain.appendingPathExtension("gz")
        #expect(try Self.markers(Recording(reading: RecordingFile.open(url))) == ["1.0 event"])
        #expect(try RecordingFile.inputs(of: url).map(\.path) == [url.path, table.path])
        #expect(try RecordingFile.files(of: url) == [url])
    }

    @Test func theNearestTableApplies() throws {
        let folder = try TemporaryFolder()
        let run = folder.url.appendingPathComponent("sub-01/ses-2/eeg")
        try FileManager.default.createDirectory(at: run, withIntermediateDirectories: true)
        _ = try folder.file("dataset_description.json", BIDSFolder.description)
        let url = try folder.file(
            "sub-01/ses-2/eeg/sub-01_ses-2_task-x_run-1_eeg.edf", EDFFixture.counting(records: 4).bytes)
        // Events always tell the task.
        for strange in ["task-y_events.tsv", "events.tsv", "sub-01/ses-2/eeg/sub-01_ses-2_events.tsv"] {
            _ = try folder.file(strange, "onset\tduration\ttrial_type\n1\t0\tstrange\n")
        }
        #expect(try Recording(reading: RecordingFile.open(url)).markers.isEmpty)
        for (name, label) in [
            ("task-x", "all"), ("sub-01/ses-2/sub-01_task-x", "some"),
            ("sub-01/ses-2/eeg/sub-01_ses-2_task-x_run-1", "own"),
        ] {
            let table = try folder.file(name + "_events.tsv", "onset\tduration\ttrial_type\n1\t0\t\(label)\n")
            #expect(try Self.markers(Recording(reading: RecordingFile.open(url))) == ["1.0 \(label)"])
            #expect(try RecordingFile.inputs(of: url).map(\.path) == [url.path, table.path])
        }
    }
}

/// Events of recordings with pauses.
struct BIDSEventClockTests {
    /// BrainVision of 2 s at 500 Hz with a pause of 2 s after the first of them, and one stimulus in each half.
    private static let paused = [
        "Mk1=New Segment,,1,1,0,20240301120000000000", "Mk2=Stimulus,S  1,251,1,0",
        "Mk3=New Segment,,501,1,0,20240301120003000000", "Mk4=Stimulus,S  2,751,1,0",
    ]
    private static let stimuliAlone = [
        "Mk1=New Segment,,1,1,0,20240301120000000000", "Mk3=New Segment,,501,1,0,20240301120003000000",
    ]

    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var markers = paused
        var table: String
        var onset: Seconds
        var duration: Seconds = 0
        var note: String?
    }

    static let cases = [
        Case(
            testDescription: "stored samples, by the recording's markers",
            table: "onset\tduration\tvalue\n0.5\t0\t1\n1.5\t0\t2\n",
            onset: 3.5, note: "count stored samples"),
        Case(
            testDescription: "time, by the recording's markers",
            table: "onset\tduration\tvalue\n0.5\t0\t1\n3.5\t0\t2\n",
            onset: 3.5),
        Case(
            testDescription: "stored samples, by the column sample", markers: stimuliAlone,
            table: "onset\tduration\tvalue\tsample\n0.5\t0\t1\t250\n1.5\t0.25\t2\t750\n", onset: 3.5, duration: 0.25,
            note: "count stored samples"),
        Case(
            testDescription: "the first sample after the pause, by the column sample", markers: stimuliAlone,
            table: "onset\tduration\tvalue\tsample\n0.5\t0\t1\t250\n1\t0\t2\t500\n", onset: 3,
            note: "count stored samples"),
        Case(
            testDescription: "time, by the column sample", markers: stimuliAlone,
            table: "onset\tduration\tvalue\tsample\n0.5\t0\t1\t250\n3.5\t0\t2\t750\n", onset: 3.5),
        Case(
            testDescription: "time, where nothing tells", markers: stimuliAlone,
            table: "onset\tduration\tvalue\n0.5\t0\t1\n3.25\t0\t2\n", onset: 3.25, note: "are taken to count the gaps"),
        Case(
            testDescription: "the first sample after the pause, rounded down",
            table: "onset\tduration\tvalue\n0.5\t0\t1\n0.9995\t0\t7\n1.5\t0\t2\n", onset: 3.5,
            note: "count stored samples"),
        Case(
            testDescription: "over the pause", table: "onset\tduration\tvalue\n0.5\t1\t1\n1.5\t0\t2\n", onset: 3.5,
            note: "count stored samples"),
    ]

    @Test(arguments: cases) func eventsAfterAPauseAreWhereTheyWere(expected: Case) throws {
        let folder = try TemporaryFolder()
        let url = try BrainVisionFixture(markers: expected.markers).write(to: folder)
        let table = try folder.file("a_events.tsv", expected.table)
        let recording = try Recording(reading: RecordingFile.open(url))
        let marker = try #require(recording.markers.last { $0.label == "2" })
        #expect(abs(marker.onset - expected.onset) < 1e-9 && abs(marker.duration - expected.duration) < 1e-9)
        #expect(recording.markers.first.map { $0.onset == 0.5 && $0.label == "1" } == true)
        #expect(recording.markers.count { $0.label.contains("2") } == 1)
        let notes = recording.header.notes.filter { $0.contains("stored samples") || $0.contains("count the gaps") }
        #expect(notes.count == (expected.note == nil ? 0 : 1) && expected.note.map { notes[0].contains($0) } != false)
        // Conditions of groups are told by the same clock.
        let clock = try BIDSEvents.clock(of: table, in: url)
        let rows = expected.table.split(separator: "\n").dropFirst().map { $0.split(separator: "\t") }
        #expect(clock.time(Double(rows[0][0])!) == 0.5)
        #expect(abs(clock.time(Double(rows.last![0])!) - expected.onset) < 1e-9)
        if expected.testDescription.hasPrefix("over") { #expect(recording.markers[0].duration == 3) }
        if expected.testDescription.hasSuffix("rounded down") {
            #expect(recording.markers.contains { $0.label == "7" && abs($0.onset - 2.9995) < 1e-9 })
        }
    }

    @Test func whereNobodyKnowsHowLongAPauseWasSamplesAreCounted() throws {
        let folder = try TemporaryFolder()
        var fixture = EEGLABFixture(events: [(.text("boundary"), 500.5, .number(.nan))])
        fixture.frames = 1_000
        let url = try fixture.write(to: folder)
        let stem = url.deletingPathExtension().lastPathComponent
        _ = try folder.file("\(stem)_events.tsv", "onset\tduration\ttrial_type\n1\t0\tgo\n3\t0\tgo\n")
        let recording = try Recording(reading: RecordingFile.open(url))
        // The pause stands as one of a sample and a half.
        #expect(recording.markers.map(\.onset) == [1, 3 + 1.5 / 250])
        #expect(!recording.header.notes.contains { $0.contains("stored samples") || $0.contains("count the gaps") })
    }
}
