import Acquisition
import Devices
import Formats
import Foundation
import Pipeline
import Recorder
import Signals
import Simulation
import TestSupport
import Testing

/// The ECG of a board that sends neither a rate nor a counter, from its messages to the file and the analysis.
@Suite struct BoardSignalTests {
    private struct Recorded {
        var results: StreamResults
        var file: Recording
        var check: LiveCheck
        var notes: [String]
    }

    private static let base: Seconds = 7_000
    private static let clockStart = 1_790_000_000.0

    /// A message of a phone of the relay.
    private static func message(_ value: Double, at moment: Seconds) -> [UInt8] {
        let time = Timestamp(secondsSince1970: clockStart + moment).description
        let amplitude = String(format: "%.3f", value)
        return Array(#"42["message",{"amplitude":"\#(amplitude)","time":"\#(time)"}]"#.utf8)
    }

    /// Records what a conversation says to messages; nil is a connection that is lost and comes again.
    private func record<C: Conversation>(
        _ conversation: C, _ messages: [(bytes: [UInt8]?, moment: Seconds)], from endpoint: Endpoint = .stream
    ) throws -> Recorded {
        var conversation = conversation
        var assembler = RecordingAssembler(
            .init(start: Timestamp(secondsSince1970: Self.clockStart), software: "test 1"), hostOrigin: Self.base)
        var analysis = try LiveAnalysis(parameters: Parameters())
        var updates: [LiveUpdate] = []
        var (bytes, notes, due): ([UInt8], [String], Seconds?) = ([], [], nil)
        func step(_ moment: Seconds, _ body: (inout C, inout [ConversationAction]) -> Void) {
            var actions: [ConversationAction] = []
            body(&conversation, &actions)
            for action in actions {
                if case .wake(let next) = action { due = next }
                guard case .emit(let event) = action else { continue }
                if case .log(let text) = event { notes.append(text) }
                var events: [RecordingEvent] = []
                assembler.take(event, from: "board", at: moment - Self.base, into: &events)
                analysis.declare(assembler.header)
                for event in events { analysis.take(event, into: &updates) }
            }
            bytes += assembler.bytes(at: moment - Self.base)
        }
        step(Self.base) { $0.open(at: Self.base, into: &$1) }
        for (message, moment) in messages {
            let moment = Self.base + moment
            while let next = due, next <= moment {
                due = nil
                step(next) { $0.wake(at: next, into: &$1) }
            }
            guard let message else {
                step(moment) { $0.close(at: moment, into: &$1) }
                assembler.interrupt("board", .deviceLost, at: moment - Self.base)
                step(moment) { $0.open(at: moment, into: &$1) }
                continue
            }
            step(moment) { $0.receive(message, from: endpoint, at: moment, into: &$1) }
        }
        let end = Self.base + (messages.last?.moment ?? 0) + 0.1
        step(end) { $0.close(at: end, into: &$1) }
        var events: [RecordingEvent] = []
        assembler.release(at: .infinity, into: &events)
        for event in events { analysis.take(event, into: &updates) }
        analysis.finish(into: &updates)
        bytes += assembler.finish()
        return try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.xdf")
            try Data(bytes).write(to: url)
            return Recorded(
                results: analysis.streams, file: try Recording(reading: try RecordingFile.open(url)),
                check: try LiveCheck(analysis.streams, recording: url, parameters: Parameters()), notes: notes)
        }
    }

    private static func values(_ stream: Signals.Stream) -> [Double] {
        stream.header.sampleRate > 0
            ? stream.segments.flatMap { $0.block.channel(0) }.filter { !$0.isNaN }.map(Double.init)
            : stream.values.map { $0.values[0] }
    }

    @Test("an ECG of a relay's phone gives the same heart beats live and offline", arguments: 1...6)
    func beats(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let rate = Double.random(in: 100...300, using: &random)
        let jitter = Double.random(in: 0...0.3, using: &random) / rate
        var form = ECGParameters()
        form.sampleRate = rate
        var signal = ECGSignal(
            form, rhythm: HeartRhythm(HeartRhythmParameters(), seed: seed), respirationRate: 0.25)
        let samples = signal.render(0..<Int(60 * rate))[0]
        let recorded = try record(
            RelayConversation(id: "x"),
            samples.enumerated().map { index, sample in
                let moment = Double(index) / rate
                let stamp = moment + Double.random(in: 0...1, using: &random) * jitter
                return (
                    Self.message(3 + Double(sample), at: stamp),
                    moment + 0.01 + Double.random(in: 0...0.02, using: &random)
                )
            })
        let stream = try #require(recorded.file.streams.first { $0.header.name == "board-ecg" })
        #expect(abs(stream.header.sampleRate / rate - 1) < 0.01)
        #expect(Self.values(stream).count == samples.count)
        let heart = try #require(recorded.results.hearts.first)
        #expect(heart.beats.count > 40)
        #expect(recorded.check.isSame && recorded.check.sources.contains { $0.compared > 100 })
    }

    @Test(
        "every sample that came is recorded, even or not, also where the connection was lost early", arguments: 1...20)
    func everySampleIsRecorded(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let isEven = Bool.random(using: &random)
        let rate = Double.random(in: 5...60, using: &random)
        let lost = Bool.random(using: &random) ? Double.random(in: 0.5...20, using: &random) : nil
        let bluetooth = Bool.random(using: &random)
        var (moment, sent, messages, isLost): (Seconds, [Double], [(bytes: [UInt8]?, moment: Seconds)], Bool) =
            (0, [], [], false)
        while moment < 40 {
            if let lost, moment > lost, !isLost {
                isLost = true
                messages.append((nil, moment))
                moment += 3
            }
            let value = Double(sent.count % 5_000) / 1_000 + 1
            sent.append(value)
            let late = Double.random(in: 0...0.1, using: &random) / rate
            messages.append(
                (
                    bluetooth ? Array(String(format: "%.3f", value).utf8) : Self.message(value, at: moment),
                    moment + late
                ))
            moment += isEven ? 1 / rate : -log(Double.random(in: 0.001..<1, using: &random)) / rate
        }
        let recorded =
            try bluetooth
            ? record(KardiaConversation(), messages, from: .characteristic(KardiaConversation.data))
            : record(RelayConversation(id: "x"), messages)
        let streams = recorded.file.streams.filter { $0.header.kind == .ecg }
        #expect(streams.flatMap(Self.values).map { ($0 * 1_000).rounded() } == sent.map { ($0 * 1_000).rounded() })
        #expect(streams.contains { $0.header.sampleRate > 0 } == isEven)
        #expect(recorded.check.isSame)
    }
}
