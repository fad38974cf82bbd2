import Cohort
import Formats
import Foundation
import Pipeline
import Signals
import Simulation
import Study
import TestSupport
import Testing

/// Tables in which people note which channels are bad, beside recordings of cohorts and studies.
struct ChannelTableTests {
    /// 20 s of a headband's EEG.
    private static func simulate(_ url: URL) throws {
        let form = EEGParameters()
        var signal = EEGSignal(form, seed: 3)
        let channels = signal.render(0..<Int(20 * form.sampleRate))
        let header = StreamHeader(
            name: "eeg", kind: .eeg, channels: form.labels.map { Channel(label: $0, unit: .microvolts) },
            sampleRate: form.sampleRate)
        let segment = Segment(
            start: SegmentStart(onset: 0, sample: 0, sampleRate: form.sampleRate),
            block: SampleBlock(channelCount: channels.count, samples: channels.flatMap { $0.map(Float.init) }))
        let recording = Recording(
            header: RecordingHeader(format: "simulation"), streams: [Stream(header: header, segments: [segment])])
        _ = try EDFWriter.write(to: url) { RecordedEvents(recording) }
    }

    /// A table of the channels of the EEG of a recording, in which these are bad.
    private static func table(of recording: URL, bad: Set<String>) throws -> (text: String, labels: [String]) {
        let labels = try RecordingFile.open(recording).header.streams.filter { $0.kind == .eeg }
            .flatMap { $0.channels.map(\.label) }
        let rows = labels.map { "\($0)\tEEG\tuV\t\(bad.contains($0) ? "bad" : "good")\n" }
        return ("name\ttype\tunits\tstatus\n" + rows.joined(), labels)
    }

    private static func channels(in batch: BatchFolder, _ stem: String) throws -> Set<String> {
        let unit = batch.root.appendingPathComponent(stem)
        let names = try FileManager.default.contentsOfDirectory(atPath: unit.path)
        let name = try #require(names.first { $0.hasSuffix("_desc-eeg_physio.tsv") }, "\(names)")
        return Set(try TextTable(reading: unit.appendingPathComponent(name)).texts("channel").compactMap(\.self))
    }

    @Test func aRecordingIsComputedAgainWhenAChannelIsMarkedBad() throws {
        try withTemporaryFolder { folder in
            let data = folder.appendingPathComponent("data")
            try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
            let recording = data.appendingPathComponent("a.edf")
            try Self.simulate(recording)
            let batch = BatchFolder(folder.appendingPathComponent("results"))
            try batch.make(derivedFrom: "data")
            func plan() throws -> BatchPlan {
                let units = try CohortMapping(recordings: ["{subject}.edf"]).units(in: data)
                let plan = try BatchPlan(units, of: data, into: batch, parameters: Parameters(), hasReport: false)
                try plan.keep(parameters: Parameters())
                return plan
            }
            #expect(try plan().work().count == 1)
            #expect(try UnitRun(batch).perform("sub-a") == .done)
            let (_, labels) = try Self.table(of: recording, bad: [])
            #expect(try labels.count > 2 && Self.channels(in: batch, "sub-a") == Set(labels))

            let told = try Self.table(of: recording, bad: [labels[1]])
            try Data(told.text.utf8).write(to: data.appendingPathComponent("a_channels.tsv"))
            #expect(try plan().work().map(\.unit.stem) == ["sub-a"])
            #expect(try UnitRun(batch).perform("sub-a") == .done)
            #expect(try Self.channels(in: batch, "sub-a") == Set(labels).subtracting([labels[1]]))
            #expect(try plan().work().isEmpty)
            let inputs = try #require(batch.plan("sub-a")).unit.files.map(\.path)
            #expect(inputs == ["a.edf", "a_channels.tsv"])
        }
    }

    @Test func aStudyTakesTheTableAndLetsPeopleGoOnWritingIt() throws {
        try withTemporaryFolder { folder in
            let dataset = folder.appendingPathComponent("dataset")
            try BIDSFolder.make(["sub-07/eeg/sub-07_task-x_eeg.edf"], in: dataset)
            let recording = dataset.appendingPathComponent("sub-07/eeg/sub-07_task-x_eeg.edf")
            try Self.simulate(recording)
            let (text, labels) = try Self.table(of: recording, bad: [])
            // All recordings of the task have one table.
            try Data(text.utf8).write(to: dataset.appendingPathComponent("task-x_channels.tsv"))
            let events = "onset\tduration\ttrial_type\n1\t2\tgo\n"
            try Data(events.utf8).write(to: dataset.appendingPathComponent("task-x_events.tsv"))
            let study = try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "s", version: "1")
            let name = try #require(RunName(subject: "A1", task: "rest"))
            let now = Timestamp(secondsSince1970: 1_700_000_000)
            let path = try StudyImport(study: study, name: name).add(recording, at: now)
            #expect(path == "sourcedata/sub-A1/sub-A1_task-rest.edf")
            let table = study.root.appendingPathComponent("sourcedata/sub-A1/sub-A1_task-rest_channels.tsv")
            #expect(try String(contentsOf: table, encoding: .utf8) == text)
            let mode = try FileManager.default.attributesOfItem(atPath: table.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            try Data(Self.table(of: recording, bad: [labels[0]]).text.utf8).write(to: table)
            #expect(try study.findings(hash: StudyImport.hash).isEmpty)
            let added = study.root.appendingPathComponent("sourcedata/sub-A1/sub-A1_task-rest_events.tsv")
            #expect(try String(contentsOf: added, encoding: .utf8) == events)
            let recorded = try Recording(reading: RecordingFile.open(study.root.appendingPathComponent(path)))
            #expect(recorded.markers.contains(Marker(onset: 1, duration: 2, label: "go")))
            let header = recorded.header
            #expect(
                header.streams.filter { $0.kind == .eeg }.flatMap { $0.channels.map(\.label) }
                    == Array(labels.dropFirst()))
            #expect(try BIDSDataset(study.root).units().map(\.recording) == [path])
        }
    }
}
