import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// BIDS recordings of continuous signals and their events.
struct BIDSTests {
    private static let name = "sub-01_task-rest_run-01"

    /// Writes text compressed as BIDS wants it.
    private static func compress(_ text: String, _ name: String, in folder: TemporaryFolder) throws -> URL {
        let plain = try folder.file(name, text)
        let gzip = Process()
        gzip.executableURL = URL(fileURLWithPath: "/bin/gzip")
        gzip.arguments = ["-fn", plain.path]
        try gzip.run()
        gzip.waitUntilExit()
        return plain.appendingPathExtension("gz")
    }

    private static let sidecar = """
        {"SamplingFrequency": 50, "StartTime": -2.5, "Columns": ["cardiac", "respiratory", "GSR"],
         "GSR": {"Units": "uS"}}
        """

    @Test func rateColumnsAndUnitsComeFromTheSidecar() throws {
        let folder = try TemporaryFolder()
        let rows = (0..<200).map { $0 < 3 ? "n/a\tn/a\tn/a\n" : "\($0)\t-\($0)\t0.5\n" }.joined()
        let url = try Self.compress(rows, "\(Self.name)_recording-a_physio.tsv", in: folder)
        _ = try folder.file("\(Self.name)_recording-a_physio.json", Self.sidecar)
        _ = try folder.file(
            "\(Self.name)_events.tsv", "onset\tduration\ttrial_type\n2\t0.5\tgo\n1\tn/a\tn/a\n")
        let recording = try Recording(reading: RecordingFile.open(url))
        #expect(recording.header.format == "BIDS physio" && recording.header.subject == "01")
        #expect(recording.header.task == "rest" && recording.header.duration == 4)
        #expect(recording.streams.map(\.header.kind) == [.bvp, .respiration, .eda])
        #expect(recording.streams[2].header.channels[0] == Channel(label: "GSR", unit: .microsiemens))
        let segment = recording.streams[0].segments[0]
        #expect(segment.start.onset == 0 && segment.start.sampleRate == 50 && segment.block.frameCount == 200)
        #expect(segment.block.samples[..<3].allSatisfy { $0.isNaN } && segment.block.samples[3] == 3)
        #expect(recording.markers.map(\.onset) == [3.5, 4.5] && recording.markers.map(\.label) == ["event", "go"])
        #expect(recording.markers.map(\.duration) == [0, 0.5])
        #expect(try RecordingFile.inputs(of: url).count == 3)
    }

    @Test func aTriggerGivesMarkersUnlessItIsAVoltage() throws {
        let folder = try TemporaryFolder()
        let json = #"{"SamplingFrequency": 10, "StartTime": 2, "Columns": ["GSR", "trigger"], "GSR": {"Units": "uS"}}"#
        _ = try folder.file("\(Self.name)_physio.json", json)
        func read(_ trigger: (Int) -> String) throws -> Recording {
            let rows = (0..<400).map { "\($0 % 9)\t\(trigger($0))\n" }.joined()
            let url = try Self.compress(rows, "\(Self.name)_physio.tsv", in: folder)
            return try Recording(reading: RecordingFile.open(url))
        }
        let coded = try read { $0 % 100 == 50 ? "5" : $0 == 0 ? "n/a" : "0" }
        #expect(coded.streams.map(\.header.kind) == [.eda] && coded.markers.map(\.onset) == [7, 17, 27, 37])
        #expect(coded.markers.allSatisfy { $0.label == "5" })
        let events = try folder.file(
            "\(Self.name)_events.tsv", "onset\tduration\ttrial_type\n17.001\t0\tcode 5\n27\t0\tgo\n")
        let both = try read { $0 % 100 == 50 ? "5" : "0" }
        #expect(both.markers.map(\.label).sorted() == ["5", "5", "5", "code 5", "go"])
        #expect(both.markers.map(\.onset).sorted() == [7, 17.001, 27, 27, 37])
        #expect(both.header.notes.contains { $0.contains("1 marker of the recording stands in") })
        try FileManager.default.removeItem(at: events)
        for voltage in [{ $0 % 100 < 50 ? "0" : "4.98" }, { "\($0 % 3 - 1)" }] as [(Int) -> String] {
            let noisy = try read(voltage)
            #expect(noisy.streams.map(\.header.kind) == [.eda, .other] && noisy.markers.isEmpty)
        }
    }

