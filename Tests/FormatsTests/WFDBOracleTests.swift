import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// What the python wfdb package says about a record.
private struct Reference: Decodable {
    var path: String
    var frames: Int
    var rate: Double
    var perFrame: [Int]
    var lengths: [Int]

    static func names(_ kind: String) throws -> [String] {
        let index = try JSONDecoder().decode(
            [String: [String]].self, from: Data(contentsOf: OracleData.url("wfdb/index.json")))
        return index[kind] ?? []
    }

    static func read(_ name: String) throws -> (reference: Reference, signals: [[Float]]) {
        let reference = try JSONDecoder().decode(
            Reference.self, from: Data(contentsOf: OracleData.url("wfdb/\(name).json")))
        let data = try Data(contentsOf: OracleData.url("wfdb/\(name).f32"))
        let all = data.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map {
                Float(bitPattern: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self))
            }
        }
        var signals: [[Float]] = []
        var first = 0
        for length in reference.lengths {
            signals.append(Array(all[first..<first + length]))
            first += length
        }
        return (reference, signals)
    }
}

private struct AnnotationReference: Decodable {
    var path: String
    var sample: [Int]
    var symbol: [String]
    var subtype: [Int]
    var chan: [Int]
    var num: [Int]
    var aux: [String]
}

/// The samples of a stream over the whole record, NaN in gaps.
func laidOut(_ stream: Signals.Stream, length: Int) -> [[Float]] {
    var channels = stream.header.channels.map { _ in [Float](repeating: .nan, count: length) }
    for segment in stream.segments {
        for channel in channels.indices {
            let first = segment.start.sample
            channels[channel].replaceSubrange(
                first..<first + segment.block.frameCount, with: segment.block.channel(channel))
        }
    }
    return channels
}

func same(_ left: Float, _ right: Float) -> Bool { left == right || left.isNaN && right.isNaN }

@Suite(.enabled(if: OracleData.has("wfdb/index.json"))) struct WFDBOracleTests {
    @Test func samplesAreThoseOfTheReferenceReader() throws {
        for name in try Reference.names("records") {
            let (reference, signals) = try Reference.read(name)
            let url = URL(fileURLWithPath: reference.path)
            for framesPerBlock in [nil, 7, 1000] as [Int?] {
                let recording = try Recording(reading: WFDBRecord(url, framesPerBlock: framesPerBlock))
                // Signals come sorted into streams; labels are unique in these records.
                let header = try WFDBRecord(url).recordHeader
                let labels = try labels(of: header, url)
                for stream in recording.streams {
                    #expect(abs(stream.header.sampleRate.remainder(dividingBy: reference.rate)) < 1e-9)
                    let perFrame = Int((stream.header.sampleRate / reference.rate).rounded())
                    let channels = laidOut(stream, length: reference.frames * perFrame)
                    for (channel, samples) in zip(stream.header.channels, channels) {
                        let place = try #require(labels.firstIndex(of: channel.label))
                        let expected = signals[place]
                        #expect(samples.count == expected.count, "\(name) \(channel.label)")
                        let wrong = zip(samples, expected).enumerated().first { !same($1.0, $1.1) }
                        #expect(wrong == nil, "\(name) \(channel.label) block \(framesPerBlock ?? 0)")
                    }
                }
                #expect(recording.header.notes == [], "\(name)")
            }
        }
    }

    private func labels(of header: WFDBHeader, _ url: URL) throws -> [String] {
        guard let first = header.segments.first?.name else { return header.signals.map(\.description) }
        let segment = url.deletingLastPathComponent().appendingPathComponent(first).appendingPathExtension("hea")
        return try WFDBHeader(reading: segment).signals.map(\.description)
    }

    @Test func gapsOfSegmentedRecordsAreGaps() throws {
        let fixed = try Recording(reading: WFDBRecord(OracleData.url("wfdb/fixed")))
        let stream = try #require(fixed.streams.first)
        #expect(fixed.header.duration == 8)
        #expect(stream.segments.map(\.start.sample) == [0, 550])
        #expect(stream.segments.map(\.block.frameCount) == [250, 160])
        #expect(stream.segments[1].start.gap == Gap(onset: 2.5, duration: 3, reason: .fileGap))
        #expect(stream.header.frameCount == 410)
        let vary = try Recording(reading: WFDBRecord(OracleData.url("wfdb/vary.hea")))
        let pulse = try #require(vary.streams(of: .bvp).first)
        #expect(pulse.segments.map(\.start.sample) == [0, 250])
        let breath = try #require(vary.streams(of: .respiration).first)
        #expect(breath.segments.map(\.start.sample) == [250])
        #expect(breath.segments[0].start.gap == nil)
        #expect(vary.streams(of: .ecg).first?.segments.map(\.block.frameCount) == [200, 200])
    }

    @Test func annotationsAreThoseOfTheReferenceReader() throws {
        for name in try Reference.names("annotations") {
            let reference = try JSONDecoder().decode(
                AnnotationReference.self, from: Data(contentsOf: OracleData.url("wfdb/\(name).ann.json")))
            let url = URL(fileURLWithPath: reference.path)
            let read = try WFDBAnnotations.read(url)
            #expect(read.list.map(\.sample) == reference.sample, "\(name)")
            #expect(read.list.map(\.symbol) == reference.symbol, "\(name)")
            #expect(read.list.map { Int($0.subtype) } == reference.subtype, "\(name)")
            #expect(read.list.map { Int($0.chan) } == reference.chan, "\(name)")
            #expect(read.list.map { Int($0.num) } == reference.num, "\(name)")
            #expect(read.list.map(\.aux) == reference.aux, "\(name)")
            #expect(try WFDBAnnotations(parsing: read.encoded(for: url), file: url).list == read.list, "\(name)")
        }
    }

    @Test func annotationsAreWrittenByteForByteAsTheReferenceWriterDoes() throws {
        for name in ["rich.tst", "plain.qrs"] {
            let url = OracleData.url("wfdb/\(name)")
            let written = try WFDBAnnotations.read(url).encoded(for: url)
            #expect(written == Array(try Data(contentsOf: url)), "\(name)")
        }
        #expect(try WFDBAnnotations.read(OracleData.url("wfdb/rich.tst")).timeResolution == 360)
    }
}
