import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Small XDF files, byte by byte.
enum XDFFixture {
    static let boundary: [UInt8] =
        [0x01, 0x12, 0x05, 0x00] + [
            0x43, 0xA5, 0x46, 0xDC, 0xCB, 0xF5, 0x41, 0x0F, 0xB3, 0x0E, 0xD5, 0x46, 0x73, 0x83, 0xCB, 0xE4,
        ]

    static func chunk(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 2
        let head: [UInt8] =
            length < 256
            ? [1, UInt8(length)] : [4] + (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
        return head + [tag, 0] + content
    }

    static let head =
        Array("XDF:".utf8) + chunk(1, Array("<?xml version=\"1.0\"?><info><version>1.0</version></info>".utf8))

    static func header(
        _ id: UInt8, name: String = "x", type: String = "EEG", channels: Int = 2, rate: Double = 100,
        format: String = "float32", desc: String = ""
    ) -> [UInt8] {
        chunk(
            2,
            [id, 0, 0, 0]
                + Array(
                    ("<info><name>\(name)</name><type>\(type)</type><channel_count>\(channels)</channel_count>"
                        + "<nominal_srate>\(rate)</nominal_srate><channel_format>\(format)</channel_format>"
                        + "<desc>\(desc)</desc></info>").utf8))
    }

    static func bytes(_ value: Double) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
    }
    static func bytes(_ value: Float) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
    }

    static func samples(_ id: UInt8, at stamp: Double, _ frames: [[Float]]) -> [UInt8] {
        var content: [UInt8] = [id, 0, 0, 0, 4, UInt8(frames.count), 0, 0, 0]
        for (index, frame) in frames.enumerated() {
            content += index == 0 ? [8] + bytes(stamp) : [0]
            content += frame.flatMap { bytes($0) }
        }
        return chunk(3, content)
    }

    static func read(_ file: [UInt8], in place: TemporaryFolder? = nil) throws -> Recording {
        let folder = try place ?? TemporaryFolder()
        return try Recording(reading: XDFReader(try folder.file("a.xdf", file)))
    }
}

@Suite struct XDFReaderTests {
    /// What an amplifier sends in one stream, each channel with its type.
    private static func amplifier(_ frames: [[Float]], types: [String]) -> [UInt8] {
        let channels = types.enumerated().map { place, type in
            "<channel><label>\(type)\(place)</label><unit>microvolts</unit><type>\(type)</type></channel>"
        }
        return XDFFixture.head
            + XDFFixture.header(
                1, name: "amp", channels: types.count, desc: "<channels>\(channels.joined())</channels>")
            + stride(from: 0, to: frames.count, by: 100).flatMap { first in
                XDFFixture.samples(
                    1, at: 10 + Double(first) / 100, Array(frames[first..<min(first + 100, frames.count)]))
            }
    }

    @Test func channelsOfSeveralTypesAreStreamsOfTheirKinds() throws {
        let frames = (0..<600).map { frame -> [Float] in
            let value = Float(frame)
            return [
                value, 1_000 + value, [200, 201, 450].contains(frame) ? 7 : 0, 2_000 + value, 3_000 + value, value / 2,
            ]
        }
        let folder = try TemporaryFolder()
        let file = try folder.file(
            "a.xdf", Self.amplifier(frames, types: ["EEG", "ECG", "TRIG", "EEG", "GSR", "EOG"]))
        let recording = try Recording(reading: RecordingFile.open(file))
        let streams = recording.streams
        #expect(streams.map(\.header.name) == ["amp", "amp ecg", "amp marker", "amp eda"])
        #expect(streams.map(\.header.kind) == [.eeg, .ecg, .marker, .eda])
        #expect(streams[0].header.channels.map(\.label) == ["EEG0", "EEG3", "EOG5"])
        #expect(streams[0].header.channels.map(\.kind) == [nil, nil, .other])
        #expect(streams[0].segments[0].block.channel(1) == (0..<600).map { 2_000 + Float($0) })
        #expect(streams[1].segments[0].block.samples == (0..<600).map { 1_000 + Float($0) })
        #expect(streams[3].header.channels.map(\.kind) == [nil])
        #expect(recording.markers.map(\.label) == ["7", "7"])
        #expect(recording.markers.map(\.stream) == ["amp marker", "amp marker"])
        #expect(zip(recording.markers.map(\.onset), [2, 4.5]).allSatisfy { abs($0 - $1) < 1e-6 })
    }

    @Test func aTriggerThatChangesAllTheTimeGivesNoMarkers() throws {
        let folder = try TemporaryFolder()
        let frames = (0..<600).map { [Float($0), Float($0 % 50)] }
        let file = try folder.file("a.xdf", Self.amplifier(frames, types: ["EEG", "TRIG"]))
        let recording = try Recording(reading: RecordingFile.open(file))
        #expect(recording.markers.isEmpty && recording.streams.map(\.header.kind) == [.eeg, .marker])
        #expect(recording.header.notes == ["channel \"TRIG1\" changes all the time: its numbers are no markers"])
    }