    @Test func sidecarsFartherUpApply() throws {
        let folder = try TemporaryFolder()
        let deep = folder.url.appendingPathComponent("sub-01/func")
        try FileManager.default.createDirectory(at: deep, withIntermediateDirectories: true)
        _ = try folder.file("dataset_description.json", "{}")
        _ = try folder.file("task-rest_physio.json", #"{"SamplingFrequency": 10, "StartTime": 1, "Columns": ["x"]}"#)
        _ = try folder.file("task-other_physio.json", #"{"SamplingFrequency": 7}"#)
        let packed = try Self.compress((0..<20).map { "\($0)\n" }.joined(), "\(Self.name)_physio.tsv", in: folder)
        let url = deep.appendingPathComponent(packed.lastPathComponent)
        try FileManager.default.moveItem(at: packed, to: url)
        let general = try Recording(reading: RecordingFile.open(url))
        #expect(general.streams[0].segments[0].start.sampleRate == 10)
        #expect(general.streams[0].segments[0].start.onset == 1 && general.header.duration == 3)
        try Data(#"{"SamplingFrequency": 20}"#.utf8).write(
            to: deep.appendingPathComponent("\(Self.name)_physio.json"))
        #expect(try RecordingFile.open(url).header.streams[0].sampleRate == 20)
    }

    @Test(arguments: [
        ("", "put \(name)_physio.json"), (#"{"Columns": ["a", "b"]}"#, "SamplingFrequency"),
        (
            #"{"SamplingFrequency": "50", "Columns": ["a", "b"]}"#,
            "its SamplingFrequency is the text \"50\", expected a number"
        ),
        (#"{"SamplingFrequency": 50}"#, "Columns"), ("[1]", "no JSON object"),
        (#"{"SamplingFrequency": 50, "Columns": ["a"]}"#, "has 2 columns, its sidecar names 1"),
    ])
    func aSidecarThatDoesNotSayEnoughIsAnError(json: String, expected: String) throws {
        let folder = try TemporaryFolder()
        let url = try Self.compress("1\t2\n3\t4\n", "\(Self.name)_physio.tsv", in: folder)
        if !json.isEmpty { _ = try folder.file("\(Self.name)_physio.json", json) }
        let error = formatError { try RecordingFile.open(url) }
        #expect(error?.contains(expected) == true && error?.contains("\n") == false, "\(error ?? "none")")
    }

    @Test(.enabled(if: RealData.has("bids_physio_ds210/dataset_description.json")))
    func aRealFileWithoutSidecarSaysWhatIsMissing() throws {
        let file = "bids_physio_ds210/sub-01/func/sub-01_task-rest_run-01_physio.tsv.gz"
        let error = formatError { try RecordingFile.open(RealData.url(file)) }
        #expect(error?.contains("put sub-01_task-rest_run-01_physio.json with SamplingFrequency") == true)
    }

    // MARK: writing

    private static func recording() -> Recording {
        func stream(_ kind: StreamKind, _ rate: Double, _ unit: Signals.Unit, _ channels: [String]) -> Signals.Stream {
            let header = StreamHeader(
                name: kind.rawValue, kind: kind, channels: channels.map { Channel(label: $0, unit: unit) },
                sampleRate: rate)
            func segment(_ onset: Seconds, _ gap: Gap?) -> Segment {
                let samples = (0..<Int(rate) * 2 * channels.count).map { Float($0) * 0.1 - 3 }
                return Segment(
                    start: SegmentStart(onset: onset, sample: 0, sampleRate: rate, gap: gap),
                    block: SampleBlock(channelCount: channels.count, samples: samples))
            }
            let gap = Gap(onset: 2.5, duration: 1.5, reason: .deviceLost)
            return Stream(header: header, segments: [segment(0.5, nil), segment(4, gap)])
        }
        let beats = Stream(
            header: StreamHeader(
                name: "ibi", kind: .ibi, channels: [Channel(label: "RR", unit: .seconds)], sampleRate: 0),
            values: [TimedValue(onset: 1, values: [0.8])])
        return Recording(
            header: RecordingHeader(format: "test"),
            streams: [
                stream(.ecg, 100, .millivolts, ["I", "II"]), stream(.eda, 4, .microsiemens, ["EDA"]), beats,
            ],
            markers: [
                Marker(onset: 3, duration: 1, label: "go\tnow"), Marker(onset: 1, label: "start", stream: "ecg"),
            ])
    }

    @Test func whatWasWrittenIsReadBack() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("\(Self.name)_physio.tsv.gz")
        let notes = try BIDSPhysioWriter.write(RecordedEvents(Self.recording()), to: url)
        #expect(notes == ["ibi: irregular values do not fit into a physio file and are left out"])
        #expect(
            folder.names == [
                "\(Self.name)_events.json", "\(Self.name)_events.tsv",
                "\(Self.name)_recording-ecg_physio.json", "\(Self.name)_recording-ecg_physio.tsv.gz",
                "\(Self.name)_recording-eda_physio.json", "\(Self.name)_recording-eda_physio.tsv.gz",
            ])
        let back = try Recording(
            reading: RecordingFile.open(
                folder.url.appendingPathComponent("\(Self.name)_recording-ecg_physio.tsv.gz")))
        let original = Self.recording().streams[0]
        let block = back.streams[0].segments[0].block
        #expect(back.streams[0].header.kind == .ecg && back.streams[0].header.channels == original.header.channels)
        #expect(back.streams[0].segments[0].start.onset == 0.5 && block.frameCount == 550)
        for channel in 0..<2 {
            let samples = block.channel(channel)
            #expect(Array(samples[..<200]) == original.segments[0].block.channel(channel))
            #expect(samples[200..<350].allSatisfy { $0.isNaN })
            #expect(Array(samples[350...]) == original.segments[1].block.channel(channel))
        }
        #expect(back.markers.map(\.label) == ["start", "go now"] && back.markers.map(\.onset) == [1, 3])
        #expect(back.markers[0].stream == "ecg" && back.markers[1].duration == 1)
    }

    @Test func markersSurviveUnderNamesWithoutASubject() throws {
        let folder = try TemporaryFolder()
        _ = try BIDSPhysioWriter.write(
            RecordedEvents(Self.recording()), to: folder.url.appendingPathComponent("rest_physio.tsv.gz"))
        #expect(folder.names.contains("rest_events.tsv"))
        let url = folder.url.appendingPathComponent("rest_recording-eda_physio.tsv.gz")
        #expect(try Recording(reading: RecordingFile.open(url)).markers.map(\.onset) == [1, 3])
        #expect(try RecordingFile.inputs(of: url).map(\.lastPathComponent).contains("rest_events.tsv"))
    }

    @Test(arguments: ["a.tsv.gz", "physio.tsv.gz", "sub-1_eeg.tsv.gz"])
    func namesThatNoReaderWouldTakeAreRefused(name: String) throws {
        let folder = try TemporaryFolder()
        let message = formatError {
            try BIDSPhysioWriter.write(RecordedEvents(Self.recording()), to: folder.url.appendingPathComponent(name))
        }
        #expect(message?.contains("_physio.tsv.gz") == true && message?.contains("sub-01") == true)
        #expect(folder.names.isEmpty)
    }

    @Test func theSameRecordingGivesTheSameBytes() throws {
        let folder = try TemporaryFolder()
        let bytes = try ["a", "b"].map { name in
            let url = folder.url.appendingPathComponent("\(name)_physio.tsv.gz")
            _ = try BIDSPhysioWriter.write(RecordedEvents(Self.recording()), to: url)
            return try Data(
                contentsOf: folder.url.appendingPathComponent("\(name)_recording-ecg_physio.tsv.gz"))
        }
        #expect(bytes[0] == bytes[1] && bytes[0].count > 100)
    }

    @Test func eventsAloneAreARecordingOfMarkers() throws {
        let folder = try TemporaryFolder()
        let text = "onset\tduration\ttrial_type\n0.5\t1\tgo\n"
        let url = try folder.file("sub-01_task-a_events.tsv", text)
        let recording = try Recording(reading: RecordingFile.open(url))
        #expect(recording.markers == [Marker(onset: 0.5, duration: 1, label: "go")] && recording.streams.isEmpty)
        let bad = try folder.file("sub-02_task-a_events.tsv", text + "n/a\t1\tgo\n")
        #expect(formatError { try RecordingFile.open(bad) }?.contains("line 3: has no onset") == true)
    }

    @Test func startTimeAndOnsetsSurviveFromBIDSToBIDS() throws {
        let folder = try TemporaryFolder()
        let url = try Self.compress(String(repeating: "1\t2\t3\n", count: 400), "\(Self.name)_physio.tsv", in: folder)
        _ = try folder.file("\(Self.name)_physio.json", Self.sidecar)
        _ = try folder.file("\(Self.name)_events.tsv", "onset\tduration\ttrial_type\n2\t0.5\tgo\n")
        let target = folder.url.appendingPathComponent("sub-02_physio.tsv.gz")
        _ = try BIDSPhysioWriter.write(RecordingFile.open(url), to: target)
        let sidecar = try Data(contentsOf: folder.url.appendingPathComponent("sub-02_recording-eda_physio.json"))
        let object = try JSONSerialization.jsonObject(with: sidecar) as? [String: Any]
        #expect(object?["StartTime"] as? Double == -2.5)
        let events = try BIDSEvents.read(folder.url.appendingPathComponent("sub-02_events.tsv"))
        #expect(events == [Marker(onset: 2, duration: 0.5, label: "go")])
    }

    @Test func kindsSurviveWhereNamesDoNotTellThem() throws {
        let folder = try TemporaryFolder()
        let kinds: [StreamKind] = [.eda, .eeg, .respiration, .other]
        let streams = zip(kinds, ["ch1", "ECG", "x", "GSR"]).map { kind, label in
            Stream(
                header: StreamHeader(
                    name: "a \(kind.rawValue)", kind: kind, channels: [Channel(label: label, unit: .unknown)],
                    sampleRate: 10),
                segments: [
                    Segment(
                        start: SegmentStart(onset: 0, sample: 0, sampleRate: 10),
                        block: SampleBlock((0..<30).map { Float($0) }))
                ])
        }
        let recording = Recording(header: RecordingHeader(format: "test"), streams: streams)
        let url = folder.url.appendingPathComponent("\(Self.name)_physio.tsv.gz")
        _ = try BIDSPhysioWriter.write(RecordedEvents(recording), to: url)
        for kind in kinds {
            let file = folder.url.appendingPathComponent("\(Self.name)_recording-a\(kind.rawValue)_physio.tsv.gz")
            #expect(try RecordingFile.open(file).header.streams.map(\.kind) == [kind])
        }
    }

    @Test func streamsWithLikeNamesKeepFilesOfTheirOwn() throws {
        let folder = try TemporaryFolder()
        var recording = Self.recording()
        recording.streams[1].header.name = "e-c-g"
        let twin = Recording(header: recording.header, streams: Array(recording.streams[..<2]))
        let url = folder.url.appendingPathComponent("\(Self.name)_physio.tsv.gz")
        _ = try BIDSPhysioWriter.write(RecordedEvents(twin), to: url)
        let planned = try BIDSPhysioWriter.files(of: twin.header, at: url).streams.map(\.lastPathComponent)
        #expect(Set(planned) == Set(folder.names) && planned.count == 4)
    }

    @Test func whatEventsAndInfinitiesLoseIsTold() throws {
        let folder = try TemporaryFolder()
        let events = try folder.file(
            "sub-01_task-a_events.tsv",
            "onset\tduration\ttrial_type\tresponse_time\tempty\tvalue\n1\t0\tgo\t0.4\tn/a\tn/a\n2\t0\tn/a\t0.5\tn/a\t7\n"
        )
        #expect(try RecordingFile.open(events).header.notes == ["events: the columns response_time are left out"])
        let header = StreamHeader(
            name: "eda", kind: .eda, channels: [Channel(label: "EDA", unit: .microsiemens)], sampleRate: 4)
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: 4)
        let stream = Stream(
            header: header, segments: [Segment(start: start, block: SampleBlock([1, .infinity, .nan, -.infinity]))])
        let notes = try BIDSPhysioWriter.write(
            RecordedEvents(Recording(header: RecordingHeader(format: "test"), streams: [stream])),
            to: folder.url.appendingPathComponent("sub-01_physio.tsv.gz"))
        #expect(notes == ["eda: 2 infinite values are written as missing"])
    }
}
