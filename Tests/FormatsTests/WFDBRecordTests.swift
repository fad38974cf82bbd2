import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Everything a reader gives, or its error.
func drain(_ reader: any RecordingReader) throws -> (samples: Int, events: Int) {
    var samples = 0
    var events = 0
    while let event = try reader.next() {
        events += 1
        switch event {
        case .samples(_, let block): samples += block.samples.count
        case .values(_, let values): samples += values.count
        default: break
        }
        guard events < 1_000_000 else { throw FormatError("reader", "does not end") }
    }
    return (samples, events)
}

@Suite struct WFDBRecordTests {
    /// 200 frames of two signals in format 16.
    private func record(in folder: TemporaryFolder, header: String? = nil) throws -> URL {
        var bytes: [UInt8] = []
        for frame in 0..<200 {
            for value in [Int16(frame), Int16(-frame)] {
                bytes.append(UInt8(truncatingIfNeeded: value))
                bytes.append(UInt8(truncatingIfNeeded: value >> 8))
            }
        }
        _ = try folder.file("r.dat", bytes)
        let lines =
            header
            ?? "r 2 100 200 12:30:05.250 1/3/2026\nr.dat 16 100 16 0 0 0 0 MLII\nr.dat 16 10(5)/NU 16 0 0 0 0 PLETH\n# a comment\n"
        return try folder.file("r.hea", lines)
    }

    @Test func markersNobodyWantsAreNotRead() throws {
        let folder = try TemporaryFolder()
        let url = try record(in: folder)
        let plain = try drain(WFDBRecord(url))
        // A normal beat at frame 7.
        _ = try folder.file("r.atr", [7, 1 << 2, 0, 0] as [UInt8])
        #expect(try drain(WFDBRecord(url)).events == plain.events + 1)
        let spared = try WFDBRecord(url)
        spared.wantsMarkers = false
        #expect(try drain(spared) == plain)
    }

