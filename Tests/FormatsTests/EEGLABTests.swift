import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Data sets of EEGLAB.
struct EEGLABTests {
    private func recording(_ fixture: EEGLABFixture) throws -> Recording {
        let folder = try TemporaryFolder()
        return try Recording(reading: RecordingFile.open(fixture.write(to: folder)))
    }

    private func check(_ found: Recording, _ fixture: EEGLABFixture) {
        #expect(found.header.format == "EEGLAB")
        #expect(found.streams.map(\.header.kind) == [.eeg, .other])
        #expect(found.streams.flatMap { $0.header.channels.map(\.label) } == ["Fp1", "Cz", "HEOG"])
        #expect(found.streams.allSatisfy { $0.header.channels.allSatisfy { $0.unit == .microvolts } })
        #expect(found.streams.allSatisfy { $0.header.sampleRate == 250 && $0.segments.count == 1 })
        let eeg = found.streams[0].segments[0].block
        #expect(eeg.channel(0) == fixture.samples(0, 0..<fixture.frames))
        #expect(eeg.channel(1) == fixture.samples(1, 0..<fixture.frames))
        #expect(found.streams[1].segments[0].block.samples == fixture.samples(2, 0..<fixture.frames))
        #expect(found.header.start?.description == "2024-03-01T12:30:05.500Z")
        #expect(found.header.notes == ["its reference is \"average\""])
    }

    /// Each storage has blocks of another length, which samples may not depend on.
    @Test(arguments: MatlabFixture.Stored.allCases, [(false, false), (true, false), (false, true), (true, true)])
    func `samples are the same however they are stored`(
        stored: MatlabFixture.Stored, packing: (isCompressed: Bool, isBigEndian: Bool)
    ) throws {
        let fixture = EEGLABFixture(
            frames: 100_003, stored: stored, isBigEndian: packing.isBigEndian, isCompressed: packing.isCompressed,
            isFlat: stored == .int16 || stored == .double)
        try check(recording(fixture), fixture)
    }

    @Test(arguments: ["a.fdt", "other.fdt", "a.dat"], [false, true])
    func `samples in a file beside the set are those of a matrix in it`(file: String, isFlat: Bool) throws {
        let fixture = EEGLABFixture(frames: 70_001, isCompressed: isFlat, isFlat: isFlat, file: file)
        try check(recording(fixture), fixture)
    }

