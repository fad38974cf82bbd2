import Formats
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct EDFReaderTests {
    @Test(.enabled(if: OracleData.has("formats_edf/cases.json")))
    func readsWhatPyedflibAndEdfioRead() throws {
        for known in try EDFOracle.load().cases {
            guard let url = known.url else { continue }
            let recording = try Recording(reading: EDFReader(url))
            // Samples are single precision.
            expectSame(recording, known.content) { signal in
                (signal.samples.map(abs).max() ?? 0) * 1.2e-7 + 1e-9
            }
            if let start = known.start {
                #expect(abs((recording.header.start?.secondsSince1970 ?? 0) - start) < 1e-6, "\(known.file)")
            }
        }
    }

    @Test func blockSizeNeverChangesSamples() throws {
        let folder = try TemporaryFolder()
        let lists = (0..<40).map { "+\($0 < 25 ? $0 : $0 + 3)\u{14}\u{14}\0+\($0).5\u{14}mark\u{14}\0" }
        let file = try folder.file("a.edf", EDFFixture.plus("EDF+D", lists: lists, samples: 7).bytes)
        let whole = try Recording(reading: EDFReader(file))
        #expect(whole.streams[0].segments.count == 2)
        for size in [1, 78, 79, 200, 1_000, 1 << 20] {
            let other = try Recording(reading: EDFReader(file, blockSize: size))
            #expect(other.streams[0].segments.map(\.block) == whole.streams[0].segments.map(\.block))
            #expect(other.streams[0].segments.map(\.start) == whole.streams[0].segments.map(\.start))
            #expect(other.markers == whole.markers)
        }
    }

    @Test func largeRecordsAreReadInSlices() throws {
        let folder = try TemporaryFolder()
        // One record of 10 MB, longer than a block may be, with signals of unlike lengths.
        let counts = [4_999_983, 1_001]
        var fixture = EDFFixture()
        fixture.records = "1"
        fixture.duration = "1000"
        fixture.signals = counts.map { .init(physicalMinimum: "-32768", physicalMaximum: "32767", samples: String($0)) }
        let numbers = counts.flatMap { count in (0..<count).map { Int16(truncatingIfNeeded: $0 % 30_011) } }
        fixture.data = numbers.withUnsafeBytes { [UInt8]($0) }
        let recording = try Recording(reading: EDFReader(folder.file("a.edf", fixture.bytes)))
        #expect(recording.streams.map(\.header.frameCount) == counts)
        for (stream, count) in zip(recording.streams, counts) {
            #expect(stream.segments.count == 1)
            let samples = stream.segments.first?.block.channel(0) ?? []
            #expect(samples.count == count)
            #expect(samples == (0..<count).map { Float($0 % 30_011) })
        }
    }

    @Test func discontinuousRecordsMakeTrueGaps() throws {
        let lists = ["+0.25", "+1.25", "+5.75", "+6.75", "+7.75"].map { $0 + "\u{14}\u{14}\0" }
        let recording = try read(EDFFixture.plus("EDF+D", lists: lists))
        #expect(recording.header.format == "EDF+D")
        #expect(recording.header.start == Timestamp(year: 2020, month: 3, day: 2, hour: 10, minute: 11, second: 12.25))
        #expect(recording.header.duration == 8.5)
        let segments = recording.streams[0].segments
        #expect(segments.map(\.start.onset) == [0, 5.5])
        #expect(segments.map(\.start.sample) == [0, 8])
        #expect(segments.map(\.block.frameCount) == [8, 12])
        #expect(recording.streams[0].gaps == [Gap(onset: 2, duration: 3.5, reason: .fileGap)])
    }

    @Test func roundedOnsetsMakeNoGaps() throws {
        // 1/3 s, as 8 characters and milliseconds can say it.
        let lists = (0..<3_000).map { "+\(String(format: "%.3f", Double($0) / 3))\u{14}\u{14}\0" }
        let recording = try read(
            EDFFixture.plus("EDF+D", lists: lists, samples: 4, annotationBytes: 16, duration: "0.333333"))
        #expect(recording.streams[0].segments.count == 1)
        #expect(recording.streams[0].header.sampleRate == 12)
        #expect(recording.header.notes.isEmpty)
    }

    @Test func oneLostSampleIsAGap() throws {
        let lists = ["+0", "+1", "+2.25", "+3.25"].map { $0 + "\u{14}\u{14}\0" }
        #expect(try read(EDFFixture.plus("EDF+D", lists: lists)).streams[0].gaps.map(\.duration) == [0.25])
    }

    @Test func gapsOfAFileThatSaysItIsContinuousAreKeptAndNoted() throws {
        let recording = try read(EDFFixture.plus("EDF+C", lists: ["+0", "+9"].map { $0 + "\u{14}\u{14}\0" }))
        #expect(recording.streams[0].gaps == [Gap(onset: 1, duration: 8, reason: .fileGap)])
        #expect(recording.header.notes.contains { $0.contains("record 2 starts 8.0 s late") })
    }

    @Test func overlappingRecordsAreReportedAndNeverGoBack() throws {
        let recording = try read(EDFFixture.plus("EDF+D", lists: ["+0", "+0.5", "+4"].map { $0 + "\u{14}\u{14}\0" }))
        let segments = recording.streams[0].segments
        #expect(segments.map(\.start.onset) == [0, 1, 4])
        #expect(segments[1].start.gap == Gap(onset: 1, duration: 0, reason: .clockReset))
        #expect(recording.header.notes.contains { $0.contains("record 2 says it starts 0.5 s before") })
    }

    @Test func recordsThatGoBackEndTheReading() throws {
        let folder = try TemporaryFolder()
        let lists = ["+0", "+1", "+0.5", "+2"].map { $0 + "\u{14}\u{14}\0" }
        let reader = try EDFReader(folder.file("a.edf", EDFFixture.plus("EDF+D", lists: lists).bytes))
        var frames = 0
        let message = formatError {
            while let event = try reader.next() {
                if case .samples(_, let block) = event { frames += block.frameCount }
            }
        }
        #expect(frames == 8)
        #expect(message?.contains("record 3: says it starts at 0.5 s") == true)
    }

    @Test func annotationsBecomeMarkers() throws {
        let first = "+567\u{14}\u{14}Recording starts\u{14}\0+567.5\u{15}2\u{14}Rauschen ü\u{14}两\u{14}\0"
        let second = "+568\u{14}\u{14}\0-3\u{14}before\u{14}\0+568\u{14}loose@@ECG I\u{14}\0+569\u{14}a@@nobody\u{14}\0"
        let recording = try read(EDFFixture.plus("EDF+C", lists: [first, second]))
        #expect(
            recording.markers == [
                Marker(onset: -570, label: "before"), Marker(onset: 0, label: "Recording starts"),
                Marker(onset: 0.5, duration: 2, label: "Rauschen ü"), Marker(onset: 0.5, duration: 2, label: "两"),
                Marker(onset: 1, label: "loose", stream: "ecg"), Marker(onset: 2, label: "a@@nobody"),
            ])
    }

    @Test func damagedAnnotationsAreNotedAndLoseNoSamples() throws {
        let recording = try read(EDFFixture.plus("EDF+C", lists: ["+0\u{14}\u{14}\0", "garbage", "+2\u{14}\u{14}\0"]))
        #expect(recording.streams[0].segments.map(\.block.frameCount) == [12])
        #expect(recording.header.notes.contains { $0.contains("annotations of record 2") })
        let strict = try Self.message(EDFFixture.plus("EDF+D", lists: ["+0\u{14}\u{14}\0", "garbage"]))
        #expect(strict?.contains("record 2: does not say when it starts") == true)
    }

    @Test func truncatedFilesGiveTheirWholeRecords() throws {
        var fixture = EDFFixture.counting(records: 5)
        fixture.data.removeLast(3)
        let recording = try read(fixture)
        #expect(recording.streams[0].header.frameCount == 16)
        #expect(recording.streams[0].segments[0].block.frameCount == 16)
        #expect(
            recording.header.notes == [
                "1 of 5 data records are missing at the end of the file",
                "data record 5 is incomplete (5 of 8 bytes) and is not read",
            ])
    }

    @Test func unknownNumberOfRecordsIsCounted() throws {
        var fixture = EDFFixture.counting(records: 7)
        fixture.records = "-1"
        #expect(try read(fixture).streams[0].segments[0].block.frameCount == 28)
    }

    @Test func equalExtremesGiveStoredNumbersWithoutUnit() throws {
        for change: (inout EDFFixture.Signal) -> Void in [
            { $0.physicalMaximum = $0.physicalMinimum }, { $0.digitalMaximum = $0.digitalMinimum },
        ] {
            var fixture = EDFFixture.counting()
            change(&fixture.signals[0])
            let recording = try read(fixture)
            #expect(recording.streams[0].header.channels[0].unit == .unknown)
            #expect(recording.streams[0].segments[0].block.samples == (0..<8).map(Float.init))
            #expect(recording.header.notes.contains { $0.contains("no scale") })
        }
    }

    @Test func names() throws {
        var fixture = EDFFixture.counting()
        fixture.reserved = "EDF+C"
        fixture.patient = "MCH-0234567 F 02-MAY-1951 Haagse_Harry"
        let recording = try read(fixture)
        #expect(recording.header.subject == "MCH0234567")
        #expect(!"\(recording.header)".contains("Harry"))
        fixture.reserved = ""
        #expect(try read(fixture).header.subject == nil)
    }

    @Test(arguments: [
        ("02.03.84", "X", 2084), ("02.03.85", "X", 1985), ("02.03.yy", "Startdate 02-MAR-2091 X X X", 2091),
        ("02.03.20", "Startdate 02-MAR-2020 X X X", 2020),
    ])
    func years(date: String, recording: String, year: Int) throws {
        var fixture = EDFFixture.counting()
        fixture.reserved = "EDF+C"
        fixture.date = date
        fixture.recording = recording
        #expect(try read(fixture).header.start?.civil.year == year)
    }

    @Test(arguments: [
        ("01.01.85", "Startdate X X X X", "10.11.12"), ("31.02.20", "", "10.11.12"), ("no date", "", "10.11.12"),
        ("02.03.20", "", "25.00.00"),
    ])
    func unknownStarts(date: String, recording: String, time: String) throws {
        var fixture = EDFFixture.counting()
        fixture.reserved = "EDF+C"
        (fixture.date, fixture.recording, fixture.time) = (date, recording, time)
        #expect(try read(fixture).header.start == nil)
    }

    @Test(arguments: [("Startdate X X X X", false), ("Startdate X", false), ("", true)])
    func aPlainFileMayKeepItsDateToItself(recording: String, isKnown: Bool) throws {
        var fixture = EDFFixture.counting()
        (fixture.date, fixture.recording) = ("01.01.85", recording)
        #expect((try read(fixture).header.start != nil) == isKnown)
    }

    @Test(arguments: [
        ("ECG I", "", "mV", StreamKind.ecg), ("EKG", "", "uV", .ecg), ("MLII", "", "mV", .ecg), ("aVR", "", "mV", .ecg),
        ("EEG Fpz-Cz", "", "uV", .eeg), ("Fp1", "", "uV", .eeg), ("C3-M2", "", "uV", .eeg), ("T3-REF", "", "uV", .eeg),
        ("A17", "Active Electrode", "uV", .eeg), ("EXG1", "Active Electrode", "uV", .other), ("B12", "", "uV", .eeg),
        ("PPG", "", "", .bvp), ("Pleth", "", "", .bvp), ("BVP", "", "", .bvp), ("Pulse", "", "bpm", .heartRate),
        ("GSR", "", "uS", .eda), ("EDA left", "", "uS", .eda), ("x", "", "uS", .eda),
        ("GSR range", "", "1", .other), ("GSR skin resistance", "", "kOhms", .other), ("GSR", "", "\u{3BC}S", .eda),
        ("GSR", "", "mV", .eda), ("ch2", "EDA electrode", "kOhm", .other),
        ("Temp rectal", "", "", .temperature),
        ("skin", "", "degC", .temperature), ("Resp oro-nasal", "", "", .respiration), ("Thorax", "", "", .respiration),
        ("ACC X", "", "g", .acceleration), ("Accelerometer_Y", "Y-axis", "mg", .acceleration),
        ("Gyro z", "", "", .gyroscope),
        ("EMG submental", "", "uV", .other), ("EOG horizontal", "", "uV", .other), ("SaO2", "", "%", .other),
        ("Status", "", "", .marker), ("HRV", "Heart Rate Variability", "ms", .other), ("T3", "", "degC", .temperature),
        ("ch1", "ECG electrode", "uV", .ecg), ("Batt", "", "V", .battery),
        ("EEG EKG1-REF", "", "uV", .ecg), ("EEG EKG-LE", "", "uV", .ecg), ("EEG Resp1-REF", "", "uV", .respiration),
        ("EEG A1-REF", "", "uV", .eeg), ("EEG EOG1-REF", "", "uV", .eeg), ("Lead II", "", "mV", .ecg),
        ("az", "", "", .acceleration), ("accX", "", "", .acceleration), ("gz", "", "", .gyroscope),
        ("Mz", "", "", .other),
        ("Cz", "", "", .eeg), ("Oz", "", "uV", .eeg),
    ])
    func kinds(label: String, transducer: String, dimension: String, kind: StreamKind) throws {
        var fixture = EDFFixture.counting()
        fixture.signals[0].label = label
        fixture.signals[0].transducer = transducer
        fixture.signals[0].dimension = dimension
        #expect(try read(fixture).streams[0].header.kind == kind)
    }

    @Test func signalsOfOneKindAndRateAreOneStream() throws {
        var fixture = EDFFixture()
        fixture.signals = [
            .init(label: "EEG Fp1", dimension: "uV", samples: "4"), .init(label: "ECG", samples: "4"),
            .init(label: "EEG Fp2", dimension: "uV", samples: "4"),
            .init(label: "EEG Cz", dimension: "uV", samples: "2"),
        ]
        fixture.data = (0..<28).flatMap { EDFFixture.bytes($0) }
        let recording = try read(fixture)
        #expect(recording.streams.map(\.header.name) == ["eeg", "ecg", "eeg2"])
        #expect(recording.streams[0].header.channels.map(\.label) == ["EEG Fp1", "EEG Fp2"])
        let scale = 10.0 / 65_535
        let expected = ([0, 1, 2, 3, 14, 15, 16, 17] + [8, 9, 10, 11, 22, 23, 24, 25]).map {
            Float(Double($0) * scale + (-5 + 32_768 * scale))
        }
        #expect(recording.streams[0].segments[0].block.samples == expected)
    }

    @Test func bdfSamplesHave24Bits() throws {
        var fixture = EDFFixture()
        fixture.version = [0xFF] + Array("BIOSEMI".utf8)
        fixture.signals[0].physicalMinimum = "-8388608"
        fixture.signals[0].physicalMaximum = "8388607"
        fixture.signals[0].digitalMinimum = "-8388608"
        fixture.signals[0].digitalMaximum = "8388607"
        fixture.data = [
            0, 0, 0, 1, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0, 0, 0x80, 2, 1, 0, 3, 2, 1, 0xFE, 0xFF, 0xFF,
        ]
        let recording = try read(fixture)
        #expect(recording.header.format == "BDF")
        #expect(recording.streams[0].segments[0].block.samples == [0, 1, -1, 8_388_607, -8_388_608, 258, 66_051, -2])
    }

    // MARK: errors

    static func message(_ fixture: EDFFixture) throws -> String? {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.edf", fixture.bytes)
        let message = formatError { try Recording(reading: EDFReader(file)) }
        if let message {
            #expect(message.hasPrefix(file.relativePath) && !message.contains("\n"))
        }
        return message
    }

    @Test func wrongFieldsAreNamedWithPlaceFoundAndExpected() throws {
        func expect(_ text: String, _ change: (inout EDFFixture) -> Void) throws {
            var fixture = EDFFixture.counting()
            change(&fixture)
            let message = try Self.message(fixture)
            #expect(message?.contains(text) == true, "\(message ?? "no error"), expected \(text)")
        }
        try expect("byte 0 (version): found 'JUNK'") { $0.version = Array("JUNK    ".utf8) }
        try expect("byte 184 (header length): found 500, expected 512 for 1 signals") { $0.headerLength = "500" }
        try expect("byte 184 (header length): found 'abc'") { $0.headerLength = "abc" }
        try expect("byte 236 (number of data records): found -2") { $0.records = "-2" }
        try expect("byte 244 (duration of a data record): found 0") { $0.duration = "0" }
        try expect("byte 244 (duration of a data record): found -1") { $0.duration = "-1" }
        try expect("byte 244 (duration of a data record): found 'nan'") { $0.duration = "nan" }
        try expect("byte 252 (number of signals): found 0") { $0.signalCount = "0" }
        try expect("ends within the header, which for 9999 signals has 2560000 bytes") { $0.signalCount = "9999" }
        try expect("byte 360 (physical minimum of signal 1 'ECG I'): found 'x'") { $0.signals[0].physicalMinimum = "x" }
        try expect("byte 376 (digital minimum of signal 1 'ECG I'): found '1.5'") {
            $0.signals[0].digitalMinimum = "1.5"
        }
        try expect("byte 472 (samples per record of signal 1 'ECG I'): found -4") { $0.signals[0].samples = "-4" }
        try expect("byte 472 (samples per record of signal 1 'ECG I'): found '1e99'") { $0.signals[0].samples = "1e99" }
        try expect("no signal has samples") { $0.signals[0].samples = "0" }
        try expect("says EDF+D, but no 'EDF Annotations' signal") { $0.reserved = "EDF+D" }
        try expect("ends after the header, expected 2 data records of 8 bytes") { $0.data = [] }
        try expect("ends within the first data record") {
            $0.signals[0].samples = "99999999"
            $0.duration = "100"
        }
        try expect("byte 244 (duration of a data record): found 1.0 s, in which 'ECG I' would have 99999999.0 Hz") {
            $0.signals[0].samples = "99999999"
        }
    }

    @Test func shortFilesAreErrors() throws {
        let folder = try TemporaryFolder()
        let bytes = EDFFixture.counting().bytes
        for (count, text) in [
            (0, "is empty"), (100, "byte 100: ends within the header"), (300, "byte 300: ends within"),
        ] {
            let file = try folder.file("a.edf", Array(bytes.prefix(count)))
            #expect(formatError { try EDFReader(file) }?.contains(text) == true)
        }
    }
}

private func read(_ fixture: EDFFixture) throws -> Recording {
    let folder = try TemporaryFolder()
    return try Recording(reading: EDFReader(folder.file("a.edf", fixture.bytes)))
}
