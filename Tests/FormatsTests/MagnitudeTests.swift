import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Numbers that are finite but cannot be: whatever field of a file holds them, the file is read or refused, and what is
/// read can be handed to any writer.
@Suite(.serialized) struct MagnitudeTests {
    private static let numbers = [
        "1e300", "-1e300", "1e18", "1e-300", "9223372036854775807", "-9223372036854775808",
    ]

    @Test(arguments: MagnitudeFixture.all)
    func anyFieldMayHoldAnyNumber(fixture: MagnitudeFixture) throws {
        let folder = try TemporaryFolder()
        var seen: Set<String> = []
        for field in 0..<fixture.fieldCount {
            for number in Self.numbers {
                let files = try fixture.files(field, number)
                for (name, bytes) in files { _ = try folder.file(name, bytes) }
                let bytes = files.values.reduce(0) { $0 + $1.count }
                let begun = MutationTests.processorTime()
                try Self.endure(folder, fixture.main, limit: 8 * bytes + 64, &seen, "field \(field) is \(number)")
                #expect(MutationTests.processorTime() - begun < 2, "field \(field) is \(number)")
                try FileManager.default.removeItem(at: folder.url)
                try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
            }
        }
    }

    /// Without such numbers every one of the files is read, so that it is they that are tried.
    @Test(arguments: MagnitudeFixture.all)
    func theFixturesThemselvesAreRead(fixture: MagnitudeFixture) throws {
        let folder = try TemporaryFolder()
        for (name, bytes) in try fixture.files(-1, "") { _ = try folder.file(name, bytes) }
        let recording = try Recording(reading: RecordingFile.open(Self.place(folder, fixture.main)))
        #expect(recording.streams.contains { !$0.segments.isEmpty || !$0.values.isEmpty } || !recording.markers.isEmpty)
    }

    private static func place(_ folder: TemporaryFolder, _ main: String) -> URL {
        main.isEmpty ? folder.url : folder.url.appendingPathComponent(main)
    }