    /// Chunks as bytes, with a frame whose stamp is deduced.
    @Test func decodesStampedAndDeducedFrames() throws {
        let chunk: [UInt8] = [
            0x01, 0x25, 0x03, 0x00, 0x01, 0x00, 0x00, 0x00, 0x04, 0x02, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x00,
            0x00, 0x00, 0x24, 0x40, 0x00, 0x00, 0x80, 0x3F, 0x00, 0x00, 0x00, 0xC0, 0x00, 0x00, 0x00, 0x00, 0x3F, 0x00,
            0x00, 0x40, 0x40,
        ]
        let recording = try XDFFixture.read(XDFFixture.head + XDFFixture.header(1) + chunk)
        let segment = try #require(recording.streams.first?.segments.first)
        #expect(segment.block.samples == [1, 0.5, -2, 3])
        #expect(abs(segment.start.sampleRate - 100) < 1e-9 && segment.start.onset == 0)
        #expect(recording.header.notes.isEmpty)
    }

    /// Files with drop-outs below 1 s, over which pyxdf smears the times of the samples around them.
    private static let dropOuts = ["short_gap.xdf", "damaged.xdf"]

    @Test(.enabled(if: OracleData.has("formats_xdf/cases.json")))
    func readsWhatPyxdfReads() throws {
        for test in try XDFOracle.load().cases where !Self.dropOuts.contains(test.file) {
            guard let url = test.url else { continue }
            let reader = try XDFReader(url)
            let recording = try Recording(reading: reader)
            let exact = test.streams.map(\.last).max() ?? 0
            // pyxdf keeps times since an arbitrary moment in doubles; its own sums round.
            expectSame(recording, origin: reader.origin, test.streams, within: 2e-6 + exact * 1e-12)
        }
    }

    @Test(.enabled(if: OracleData.has("formats_xdf/cases.json")), arguments: ["breaks.xdf", "clock_reset_down.xdf"])
    func breaksAreGaps(file: String) throws {
        let recording = try Recording(reading: XDFReader(OracleData.url("formats_xdf/" + file)))
        let gaps = try #require(recording.streams.first).gaps
        #expect(gaps.map { ($0.duration * 10).rounded() / 10 } == (file == "breaks.xdf" ? [7.3, 82.7] : [20]))
    }

    @Test(.enabled(if: OracleData.has("formats_xdf/cases.json")), arguments: dropOuts)
    func shortDropOutsAreGapsToo(file: String) throws {
        let test = try #require(try XDFOracle.load().cases.first { $0.file == file })
        let recording = try Recording(reading: XDFReader(OracleData.url("formats_xdf/" + file)))
        let stream = try #require(recording.streams.first)
        #expect(stream.segments.reduce(0) { $0 + $1.block.frameCount } == test.streams[0].count)
        // Of the damaged file, what the damage took: all up to the next boundary chunk.
        #expect(stream.gaps.map { ($0.duration * 20).rounded() / 20 } == [file == "short_gap.xdf" ? 0.8 : 2.5])
        #expect(stream.segments.allSatisfy { abs($0.start.sampleRate - 100) < 0.1 })
    }

    @Test func toldFromTheContent() throws {
        let folder = try TemporaryFolder()
        let file = XDFFixture.head + XDFFixture.header(1) + XDFFixture.samples(1, at: 1, [[1, 2]])
        #expect(try RecordingFile.open(folder.file("a.bin", file)).header.format == "XDF")
        #expect(formatError { try RecordingFile.open(folder.file("a.xdf", "no")) }?.contains("'XDF:'") ?? false)
    }