    @Test func `a set whose samples were renamed with it takes those of its own name`() throws {
        let folder = try TemporaryFolder()
        let fixture = EEGLABFixture(file: "C:\\data\\before.fdt")
        let url = try folder.file("sub-01_eeg.set", fixture.bytes)
        let missing = formatError { try RecordingFile.open(url) }
        #expect(missing?.contains("its samples are in before.fdt, which is not beside it") == true)
        let own = try folder.file("sub-01_eeg.fdt", fixture.fdt)
        for place in [url, own] {
            let found = try Recording(reading: RecordingFile.open(place))
            #expect(found.header.notes.contains("before.fdt is not there; sub-01_eeg.fdt was read instead"))
            #expect(found.streams[0].segments[0].block.channel(1) == fixture.samples(1, 0..<1_000))
            #expect(
                try RecordingFile.files(of: place).map(\.lastPathComponent) == ["sub-01_eeg.set", "sub-01_eeg.fdt"])
        }
        // The file that the set names comes first.
        _ = try folder.file("before.fdt", fixture.fdt)
        #expect(try RecordingFile.files(of: url).map(\.lastPathComponent) == ["sub-01_eeg.set", "before.fdt"])
    }

    @Test(arguments: [-4, 4])
    func `samples that are not as many as the set says are refused by both names`(difference: Int) throws {
        let folder = try TemporaryFolder()
        let fixture = EEGLABFixture(file: "b.fdt")
        let url = try fixture.write(to: folder)
        _ = try folder.file("b.fdt", Array((fixture.fdt + [0, 0, 0, 0]).prefix(12_000 + difference)))
        let error = formatError { try RecordingFile.open(url) }
        #expect(error?.contains("b.fdt: has \(12_000 + difference) bytes, expected 12000 by a.set: 3 channels") == true)
    }

    @Test func `events are markers called by their type`() throws {
        let found = try recording(
            EEGLABFixture(events: [
                (.text("S  1"), 1, .number(1)), (.number(33), 251, .number(25)),
                (.cell(.text("Grüße")), 500.75, .nothing),
                (.text("", isWide: true), 1_000, .number(.nan)), (.text("late"), 2_000, .nothing),
                (.text("no time"), .nan, .nothing), (.number(0.5), 10, .nothing),
            ]))
        #expect(
            found.markers == [
                Marker(onset: 0, label: "S  1"), Marker(onset: 0.036, label: "0.5"),
                Marker(onset: 1, duration: 0.1, label: "33"), Marker(onset: 499.75 / 250, label: "Grüße"),
                Marker(onset: 3.996, label: "event"),
            ])
        #expect(found.header.notes.contains("2 events have no latency within the samples and are not read"))
        #expect(found.streams[0].segments.count == 1)
    }

    @Test(arguments: [MatlabFixture.Value.text("boundary"), .number(-99), .text("Boundary")])
    func `where samples were cut out there is a gap`(type: MatlabFixture.Value) throws {
        let found = try recording(
            EEGLABFixture(events: [
                (.text("before"), 250, .nothing), (type, 250.5, .number(500)), (.text("after"), 251, .nothing),
                (type, 501, .number(0)), (.text("between"), 502, .nothing), (type, 750.5, .number(.nan)),
                (type, 750.5, .number(250)), (.text("end"), 1_000, .nothing),
            ]))
        let stream = found.streams[0]
        #expect(stream.segments.map(\.start.sample) == [0, 250, 500, 750])
        #expect(stream.segments.map(\.block.frameCount) == [250, 250, 250, 250])
        let lengths: [Seconds] = [2, 0.006, 0.006]
        for (gap, length) in zip(stream.gaps, lengths) { #expect(abs(gap.duration - length) < 1e-9) }
        #expect(stream.gaps.map(\.reason) == [.fileGap, .unknownLength, .unknownLength])
        let onsets: [Seconds] = [0.996, 3, 4.01, 6.008]
        for (marker, onset) in zip(found.markers, onsets) { #expect(abs(marker.onset - onset) < 1e-9, "\(marker)") }
        #expect(found.markers.map(\.label) == ["before", "after", "between", "end"])
        #expect(abs((found.header.duration ?? 0) - 6.012) < 1e-9)
        #expect(
            found.header.notes.last
                == "samples were cut out at 3 places before the set was saved, at 2 of these how many is not told: gaps of "
                + "0.006 s stand there")
    }

    @Test func `what was cut off before the first sample moves the start`() throws {
        let found = try recording(EEGLABFixture(events: [(.text("boundary"), 0.5, .number(2_500))]))
        #expect(found.streams[0].segments.map(\.start.onset) == [0] && found.streams[0].gaps.isEmpty)
        #expect(found.header.start?.description == "2024-03-01T12:30:15.500Z")
    }

    @Test(arguments: [nil, "a.fdt"])
    func `every epoch is a run of its own`(file: String?) throws {
        let fixture = EEGLABFixture(
            epochs: 4,
            events: [
                (.text("one"), 101, .nothing), (.text("boundary"), 251, .number(900)), (.text("two"), 351, .nothing),
                (.text("boundary"), 600.5, .nothing), (.text("last"), 1_000, .nothing),
            ], isCompressed: true, file: file)
        let found = try recording(fixture)
        let stream = found.streams[0]
        #expect(stream.segments.map(\.start.sample) == [0, 250, 500, 600, 750])
        #expect(stream.segments.flatMap { $0.block.channel(1) } == fixture.samples(1, 0..<1_000))
        for gap in stream.gaps { #expect(abs(gap.duration - 0.006) < 1e-9) }
        let onsets: [Seconds] = [0.4, 1.406, 4.02]
        for (marker, onset) in zip(found.markers, onsets) { #expect(abs(marker.onset - onset) < 1e-9, "\(marker)") }
        #expect(found.header.start == nil)
        #expect(found.header.notes.contains { $0.contains("consists of 4 epochs of 1 s, how far apart is not told") })
    }

    @Test(arguments: [
        ("EEG", "ECG1", StreamKind.ecg, "µV"), ("EEG", "VEOG", .other, "µV"), ("EEG", "X7", .eeg, "µV"),
        ("ECG", "EXG1", .ecg, "µV"), ("EOG", "Fp1", .other, "µV"), ("EMG", "Chin", .other, "µV"),
        ("GSR", "EXG5", .eda, ""),
        ("MISC", "Cz", .other, ""), ("", "GAZE", .other, "µV"), ("", "SpO2", .other, ""), ("", "Cz", .eeg, "µV"),
        ("", "EKG", .ecg, "µV"), ("", "RESP", .respiration, ""),
    ])
    func `channels are told by their type and label`(type: String, label: String, kind: StreamKind, unit: String) throws
    {
        let found = try recording(EEGLABFixture(labels: ["Oz", label], types: ["EEG", type]))
        let stream = try #require(found.streams.first { $0.header.channels.contains { $0.label == label } })
        #expect(stream.header.kind == kind && stream.header.channels.last?.unit.rawValue == unit)
    }

    @Test func `channels without names are EEG`() throws {
        let found = try recording(EEGLABFixture(changed: ["chanlocs": .nothing]))
        #expect(found.streams.map(\.header.kind) == [.eeg])
        #expect(found.streams[0].header.channels.map(\.label) == ["1", "2", "3"])
        #expect(found.header.notes.contains { $0.contains("taken for EEG") })
    }

    @Test(arguments: [
        ("srate", MatlabFixture.Value.number(0), "EEG.srate is 0, expected a sample rate in Hz"),
        ("srate", .text("fast"), "EEG.srate is text"),
        ("nbchan", .number(4), "EEG.data has 3 x 1000 numbers, expected 4 channels x 1000 frames x 1 epochs"),
        ("nbchan", .number(1e300), "EEG.nbchan is 1e+300, expected a whole number"),
        ("pnts", .number(2.5), "EEG.pnts is 2.5"), ("trials", .number(-1), "EEG.trials is -1"),
        ("data", .numbers([], shape: [0, 0]), "holds no samples"), ("data", .number(3), "EEG.data is a number"),
        ("data", .cell(.text("x")), "EEG.data is a cell array"),
        ("data", .text("none.fdt"), "none.fdt, which is not beside it"),
        ("data", .numbers([1, 2, 3], shape: [4, 1]), "has 24 bytes of numbers, expected 4 of 8 bytes"),
        ("event", .numbers([1, 2], shape: [-1, 2]), "tells dimensions that cannot be"),
    ])
    func `what cannot be is refused with what was expected`(
        field: String, value: MatlabFixture.Value, expected: String
    ) throws {
        let folder = try TemporaryFolder()
        for isFlat in [false, true] {
            let url = try EEGLABFixture(isFlat: isFlat, changed: [field: value]).write(to: folder)
            let error = formatError { try RecordingFile.open(url) }
            #expect(error?.contains(expected) == true && error?.contains("a.set") == true, "\(error ?? "none")")
        }
    }

    @Test(arguments: [false, true])
    func `a set that is cut off anywhere is refused`(isCompressed: Bool) throws {
        let folder = try TemporaryFolder()
        let whole = EEGLABFixture(frames: 400, isCompressed: isCompressed).bytes
        for count in stride(from: 1, to: whole.count, by: 97) {
            let url = try folder.file("a.set", Array(whole.prefix(count)))
            #expect(throws: FormatError.self, "\(count) bytes") { try Recording(reading: RecordingFile.open(url)) }
        }
    }

    @Test func `numbers that were damaged within what is compressed are not taken for measured ones`() throws {
        let folder = try TemporaryFolder()
        var bytes = EEGLABFixture(frames: 20_000, isCompressed: true).bytes
        bytes[bytes.count / 2] ^= 1
        let url = try folder.file("a.set", bytes)
        #expect(formatError { try RecordingFile.open(url) }?.contains("compressed data are damaged") == true)
    }

    @Test func `MATLAB's version 7_3 is refused with what to do`() throws {
        let folder = try TemporaryFolder()
        var bytes = Array("MATLAB 7.3 MAT-file, Platform: GLNXA64".utf8)
        bytes += [UInt8](repeating: 0x20, count: 512 - bytes.count) + [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]
        for content in [bytes, Array(bytes.dropFirst(512))] {
            let url = try folder.file("a.set", content)
            let error = formatError { try RecordingFile.open(url) }
            #expect(error?.contains("version 7.3 (HDF5)") == true && error?.contains("pop_saveset") == true)
        }
        let other = try folder.file("b.set", "no such thing, and longer than a header of MATLAB would be, by far")
        #expect(formatError { try RecordingFile.open(other) }?.contains("header of a MATLAB file of level 5") == true)
    }

    @Test func `a MATLAB file is a data set where it has one`() throws {
        let folder = try TemporaryFolder()
        for isFlat in [false, true] {
            let fixture = EEGLABFixture(isCompressed: isFlat, isFlat: isFlat)
            try check(Recording(reading: RecordingFile.open(fixture.write(to: folder, named: "x.mat"))), fixture)
        }
        var none = MatlabFixture()
        none.variables = [("val", .numbers([1, 2], shape: [1, 2]))]
        let url = try folder.file("y.mat", none.bytes)
        #expect(formatError { try RecordingFile.open(url) }?.contains("tells neither sample rate nor units") == true)
        none.variables = [("EEG", .structs([[("data", .number(1))], [("data", .number(2))]]))]
        let several = try folder.file("z.set", none.bytes)
        #expect(formatError { try RecordingFile.open(several) }?.contains("holds 2 data sets, expected one") == true)
    }
}
