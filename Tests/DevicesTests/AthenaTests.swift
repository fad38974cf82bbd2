import Devices
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct AthenaTests {
    /// The notifications of a capture, with the moment of arrival in seconds.
    private static func capture(_ name: String) throws -> [(at: Seconds, bytes: [UInt8])] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", RealData.url("muse_athena_ble/\(name).txt.gz").path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n").map { line in
            let fields = line.split(whereSeparator: { $0 == "\t" || $0 == " " })
            let clock = fields[0].split(separator: "T")[1].prefix { $0 != "+" }.split(separator: ":")
            let moment = Double(clock[0])! * 3_600 + Double(clock[1])! * 60 + Double(clock[2])!
            return (moment, DevicesTests.bytes(String(fields[2])))
        }
    }

    private static func decoded(_ name: String) throws -> [DeviceEvent] {
        var conversation = AthenaConversation()
        var actions: [ConversationAction] = []
        let messages = try capture(name)
        conversation.open(at: messages[0].at, into: &actions)
        for message in messages {
            conversation.receive(
                message.bytes, from: .characteristic(AthenaConversation.data[0]), at: message.at, into: &actions)
        }
        return actions.compactMap { if case .emit(let event) = $0 { event } else { nil } }
    }

    private struct Summary: Decodable {
        var rows: Int
        var columns: [String]
        var mean: [String: Double]
        var std: [String: Double]
    }

    /// Frames of a stream as rows, in the order of the packets' stamps, as the reference has them.
    private func rows(_ events: [DeviceEvent], _ streams: [String]) -> [[Float]] {
        let parts = streams.map { events.samples($0) }
        let order = parts[0].indices.sorted {
            ($0 == $1 ? false : (parts[0][$0].deviceTime!, $0) < (parts[0][$1].deviceTime!, $1))
        }
        return order.flatMap { place in
            (0..<parts[0][place].block.frameCount).map { frame in
                parts.flatMap { part in
                    let block = part[place].block
                    return (0..<block.channelCount).map { block.samples[$0 * block.frameCount + frame] }
                }
            }
        }
    }

    @Test(
        .enabled(if: RealData.has("muse_athena_ble/data_p1041.txt.gz")),
        arguments: ["data_p1041", "data_p20"])
    func capturesDecodeToTheReferencesValues(name: String) throws {
        let events = try Self.decoded(name)
        #expect(events.malformed.isEmpty)
        let data = try Data(contentsOf: RealData.url("muse_athena_ble/\(name)_decoded_summary.json"))
        let summaries = try JSONDecoder().decode([String: Summary].self, from: data)
        for (sensor, streams) in [
            ("EEG", ["eeg"]), ("OPTICS", ["optics"]), ("ACCGYRO", ["acceleration", "gyroscope"]),
        ] {
            guard let summary = summaries[sensor], summary.rows > 0 else { continue }
            // Nothing was lost: the indices have no gaps.
            let blocks = events.samples(streams[0])
            #expect(zip(blocks, blocks.dropFirst()).allSatisfy { $1.index == $0.index + $0.block.frameCount })
            let rows = rows(events, streams)
            #expect(rows.count == summary.rows)
            for (channel, label) in summary.columns.dropFirst().enumerated() {
                let values = rows.map { Double($0[channel]) }
                let mean = values.reduce(0, +) / Double(values.count)
                let variance = values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(values.count)
                #expect(abs(mean - summary.mean[label]!) <= 2e-5 * max(1, abs(mean)), "\(label)")
                #expect(abs(variance.squareRoot() - summary.std[label]!) <= 1e-3 * summary.std[label]!, "\(label)")
            }
            try compare(rows, name, sensor)
        }
        let summary = try #require(summaries["BATTERY"])
        let battery = events.values("battery").map { $0.values[0] }
        #expect(battery.count == summary.rows)
        #expect(abs(battery.reduce(0, +) / Double(battery.count) - summary.mean["battery_percent"]!) < 1e-4)
    }

    private func compare(_ rows: [[Float]], _ name: String, _ sensor: String) throws {
        let url = RealData.url("muse_athena_ble/\(name)_decoded_\(sensor.lowercased())_head.csv")
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").dropFirst()
        #expect(lines.count == 256)
        var different = 0
        for (line, row) in zip(lines, rows) {
            let expected = line.split(separator: ",").dropFirst().map { Double($0)! }
            let isEqual = zip(row, expected).allSatisfy { abs(Double($0) - $1) <= 1e-6 * max(1, abs($1)) }
            if !isEqual || row.count != expected.count { different += 1 }
        }
        // The reference sorts entries of one stamp by a counter that wraps, which swaps a pair here and there.
        #expect(different <= 1, "\(sensor)")
    }

    @Test(.enabled(if: RealData.has("muse_athena_ble/data_p20.txt.gz")), arguments: [1, 3, 40])
    func lostMessagesAreAGapOfTheirLength(lost: Int) throws {
        let messages = try Self.capture("data_p20")
        func decode(_ messages: [(at: Seconds, bytes: [UInt8])]) -> [DeviceSamples] {
            var conversation = AthenaConversation(preset: "p21")
            var actions: [ConversationAction] = []
            conversation.open(at: messages[0].at, into: &actions)
            for message in messages {
                conversation.receive(
                    message.bytes, from: .characteristic(AthenaConversation.data[0]), at: message.at, into: &actions)
            }
            return actions.compactMap { if case .emit(.samples(let samples)) = $0 { samples } else { nil } }
        }
        let all = decode(messages)
        // 40 messages are some 3 s, 15 of them in a second; counters wrap after 4 s.
        let kept = decode(Array(messages[..<200] + messages[(200 + lost)...]))
        for stream in ["eeg", "acceleration", "gyroscope"] {
            let whole = Dictionary(
                uniqueKeysWithValues: all.filter { $0.stream == stream }.map { ($0.index, $0.block) })
            let part = kept.filter { $0.stream == stream }
            #expect(part.count < whole.count)
            #expect(part.allSatisfy { !$0.restarted && whole[$0.index] == $0.block })
        }
    }

    @Test func entriesReadBackAsWritten() {
        let entries = AthenaTag.allCases.prefix(4).enumerated().map { index, tag in
            AthenaMessage.Entry(
                tag: tag, counter: UInt8(index), ticks: 77, content: (0..<tag.length).map { UInt8($0 * 7 & 255) })
        }
        let message = AthenaMessage(AthenaMessage.packet(counter: 3, entries))
        #expect(message.entries == entries)
        #expect(message.problems.isEmpty)
    }

    @Test(arguments: ["00", "FF 00", "0E 00 00 00 00 00 00 00 00 11 00 00 00 00", "0A 00 00 00 00 00 00 00 00 77"])
    func damagedPacketsAreReported(hex: String) {
        let message = AthenaMessage(bytes(hex))
        #expect(message.entries.isEmpty)
        #expect(message.problems.count == 1)
    }
}