    @Test func headerIsTakenApart() throws {
        let text = """
            # before
            rec/2 3 250.5/360(-2) 100
            # 62 M
            seg_1 40
            ~ 60
            """
        let header = try WFDBHeader(parsing: Array(text.utf8), file: URL(fileURLWithPath: "rec.hea"))
        #expect(header.name == "rec")
        #expect(header.sampleRate == 250.5)
        #expect(header.counterFrequency == 360)
        #expect(header.baseCounter == -2)
        #expect(
            header.segments == [WFDBSegment(name: "seg_1", frameCount: 40), WFDBSegment(name: nil, frameCount: 60)])
        #expect(header.comments == ["before", "62 M"])
        let single = """
            r 1 128 0 1:02:03 05/06/1999\r
            r.dat 212x4:3+512 -12.5(-7)/uV 12 1024 995 -22131 0 EEG Fp1 - A2\r
            """
        let signal = try #require(
            WFDBHeader(parsing: Array(single.utf8), file: URL(fileURLWithPath: "r.hea")).signals.first)
        #expect(
            signal.format == .format212 && signal.samplesPerFrame == 4 && signal.skew == 3 && signal.byteOffset == 512)
        #expect(signal.gain == -12.5 && signal.baseline == -7 && signal.unit == .microvolts && signal.adcZero == 1024)
        #expect(signal.initialValue == 995 && signal.checksum == -22131 && signal.description == "EEG Fp1 - A2")
        #expect(signal.kind == .eeg)
        let plain = try WFDBHeader(parsing: Array("r 1\nr.dat 16".utf8), file: URL(fileURLWithPath: "r.hea"))
        #expect(plain.sampleRate == 250 && plain.signals[0].gain == 200 && plain.signals[0].isUncalibrated)
        #expect(plain.notes.count == 2)
    }

    @Test func recordIsFoundByAnyOfItsNames() throws {
        let folder = try TemporaryFolder()
        let header = try record(in: folder)
        for name in ["r.hea", "r.dat", "r"] {
            let url = folder.url.appendingPathComponent(name)
            let head = (try? InputFile(url).read(at: 0, count: 4096)) ?? []
            #expect(WFDBRecord.recognizes(head, url: url), "\(name)")
            let recording = try Recording(reading: WFDBRecord(url))
            #expect(recording.header.start?.description == "2026-03-01T12:30:05.250Z")
            #expect(recording.streams.map(\.header.kind) == [.ecg, .bvp])
            #expect(recording.streams[0].segments[0].block.samples[150] == 1.5)
            #expect(recording.streams[1].segments[0].block.samples[150] == -15.5)
        }
        // A header under another name is known by what it says.
        let other = try folder.file("other.txt", Array(try Data(contentsOf: header)))
        #expect(WFDBRecord.recognizes(try InputFile(other).read(at: 0, count: 4096), url: other))
        for text in ["time,ecg\n0,1\n0.01,2\n", "812\n790\n801\n", "a b\nc d\n"] {
            let file = try folder.file("some.csv", text)
            #expect(!WFDBRecord.recognizes(Array(text.utf8), url: file))
        }
    }

    @Test func differingChecksumIsNoted() throws {
        let folder = try TemporaryFolder()
        let url = try record(in: folder, header: "r 1 100 400\nr.dat 16 100 16 0 0 77 0 II\n")
        let recording = try Recording(reading: WFDBRecord(url))
        #expect(recording.header.notes.count == 1)
        #expect(recording.header.notes.first?.contains("the header gives 77") == true)
    }

    @Test func truncatedRecordGivesWhatIsThereAndSaysSo() throws {
        let folder = try TemporaryFolder()
        let url = try record(in: folder, header: "r 2 100 1000\nr.dat 16 100 16 0 0 77\nr.dat 16 100 16 0 0 0\n")
        let recording = try Recording(reading: WFDBRecord(url))
        #expect(recording.header.notes.count == 1)
        #expect(recording.header.notes[0].contains("r.dat, byte 800: ends after 200 of 1000 frames"))
        #expect(recording.header.duration == 2 && recording.streams[0].header.frameCount == 200)
        #expect(recording.streams[0].segments.map(\.block.samples.count) == [400])
    }

    @Test func signalsWhoseFileIsCutOffAreMissingFromThereOn() throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("s.dat", [UInt8](repeating: 1, count: 300))
        let url = try record(in: folder, header: "r 2 100 400\nr.dat 16 100 16 0 0 0 0 I\ns.dat 16 100 16 0 0 0 0 II\n")
        let recording = try Recording(reading: WFDBRecord(url))
        #expect(recording.header.notes.count == 1)
        #expect(recording.header.notes[0].contains("s.dat, byte 300: ends after 150 of 400 frames"))
        let segment = try #require(recording.streams.first?.segments.first)
        let (whole, cut) = (segment.block.channel(0), segment.block.channel(1))
        #expect(whole.count == 400 && !whole.contains { $0.isNaN })
        #expect(cut.firstIndex { $0.isNaN } == 150 && !cut[150...].contains { !$0.isNaN })
    }

    @Test func aSegmentThatIsCutOffLeavesAGapBeforeTheNext() throws {
        let folder = try TemporaryFolder()
        for name in ["a", "b"] {
            var bytes: [UInt8] = []
            for frame in 0..<(name == "a" ? 60 : 100) { bytes += [UInt8(frame), 0] }
            _ = try folder.file("\(name).dat", bytes)
            _ = try folder.file("\(name).hea", "\(name) 1 100 100\n\(name).dat 16 1 16 0 0 0 0 II\n")
        }
        let url = try folder.file("m.hea", "m/2 1 100 200\na 100\nb 100\n")
        let recording = try Recording(reading: WFDBRecord(url))
        let stream = try #require(recording.streams.first)
        let segments = stream.segments
        #expect(segments.map(\.start.onset) == [0, 1] && segments.map(\.start.sample) == [0, 100])
        #expect(segments.map(\.block.frameCount) == [60, 100])
        #expect(segments.last?.start.gap == Gap(onset: 0.6, duration: 0.4, reason: .fileGap))
        #expect(recording.header.notes.contains { $0.contains("a.dat, byte 120: ends after 60 of 100") })
    }

    @Test func lengthIsTakenFromTheFileWhereTheHeaderHasNone() throws {
        let folder = try TemporaryFolder()
        let reader = try WFDBRecord(record(in: folder, header: "r 2 100\nr.dat 16\nr.dat 16\n"))
        #expect(reader.header.streams.first?.frameCount == 200)
        #expect(reader.header.duration == 2)
        #expect(try drain(reader).samples == 400)
    }

    @Test(arguments: [
        ("", "is empty"), ("# only\n", "no record line"), ("\0\u{1}\u{2}", "is not text"),
        ("r\n", "line 1: is no record line"), ("r x\n", "line 1: \"x\" is no number of signals"),
        ("r 2 100 200\nr.dat 16\n", "claims 2 signals, 1 signal lines follow"),
        ("r 1000000000 100 200\nr.dat 16\n", "claims 1000000000 signals"),
        ("r 2 0 200\nr.dat 16\nr.dat 16\n", "line 1: a sample rate of 0.0 Hz is not possible"),
        ("r 2 nan 200\nr.dat 16\nr.dat 16\n", "is no sample rate"),
        ("r 1 100 99999999999999999999\nr.dat 16\n", "is no possible number of samples"),
        ("r 1 100 -5\nr.dat 16\n", "is no possible number of samples"),
        ("r 1 100 200\nr.dat 516\n", "signal format 516 is not known"),
        ("r 1 100 200\nr.dat 16x1000000000\n", "samples in a frame"),
        ("r 1 100 200\n../r.dat 16\n", "is not in the header's folder"),
        ("r 1 100 200\nmissing.dat 16\n", "signal file missing.dat cannot be opened"),
        ("r 1 100 200\nr.dat 16 inf\n", "is no gain"),
        ("r 1 100 200\nr.dat 16 200(1.5)\n", "has no valid baseline"),
        ("r 2 100 200\nr.dat 16\nr.dat 212\n", "more than one signal format"),
        ("r/0 2 100 200\n", "is no number of segments"), ("r/2 2 100 200\n~ 100\n~ 100\n", "no segment with samples"),
        ("r/1 2 100 200\n../x 200\n", "not below the header's folder"),
        ("r/1 2 100 200\nr 200\n", "is itself made of segments"),
        ("r/1 2 100 200\nnone 200\n", "none.hea: cannot be opened"),
        ("r 1 100 200 99:99:99\nr.dat 16\n", "is no time of day"),
        ("r 1 100 200 1:1:1 32/1/2000\nr.dat 16\n", "is no date"),
    ])
    func badHeaderIsRefusedInOneLine(_ text: String, _ expected: String) throws {
        let folder = try TemporaryFolder()
        let url = try record(in: folder, header: text)
        let message = formatError { try Recording(reading: WFDBRecord(url)) }
        #expect(message?.contains(expected) == true, "\(message ?? "no error")")
        #expect(message?.contains("\n") == false)
        #expect(message?.contains(folder.url.lastPathComponent) == true)
    }

    @Test func hugeClaimsCostNoMemory() throws {
        let folder = try TemporaryFolder()
        let reader = try WFDBRecord(record(in: folder, header: "r 1 100 1000000000000\nr.dat 16x100000:1000000000 0\n"))
        #expect(formatError { try drain(reader) } != nil)
        let offset = try WFDBRecord(record(in: folder, header: "r 1 100 200\nr.dat 16+1000000000000 0\n"))
        #expect(formatError { try drain(offset) }?.contains("ends after 0 of 200") == true)
        let eight = try WFDBRecord(record(in: folder, header: "r 1 100 200\nr.dat 8:1000000000000 0\n"))
        _ = try? drain(eight)
    }

    @Test func directoryAndUnreadableFileAreRefused() throws {
        let folder = try TemporaryFolder()
        #expect(formatError { try WFDBRecord(folder.url) } != nil)
        let directory = folder.url.appendingPathComponent("d.hea")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        #expect(formatError { try WFDBRecord(directory) }?.contains("is a directory") == true)
        #expect(
            formatError { try WFDBRecord(folder.url.appendingPathComponent("none")) }?.contains("No such file") == true)
    }

    @Test(
        .enabled(if: RealData.has("mitdb/100.hea")),
        arguments: ["mitdb/100", "wfdb_formats/a103l", "wfdb_formats/310derive", "wfdb_formats/test01_00s_skew"])
    func mutatedRecordsNeverCrash(_ name: String) throws {
        guard RealData.has(name + ".hea") else { return }
        let source = RealData.url(name)
        let folder = try TemporaryFolder()
        let text = Array(try Data(contentsOf: source.appendingPathExtension("hea")))
        let header = try WFDBHeader(parsing: text, file: source)
        for file in Set(header.signals.compactMap(\.file)) {
            let bytes = try InputFile(source.deletingLastPathComponent().appendingPathComponent(file))
            _ = try folder.file(file, bytes.read(at: 0, count: 20_000))
        }
        var random = SplitMix64(seed: 3)
        for _ in 0..<300 {
            let url = try folder.file("m.hea", mutated(text, using: &random))
            _ = try? drain(WFDBRecord(url))
        }
    }
}

/// Bytes with a few bits flipped, a piece cut off, swapped or doubled.
func mutated(_ bytes: [UInt8], using random: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) {
        guard !bytes.isEmpty else { break }
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 2: bytes.removeLast(bytes.count - place)
        case 3: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &random))
        case 4: bytes.insert(contentsOf: [0x39, 0x39, 0x39, 0x39], at: place)
        default: bytes.insert(contentsOf: bytes[place..<min(place + 16, bytes.count)], at: place)
        }
    }
    return bytes
}
