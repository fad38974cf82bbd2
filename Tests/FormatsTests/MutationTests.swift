import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Damaged files: whatever happens to the bytes of a real file, reading ends with what can be read or with an error,
/// soon and within bounds.
@Suite(.serialized) struct MutationTests {
    static let mutants = 300

    /// Flips, overwrites, cuts, doubles and swaps some bytes; the header, where most can go wrong, more often.
    static func mutate(_ bytes: [UInt8], header: Int, _ random: inout SplitMix64) -> [UInt8] {
        var bytes = bytes
        func place() -> Int {
            let isInHeader = Bool.random(using: &random)
            return Int.random(in: 0..<max(1, isInHeader ? min(header, bytes.count) : bytes.count), using: &random)
        }
        for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
            switch Int.random(in: 0..<7, using: &random) {
            case 0: bytes[place()] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[place()] = UInt8.random(in: .min ... .max, using: &random)
            case 2: bytes[place()] = "0123456789-+. eE,\n\r\0\u{14}\u{15}".utf8.randomElement(using: &random) ?? 0
            case 3: bytes.removeSubrange(place()...)
            case 4:
                let first = place()
                bytes.removeSubrange(first..<min(bytes.count, first + Int.random(in: 1...64, using: &random)))
            case 5:
                let first = place()
                bytes.insert(contentsOf: bytes[first..<min(bytes.count, first + 64)], at: place())
            default:
                let (a, b) = (place(), place())
                bytes.swapAt(a, b)
            }
        }
        return bytes
    }

    /// Reads everything that the reader gives, checking what every reader promises; returns the number of samples.
    @discardableResult
    static func drain(_ reader: any RecordingReader, limit: Int) throws -> Int {
        var samples = 0
        var ends = reader.header.streams.map { _ in -Double.infinity }
        var isBegun = ends.map { _ in false }
        while let event = try reader.next() {
            switch event {
            case .segment(let stream, let start):
                #expect(start.onset >= ends[stream] - 1e-6 && start.sampleRate > 0 && start.onset.isFinite)
                ends[stream] = start.onset
                isBegun[stream] = true
            case .samples(let stream, let block):
                #expect(isBegun[stream] && block.channelCount == reader.header.streams[stream].channels.count)
                ends[stream] += Double(block.frameCount) / reader.header.streams[stream].sampleRate
                samples += block.samples.count
            case .values(_, let values): samples += values.count
            case .marker: break
            }
            // More samples than bytes were in the file: something runs away.
            guard samples <= limit else {
                Issue.record("gives more samples than it has bytes")
                return samples
            }
        }
        return samples
    }

    private static func fuzz(
        _ original: [UInt8], name: String, header: Int, seed: UInt64, limit: Int? = nil, mutants: Int = mutants,
        open: (URL) throws -> any RecordingReader
    ) throws {
        let folder = try TemporaryFolder()
        var random = SplitMix64(seed: seed)
        var slowest = 0.0
        for _ in 0..<mutants {
            let bytes = mutate(original, header: header, &random)
            let file = try folder.file(name, bytes)
            let begun = processorTime()
            do {
                try drain(open(file), limit: limit ?? bytes.count + 64)
            } catch {
                // One line that begins with the file, or one beside it that it refers to.
                let text = (error as? FormatError)?.description ?? ""
                #expect(text.hasPrefix(folder.url.relativePath) && !text.contains("\n"), "\(error)")
            }
            slowest = max(slowest, processorTime() - begun)
        }
        // What hangs takes for ever; what is slow only because the machine is busy does not count.
        #expect(slowest < 5)
    }

    /// Seconds this thread has computed.
    static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    private static func head(_ path: String, _ count: Int) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: RealData.url(path)).prefix(count))
    }

    @Test func damagedDiscontinuousEDF() throws {
        let lists = (0..<30).map { "+\($0 < 12 ? $0 : $0 + 5)\u{14}\u{14}\0+\($0).5\u{15}1\u{14}mark ü@@ECG I\u{14}\0" }
        let bytes = EDFFixture.plus("EDF+D", lists: lists, samples: 16).bytes
        try Self.fuzz(bytes, name: "a.edf", header: 768, seed: 1) { try EDFReader($0, blockSize: 300) }
    }

    @Test(
        .enabled(if: RealData.has("edf_bdf/mne/test.bdf")),
        arguments: [
            ("edf_bdf/edfio/short_psg.edf", 3_000), ("edf_bdf/pyedflib/test_utf8.edf", 1_000),
            ("edf_bdf/pyedflib/test_generator_datarec_generator_2.bdf", 2_000),
            ("edf_bdf/edfio/SC4001EC-Hypnogram.edf", 4_600),
        ])
    func damagedEDF(path: String, header: Int) throws {
        let bytes = try Self.head(path, 40 << 10)
        try Self.fuzz(bytes, name: "a.edf", header: header, seed: 2) { try EDFReader($0) }
    }

    @Test func damagedOwnEDFWithMissingSamples() throws {
        let folder = try TemporaryFolder()
        let header = StreamHeader(
            name: "bvp", kind: .bvp, channels: [Channel(label: "BVP", unit: .dimensionless)], sampleRate: 64)
        let samples = (0..<2_000).map { $0 % 100 < 20 ? Float.nan : Float($0 % 31) }
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: 64)
        let stream = Signals.Stream(
            header: header, segments: [Segment(start: start, block: SampleBlock(samples))])
        let file = folder.url.appendingPathComponent("a.edf")
        try EDFWriter.write(
            Recording(header: RecordingHeader(format: "test"), streams: [stream]), to: file)
        let bytes = [UInt8](try Data(contentsOf: file))
        try Self.fuzz(bytes, name: "a.edf", header: 768, seed: 3) { try EDFReader($0) }
    }

    @Test func damagedZip() throws {
        let bytes = ZipFixture(EmpaticaTests.session).bytes
        try Self.fuzz(bytes, name: "a.zip", header: bytes.count, seed: 4, limit: 1 << 20) { try EmpaticaSession($0) }
    }

    @Test(.enabled(if: RealData.has("e4_stress_predict/S28.zip")))
    func damagedRealZip() throws {
        let bytes = [UInt8](try Data(contentsOf: RealData.url("e4_stress_predict/S28.zip")))
        let folder = try TemporaryFolder()
        var random = SplitMix64(seed: 5)
        for _ in 0..<40 {
            let file = try folder.file("a.zip", Self.mutate(bytes, header: 200, &random))
            do {
                try Self.drain(EmpaticaSession(file), limit: 1 << 22)
            } catch {
                #expect(error is FormatError)
            }
        }
    }

    @Test(.enabled(if: RealData.has("e4_devicely/ACC.csv")))
    func damagedSessionFolders() throws {
        var random = SplitMix64(seed: 6)
        let names = ["ACC", "BVP", "EDA", "TEMP", "HR", "IBI", "tags"].map { $0 + ".csv" }
        let originals = try names.map { try Self.head("e4_devicely/" + $0, 20_000) }
        let folder = try TemporaryFolder()
        for (name, original) in zip(names, originals) { _ = try folder.file(name, original) }
        for _ in 0..<Self.mutants {
            let hit = names.indices.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
            for index in hit {
                _ = try folder.file(names[index], Self.mutate(originals[index], header: 60, &random))
            }
            defer { for index in hit { _ = try? folder.file(names[index], originals[index]) } }
            do {
                try Self.drain(EmpaticaSession(folder.url), limit: 200_000)
            } catch {
                let text = (error as? FormatError)?.description ?? ""
                #expect(text.hasPrefix(folder.url.relativePath) && !text.contains("\n"), "\(error)")
            }
        }
    }

    @Test func damagedBrainVision() throws {
        let fixture = BrainVisionFixture(markers: [
            "Mk1=New Segment,,1,1,0,20240301120000000000", "Mk2=New Segment,,501,1,0,20240301120003000000",
            "Mk3=Stimulus,S1,511,50,2",
        ])
        let folder = try TemporaryFolder()
        var random = SplitMix64(seed: 8)
        for _ in 0..<Self.mutants {
            let url = try fixture.write(to: folder)
            let isHeader = Bool.random(using: &random)
            let name = isHeader ? "a.vhdr" : "a.vmrk"
            let bytes = try [UInt8](Data(contentsOf: folder.url.appendingPathComponent(name)))
            _ = try folder.file(name, Self.mutate(bytes, header: bytes.count, &random))
            do {
                try Self.drain(BrainVisionReader(url), limit: 20_000)
            } catch {
                let text = (error as? FormatError)?.description ?? ""
                #expect(text.hasPrefix(folder.url.relativePath) && !text.contains("\n"), "\(error)")
            }
        }
    }

    @Test func damagedOpenBCI() throws {
        let session = OpenBCITests.Session(rows: 300, lost: [100..<110], markers: [50: 1])
        let text = OpenBCITests.lines(session).joined(separator: "\n") + "\n"
        try Self.fuzz(Array(text.utf8), name: "a.txt", header: 600, seed: 31) { try OpenBCIReader($0) }
    }

    @Test func damagedOpenSignals() throws {
        let text = OpenSignalsTests.text(
            model: "bitalino_rev", sensors: ["ECGBIT", "RAW"], bits: "[4, 1, 1, 1, 1, 10, 10]",
            columns: OpenSignalsTests.bitalinoColumns + ", \"A2\"",
            rows: (0..<400).map { [($0 < 200 ? $0 : $0 + 3) % 16, $0 / 50 % 2, 0, 0, 1, 500 + $0 % 9, 3] })
        try Self.fuzz(Array(text.utf8), name: "a.txt", header: 400, seed: 30) { try OpenSignalsReader($0) }
    }

    @Test func damagedAcqKnowledgeText() throws {
        let text = AcqKnowledgeTextTests.lines(.init(delimiter: ",", time: "min"), rows: 300).joined(separator: "\r\n")
        try Self.fuzz(Array(text.utf8), name: "a.txt", header: 150, seed: 41) { try AcqKnowledgeText($0) }
    }

    @Test(arguments: [false, true])
    func damagedAcqKnowledgeMatlab(isCompressed: Bool) throws {
        let bytes = AcqKnowledgeMatlabTests.fixture(isCompressed: isCompressed, rows: 300)
        try Self.fuzz(bytes, name: "a.mat", header: 1_000, seed: 43, limit: 1 << 20) { try AcqKnowledgeMatlab($0) }
    }

    @Test func damagedLabChart() throws {
        let blocks =
            LabChartTests.block(rows: 150, comments: [3: "#* a\t#2 b"]) + LabChartTests.block(days: 0.01, rows: 150)
        try Self.fuzz(Array(blocks.joined(separator: "\n").utf8), name: "a.txt", header: 250, seed: 42) {
            try LabChartReader($0)
        }
    }

    @Test(arguments: [(45, false), (128, false), (132, true)])
    func damagedAcqKnowledge(version: Int, isCompressed: Bool) throws {
        var fixture = AcqKnowledgeTests.fixture(version, isBigEndian: version > 61, isCompressed: isCompressed)
        for place in fixture.channels.indices {
            fixture.channels[place].stored.removeLast(fixture.channels[place].stored.count * 9 / 10)
        }
        let bytes = fixture.bytes
        try Self.fuzz(bytes, name: "a.acq", header: 3_500, seed: 31, limit: 4 * bytes.count) {
            try AcqKnowledgeReader($0)
        }
    }

    @Test(arguments: [false, true], [false, true])
    func damagedEEGLAB(isCompressed: Bool, isBigEndian: Bool) throws {
        let bytes = EEGLABFixture(
            frames: 200, epochs: 2, stored: .int16,
            events: [
                (.text("S  1"), 3, .number(1)), (.text("boundary"), 60.5, .number(50)), (.number(7), 150, .nothing),
            ], isBigEndian: isBigEndian, isCompressed: isCompressed, isFlat: isBigEndian
        ).bytes
        try Self.fuzz(bytes, name: "a.set", header: 1_500, seed: 32) { try EEGLABReader($0) }
    }

    @Test func damagedISHNE() throws {
        try Self.fuzz(ISHNETests.fixture, name: "a.ecg", header: 522, seed: 9) { try ISHNEReader($0) }
    }

    @Test func damagedAvro() throws {
        let bytes = AvroFixture.session(eda: (0..<60).map { Float($0) }, temperature: (0..<15).map { Float($0) })
        try Self.fuzz(bytes, name: "a.avro", header: bytes.count, seed: 10) { try EmbracePlusSession($0) }
    }

    private static let wearables: [String] = {
        let muse = ([MuseTests.titles] + MuseTests.bursts(0..<300)).joined(separator: "\n")
        let lsl = (0..<200).map { "\(1_000 + Double($0) / 256),\($0),1,\($0 / 50)\n" }
        let first = 838_432_586_543_515_816
        let sensor = (0..<200).map { "2026-07-26T21:56:26.765;\(first + $0 * 20_000_000);\($0);2;3\n" }
        let beats = (0..<200).map { "2026-06-01T21:17:07.832;\($0 + 800)\n" }
        let training = (0..<100).map { ",\($0),\(70 + $0 % 9)\n" }
        let session = "Name,Sport,Date,Start time,Duration\na,b,29-08-2026,22:00:05,00:00:04\n\n"
        return [
            muse, "timestamps,TP9,AF7,Marker0\n" + lsl.joined(),
            "Phone timestamp;sensor timestamp [ns];X [mg];Y [mg];Z [mg]\n" + sensor.joined(),
            "Phone timestamp;RR-interval [ms]\n" + beats.joined(),
            MethodSCRIPTLogTests.timed, session + "Sample rate,Time,HR (bpm)\n1,0,70\n" + training.joined(),
        ]
    }()

    @Test(arguments: wearables)
    func damagedTextOfWearables(text: String) throws {
        try Self.fuzz(Array(text.utf8), name: "a.csv", header: 120, seed: 11, limit: 1 << 16, mutants: 100) {
            try RecordingFile.open($0)
        }
    }

    /// Whatever a file is taken for, it is read or refused.
    @Test(
        .enabled(if: RealData.has("mitdb/100.hea")),
        arguments: [
            "rr_series/hrv_rest_rri.txt", "rr_series/hrv_exercise.hrm", "rr_series/hrvas_example.ibi", "mitdb/100.hea",
        ])
    func damagedFilesOfAnyFormat(path: String) throws {
        guard RealData.has(path) else { return }
        let bytes = try Self.head(path, 8 << 10)
        try Self.fuzz(
            bytes, name: "a." + URL(fileURLWithPath: path).pathExtension, header: 100, seed: 7, limit: 1 << 20
        ) {
            try RecordingFile.open($0)
        }
    }
}
