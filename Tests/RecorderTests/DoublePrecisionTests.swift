import Devices
import Formats
import Foundation
import Recorder
import Signals
import TestSupport
import Testing

/// Streams of numbers with more digits than 32 bits hold are recorded with all of them.
struct DoublePrecisionTests {
    /// Counts beyond 2²⁴, and fractions; no two of them are the same 32-bit number away from each other.
    private static let values = (0..<100).map { [1_000_000_001 + Double($0), 0.1 + Double($0) / 7] }

    /// An LSL stream of two channels at 100 Hz: 60 frames, a loss of 0.7 s, which is filled, and 40 more.
    private func recorded(_ format: XDFValueFormat?) throws -> (bytes: [UInt8], live: [RecordingEvent]) {
        let info = LSLStreamInfo(
            name: "amp", type: "EEG", channels: ["a", "b"].map { Channel(label: $0, unit: .unknown) }, sampleRate: 100,
            format: format)
        func chunk(_ frames: Range<Int>, from stamp: Double) -> LSLMessage {
            let stamps = frames.indices.map { stamp + Double($0 - frames.lowerBound) / 100 }
            let values = frames.flatMap { Self.values[$0] }
            return format == .int64
                ? .integers(stamps: stamps, values: values.map { Int64($0) }) : .chunk(stamps: stamps, values: values)
        }
        let messages: [(LSLMessage, Seconds)] = [
            (.info(info), 0.1), (.correction(0), 0.1), (chunk(0..<25, from: 1), 1.3), (chunk(25..<60, from: 1.25), 1.7),
            (chunk(60..<100, from: 2.3), 2.8),
        ]
        var conversation = LSLConversation()
        var assembler = RecordingAssembler(XDFRecordingEncoder.File(start: nil, software: "test"))
        var live: [RecordingEvent] = []
        var bytes = assembler.bytes(at: 0)
        func take(_ actions: [ConversationAction], at moment: Seconds) {
            for case .emit(let event) in actions { assembler.take(event, from: "lsl", at: moment, into: &live) }
            bytes += assembler.bytes(at: moment)
        }
        for (message, moment) in messages {
            var actions: [ConversationAction] = []
            conversation.receive(message.bytes, from: .stream, at: moment, into: &actions)
            take(actions, at: moment)
        }
        var last: [ConversationAction] = []
        conversation.close(at: 3, into: &last)
        take(last, at: 3)
        return (bytes + assembler.finish(), live)
    }

    @Test(
        .enabled(if: OracleData.has("formats_xdf/cases.json")), arguments: [XDFValueFormat.double, .int32, .int64])
    func pyxdfReadsWhatWasSent(format: XDFValueFormat) throws {
        struct Oracle: Decodable {
            var python: String
            var script: String
        }
        struct Stream: Decodable {
            var name: String
            var values: [[Double?]]?
        }
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("a.xdf")
            try Data(try recorded(format).bytes).write(to: file)
            let oracle = try JSONDecoder().decode(
                Oracle.self, from: Data(contentsOf: OracleData.url("formats_xdf/cases.json")))
            let process = Process()
            process.executableURL = URL(fileURLWithPath: oracle.python)
            process.arguments = [oracle.script, "--read", file.path]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let text = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            let streams = try #require(try JSONDecoder().decode([[Stream]].self, from: text).first)
            let rows = try #require(streams.first { $0.name == "lsl-amp" }?.values)
            let sent = Self.values.map { $0.map { Optional(format == .int64 ? $0.rounded(.towardZero) : $0) } }
            #expect(rows.filter { $0[0] != nil } == sent)
        }
    }

    @Test(arguments: [XDFValueFormat.double, .int32, .float32, nil])
    func liveIsWhatTheFileGives(format: XDFValueFormat?) throws {
        let (bytes, live) = try recorded(format)
        let isDouble = format == .double || format == .int32
        #expect(String(decoding: bytes, as: UTF8.self).contains("double64</channel_format>") == isDouble)
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("a.xdf")
            try Data(bytes).write(to: file)
            let recording = try Recording(reading: RecordingFile.open(file))
            try #require(recording.streams.count == 1)
            let shown = live.flatMap { event -> [Float] in
                guard case .samples(_, let block) = event else { return [] }
                return block.channel(0)
            }
            let read = recording.streams[0].segments.flatMap { $0.block.channel(0) }
            #expect(read.map(\.bitPattern) == shown.map(\.bitPattern))
            #expect(read.filter(\.isFinite) == Self.values.map { Float($0[0]) })
        }
    }
}