    private static func endure(
        _ folder: TemporaryFolder, _ main: String, limit: Int, _ seen: inout Set<String>, _ comment: String
    ) throws {
        let read: Recording
        do {
            read = try Recording(reading: RecordingFile.open(Self.place(folder, main)))
        } catch let error as FormatError {
            #expect(!error.description.contains("\n") && error.description.contains("/"), "\(comment): \(error)")
            return
        }
        let reader = { RecordedEvents(read) }
        try MutationTests.drain(reader(), limit: limit)
        // What was written before needs no writing again.
        let times = read.streams.map { ($0.segments.map(\.start), $0.values.map(\.onset)) }
        guard seen.insert("\(read.header.start as Any) \(times) \(read.markers)").inserted else { return }
        let out = try TemporaryFolder()
        func file(_ name: String) -> URL { out.url.appendingPathComponent(name) }
        let writers: [(name: String, isReadAgain: Bool, write: (URL) throws -> Void)] = [
            ("a.edf", true, { try EDFWriter.write(read, to: $0) }),
            ("a.bdf", true, { try EDFWriter.write(read, to: $0, as: .bdf) }),
            ("a.xdf", true, { try XDFWriter.write(reader(), to: $0) }),
            ("a.hea", true, { _ = try WFDBWriter.write(reader(), to: $0) }),
            ("task-a_physio.tsv.gz", false, { _ = try BIDSPhysioWriter.write(reader(), to: $0) }),
            ("a.csv", false, { try CSVExport.write(reader(), to: $0, separator: ",") }),
            ("a.rr", false, { _ = try RRTextWriter.write(reader(), to: $0) }),
        ]
        for (name, isReadAgain, write) in writers {
            do {
                try write(file(name))
            } catch {
                #expect(error is FormatError, "\(comment): \(name): \(error)")
                continue
            }
            if isReadAgain {
                #expect(throws: Never.self, "\(comment): \(name)") {
                    try Recording(reading: RecordingFile.open(file(name)))
                }
            }
        }
        for name in out.names {
            let size = try FileManager.default.attributesOfItem(atPath: file(name).path)[.size] as? Int ?? 0
            #expect(size < 32 << 20, "\(comment): \(name) has \(size) bytes")
        }
    }

    // MARK: what is done about them

    /// Streams of 100 samples at these rates, from `onset` on.
    static func recording(rates: [Double], onset: Seconds = 0) -> Recording {
        let streams = rates.enumerated().map { index, rate in
            Signals.Stream(
                header: StreamHeader(
                    name: "ecg\(index)", kind: .ecg, channels: [Channel(label: "ECG", unit: .millivolts)],
                    sampleRate: rate),
                segments: [
                    Segment(
                        start: SegmentStart(onset: onset, sample: 0, sampleRate: rate),
                        block: SampleBlock((0..<100).map { Float($0 % 7) }))
                ])
        }
        return Recording(header: RecordingHeader(format: "test"), streams: streams)
    }

    @Test func journalLinesThatCannotBeAreNotUsed() throws {
        let folder = try TemporaryFolder()
        let files = { field, value in try MagnitudeFixture.ownXDF.files(field, value) }
        func read(_ field: Int, _ value: String) throws -> Recording {
            try XDFFixture.read(files(field, value)["own.xdf"] ?? [], in: folder)
        }
        let usual = try read(-1, "")
        #expect(usual.header.notes.isEmpty && usual.streams[0].segments.map(\.start.sample) == [0, 100])
        #expect(usual.streams[0].gaps == [Gap(onset: 1, duration: 4, reason: .fileGap)])
        // Sample, frame and clock of the second segment's line, and the length of its gap: the first line places all.
        for (field, value) in [
            (8, "9223372036854775807"), (8, "-1"), (2, "-1e308"), (11, "1e300"), (11, "0.5"), (1, "-1e300"),
        ] {
            let recording = try read(field, value)
            let note = recording.header.notes.contains { $0.contains("1 lines of marey-events") }
            #expect(note, "field \(field) is \(value): \(recording.header.notes)")
            #expect(recording.streams[0].segments.map(\.block.frameCount).reduce(0, +) == 200)
            #expect(recording.streams[0].segments.allSatisfy { $0.start.onset.isPlaceable })
            #expect(recording.streams[0].segments.last?.end == 6, "field \(field) is \(value)")
        }
    }

    @Test func aStartThatIsNoDateIsNotedAndLeftOut() throws {
        let folder = try TemporaryFolder()
        for value in ["1e300", "-9e18", "253402300800"] {
            let header = try XDFReader(folder.file("a.xdf", MagnitudeFixture.xdf.files(0, value)["a.xdf"] ?? [])).header
            #expect(
                header.start == nil && header.notes.contains { $0.contains("'\(value)'") && $0.contains("no date") })
        }
        let last = try XDFReader(folder.file("a.xdf", MagnitudeFixture.xdf.files(0, "253402300799")["a.xdf"] ?? []))
        #expect(last.header.start?.description == "9999-12-31T23:59:59.000Z" && last.header.notes.isEmpty)
    }

    @Test func timesNoClockShowsAreNamedByLine() throws {
        let folder = try TemporaryFolder()
        let rows = (0..<40).map { "\(Double($0) / 100),1\n" }.joined()
        for (text, place) in [
            ("time [s],ECG [mV]\n" + rows + "1e300,1\n", "line 42, column time [s]: found \"1e300\""),
            ("time [s],ECG [mV]\n" + rows + "0.401,1\n-1e18,1\n", "line 43, column time [s]: found \"-1e18\""),
            ("time [s],ECG [mV]\n" + (1...40).map { "\($0)e300,1\n" }.joined(), "s apart, so there is no sample rate"),
            ("time [s],ECG [mV]\n" + (1...40).map { "\($0)e-300,1\n" }.joined(), "s apart, so there is no sample rate"),
        ] {
            let message = formatError { try RecordingFile.open(folder.file("a.csv", text)) }
            #expect(message?.contains(place) == true, "\(message ?? "none")")
        }
        let lists = ["+0\u{14}\u{14}\0", "+1e300\u{14}\u{14}\0", "+2e300\u{14}\u{14}\0"]
        let edf = try folder.file("a.edf", EDFFixture.plus("EDF+D", lists: lists).bytes)
        let message = formatError { try Recording(reading: EDFReader(edf)) }
        #expect(message?.contains("record 2: does not say when it starts") == true, "\(message ?? "none")")
    }

    @Test func aSegmentWithoutFilesIsAGapHoweverLongItSaysItIs() throws {
        let folder = try TemporaryFolder()
        for (name, bytes) in try MagnitudeFixture.segments.files(-1, "") { _ = try folder.file(name, bytes) }
        let record = try Recording(reading: WFDBRecord(folder.url.appendingPathComponent("m.hea")))
        #expect(record.streams[0].segments.map(\.start.onset) == [0, 6])
        #expect(record.streams[0].segments.map(\.start.sample) == [0, 600])
        #expect(record.streams[0].gaps == [Gap(onset: 2, duration: 4, reason: .fileGap)])
        let empty = try WFDBRecord(folder.file("w.hea", "w 1 250 1099511627776\n~ 0x4 200\n"))
        #expect(try empty.next() == nil)
    }

    @Test func ratesThatCannotBeAreRefusedOnBothSides() throws {
        let folder = try TemporaryFolder()
        for duration in ["1e-300", "1e300", "1e15", "1e-9"] {
            var fixture = EDFFixture.counting(samples: 250)
            fixture.duration = duration
            let message = formatError { try RecordingFile.open(folder.file("a.edf", fixture.bytes)) }
            #expect(message?.contains("byte 244 (duration of a data record): found") == true, "\(message ?? "none")")
        }
        #expect(
            formatError { try WFDBRecord(folder.file("a.hea", "a 1 1e6 10\nr.dat 16x1000\n")) }?
                .contains("a sample rate of 1000000000.0 Hz is not possible") == true)
        for rate in [1e-7, 2e7] {
            let reader = { RecordedEvents(Self.recording(rates: [rate])) }
            let writers: [(URL) throws -> Void] = [
                { try EDFWriter.write(to: $0, reading: reader) }, { try XDFWriter.write(reader(), to: $0) },
                { _ = try WFDBWriter.write(reader(), to: $0) },
                { try CSVExport.write(reader(), to: $0, separator: ",") },
                { _ = try BIDSPhysioWriter.write(reader(), to: $0) },
            ]
            for write in writers {
                let message = formatError { try write(folder.url.appendingPathComponent("task-a_physio.tsv.gz")) }
                #expect(
                    message?.contains("the stream ecg0 has \(rate) samples a second") == true, "\(message ?? "none")")
            }
        }
        #expect(folder.names == ["a.edf", "a.hea"])
    }

    @Test func aWFDBRecordIsWrittenOnlyWithinItsReadersBounds() throws {
        let folder = try TemporaryFolder()
        func write(_ recording: Recording, _ name: String) throws -> [String] {
            try WFDBWriter.write(RecordedEvents(recording), to: folder.url.appendingPathComponent(name))
        }
        // Ten million samples of one stream for one of the other.
        #expect(
            formatError { try write(Self.recording(rates: [1e7, 1]), "a") }?.contains("no common frame rate") == true)
        #expect(
            formatError { try write(Self.recording(rates: [100], onset: 1e8), "a") }?.contains("a gap before") == true)
        #expect(folder.names.isEmpty)
        #expect(try write(Self.recording(rates: [1_000, 1]), "b").isEmpty)
        let wide = try Recording(reading: WFDBRecord(folder.url.appendingPathComponent("b.hea")))
        #expect(wide.streams.map(\.header.sampleRate) == [1_000, 1])
        // Before time 0 a record has no samples.
        for onset in [-2, -1e300] {
            let notes = try write(Self.recording(rates: [100], onset: onset), "c")
            #expect(
                notes == ["ecg0: begins \(Float(-onset)) s before time 0, where a record begins, and is moved there"])
            let moved = try Recording(reading: WFDBRecord(folder.url.appendingPathComponent("c.hea")))
            #expect(moved.streams[0].segments.map(\.block.frameCount) == [100])
        }
    }

    @Test func recordsThatDoubleAtEachLevelAreRefused() throws {
        let folder = try TemporaryFolder()
        var schema = #"{"type":"record","name":"R28","fields":[]}"#
        for level in (0..<28).reversed() {
            schema =
                "{\"type\":\"record\",\"name\":\"R\(level)\",\"fields\":[{\"name\":\"a\",\"type\":\(schema)},"
                + "{\"name\":\"b\",\"type\":\"R\(level + 1)\"}]}"
        }
        let sync = (0..<16).map { UInt8($0) }
        let bytes: [UInt8] =
            [0x4F, 0x62, 0x6A, 1] + AvroFixture.long(1) + AvroFixture.text("avro.schema") + AvroFixture.text(schema) + [
                0
            ]
            + sync + AvroFixture.long(1) + AvroFixture.long(1) + [0] + sync
        let message = formatError { try RecordingFile.open(folder.file("a.avro", bytes)) }
        #expect(message?.contains("has more values than its 1 bytes can hold") == true, "\(message ?? "none")")
    }
}