    @Test(arguments: [
        ("EEG", "x", StreamKind.eeg, "microvolts", Unit.microvolts), ("ECG", "x", .ecg, "mV", .millivolts),
        ("PPG", "x", .bvp, "", .unknown), ("GSR", "x", .eda, "microsiemens", .microsiemens),
        ("ACC", "x", .acceleration, "g", .g), ("Data", "H10 ECG", .ecg, "", .unknown),
        ("Gaze", "EEG room", .other, "pixels", Unit("pixels")),
        ("Temperature", "x", .temperature, "celsius", .degreesCelsius),
    ])
    func kindsAndUnits(type: String, name: String, kind: StreamKind, unit: String, expected: Signals.Unit) throws {
        let channel = "<channel><label>a</label><unit>\(unit)</unit></channel>"
        let header = XDFFixture.header(1, name: name, type: type, channels: 1, desc: "<channels>\(channel)</channels>")
        let stream = try #require(
            try XDFFixture.read(XDFFixture.head + header + XDFFixture.samples(1, at: 1, [[1]])).streams.first)
        #expect(stream.header.kind == kind)
        #expect(stream.header.channels == [Channel(label: "a", unit: expected)])
    }

    /// Wherever a file is cut off, what stands before the cut is read and the rest is named.
    @Test func readableUpToAnyTear() throws {
        let folder = try TemporaryFolder()
        let frames = (0..<20).map { [Float($0), Float(-$0)] }
        var file = XDFFixture.head + XDFFixture.header(1)
        var ends: [Int] = []
        for chunk in 0..<4 {
            file += XDFFixture.samples(1, at: 1 + Double(chunk) * 0.2, frames) + XDFFixture.boundary
            ends.append(file.count - XDFFixture.boundary.count)
        }
        let start = (XDFFixture.head + XDFFixture.header(1)).count
        for length in 0..<file.count {
            let torn = Array(file[..<length])
            guard length >= start else {
                #expect(formatError { try XDFFixture.read(torn, in: folder) } != nil)
                continue
            }
            let recording = try XDFFixture.read(torn, in: folder)
            let whole = ends.count { $0 <= length }
            #expect(recording.streams[0].segments.reduce(0) { $0 + $1.block.frameCount } == whole * 20)
            let isClean = length == start || ends.contains(length) || ends.contains(length - XDFFixture.boundary.count)
            #expect(recording.header.notes.isEmpty == isClean, "\(length)")
        }
    }

    /// Bytes destroyed between two boundary chunks cost what lies between them, and a note says where.
    @Test func damageCostsWhatItHit() throws {
        let frames = (0..<10).map { [Float($0), 0] }
        let chunks = (0..<6).map { XDFFixture.samples(1, at: 1 + Double($0) * 0.1, frames) + XDFFixture.boundary }
        var file = XDFFixture.head + XDFFixture.header(1)
        let place = file.count + chunks[0].count + chunks[1].count
        file += chunks.flatMap { $0 }
        file.replaceSubrange(place..<place + 30, with: [UInt8](repeating: 0xEE, count: 30))
        let recording = try XDFFixture.read(file)
        #expect(recording.streams[0].segments.reduce(0) { $0 + $1.block.frameCount } == 50)
        #expect(recording.header.notes.contains { $0.contains("byte \(place)") }, "\(recording.header.notes)")
    }

    @Test func headersThatSayNonsenseAreNamed() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.xdf", XDFFixture.head + XDFFixture.header(1, format: "float16"))
        let text = formatError { try XDFReader(file) }
        #expect(text?.contains("float16") ?? false, "\(text ?? "")")
    }

    @Test(.enabled(if: OracleData.has("formats_xdf/cases.json")))
    func mutantsEndInGoodTime() throws {
        var random = SplitMix64(seed: 11)
        let folder = try TemporaryFolder()
        let clock = ContinuousClock()
        for name in ["formats.xdf", "few_offsets.xdf", "torn.xdf"] {
            let original = [UInt8](try Data(contentsOf: OracleData.url("formats_xdf/" + name))).prefix(24_000)
            for _ in 0..<250 {
                var bytes = Array(original)
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    let inHeader = Bool.random(using: &random)
                    let place = Int.random(in: 0..<(inHeader ? min(2_000, bytes.count) : bytes.count), using: &random)
                    switch Int.random(in: 0..<5, using: &random) {
                    case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                    case 1: bytes[place] = [0, 1, 4, 8, 0xFF].randomElement(using: &random) ?? 0
                    case 2:
                        bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
                    case 3: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 50)], at: place)
                    default: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
                    }
                }
                let file = try folder.file("a.xdf", bytes)
                let time = clock.measure {
                    do {
                        try Self.drain(XDFReader(file), limit: bytes.count + 64)
                    } catch {
                        #expect(
                            (error as? FormatError)?.description.hasPrefix(folder.url.relativePath) ?? false, "\(error)"
                        )
                    }
                }
                #expect(time < .seconds(3))
            }
        }
    }

    /// Reads everything that the reader gives, checking what every reader promises.
    private static func drain(_ reader: XDFReader, limit: Int) throws {
        var samples = 0
        var ends = reader.header.streams.map { _ in -Double.infinity }
        var rates = reader.header.streams.map { _ in 0.0 }
        while let event = try reader.next() {
            switch event {
            case .segment(let stream, let start):
                #expect(start.onset >= ends[stream] - 1e-6 && start.sampleRate > 0 && start.onset.isFinite)
                (ends[stream], rates[stream]) = (start.onset, start.sampleRate)
            case .samples(let stream, let block):
                #expect(rates[stream] > 0 && block.channelCount == reader.header.streams[stream].channels.count)
                ends[stream] += Double(block.frameCount) / rates[stream]
                samples += block.samples.count
            case .values(_, let values): samples += values.count
            case .marker(let marker): #expect(marker.onset.isFinite)
            }
            guard samples <= limit else { return #expect(Bool(false), "gives more samples than it has bytes") }
        }
    }
}
