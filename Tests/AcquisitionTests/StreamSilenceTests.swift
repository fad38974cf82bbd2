import Acquisition
import DeviceTestSupport
import Devices
import Formats
import Foundation
import Pipeline
import Quality
import Recorder
import Signals
import Synchronization
import TestSupport
import Testing

/// The silence of each stream of a known rate is reported, whatever else its device sends.
@Suite(.timeLimit(.minutes(2))) struct StreamSilenceTests {
    @Test(
        "a stream is silent after 2 s or five samples, whichever is longer, and not before",
        arguments: [0.05, 0.5, 1, 2.5, 4, 64, 130, 1_000])
    func limit_followsTheRate(rate: Double) {
        var random = SplitMix64(seed: UInt64(rate * 100))
        var silence = StreamSilence(rate: rate, at: 0)
        let limit = max(2, 5 / rate)
        var moment = 1.0
        for _ in 0..<200 {
            #expect(silence.hear(1, at: moment) == false)
            let pause = Double.random(in: 0...limit, using: &random)
            #expect(silence.wait(until: moment + pause) == false)
            moment += pause
        }
        #expect(silence.hear(1, at: moment) == false)
        #expect(silence.wait(until: moment + limit + 0.001) == true)
        #expect(silence.isOpen && silence.since == moment)
        // The gap opens once and closes once.
        #expect(silence.wait(until: moment + limit + 1) == false)
        #expect(silence.hear(1, at: moment + limit + 2) == true)
        #expect(silence.hear(1, at: moment + limit + 2.1) == false)
    }

    @Test("the limit grows with the length of typical messages, not with one delayed message")
    func longMessages_raiseTheLimit() {
        var silence = StreamSilence(rate: 20, at: 0)
        for number in 1...5 { _ = silence.hear(80, at: Double(number) * 4) }
        #expect(silence.wait(until: 25.9) == false)
        #expect(silence.wait(until: 26.1) == true)
        var other = StreamSilence(rate: 20, at: 0)
        _ = other.hear(10, at: 1)
        _ = other.hear(200, at: 2)
        #expect(other.wait(until: 4.1) == true)
    }

    @Test func pausedStream_isNotSilent() {
        var silence = StreamSilence(rate: 100, at: 0)
        _ = silence.hear(10, at: 1)
        #expect(silence.suspend() == false)
        #expect(silence.wait(until: 60) == false)
        silence.expect(at: 60)
        #expect(silence.wait(until: 64.9) == false)
        #expect(silence.wait(until: 65.1) == true)
        #expect(silence.suspend() == true)
    }

    /// Two streams of 100 Hz, each from a characteristic of its own: a message is an index and ten frames.
    private struct TwinConversation: Conversation {
        static let characteristics = [BluetoothUUID(0xAA01), BluetoothUUID(0xAA02)]

        mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {
            for id in ["first", "second"] {
                let channel = Channel(label: id, unit: .microvolts)
                let header = StreamHeader(name: id, kind: .other, channels: [channel], sampleRate: 100)
                actions.emit(.stream(DeviceStream(id: id, header: header, clock: .counter)))
            }
        }

        mutating func receive(
            _ bytes: [UInt8], from endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
        ) {
            let index = (0..<4).reduce(0) { $0 | Int(bytes[$1]) << (8 * $1) }
            let block = SampleBlock(channelCount: 1, samples: (0..<10).map { Float(index + $0) })
            let id = endpoint == .characteristic(Self.characteristics[0]) ? "first" : "second"
            actions.emit(.samples(DeviceSamples(stream: id, index: index, block: block)))
        }

        mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {}
        mutating func perform(_ request: DeviceRequest, at moment: Seconds, into actions: inout [ConversationAction]) {
            if request == .stop { actions.append(.close) }
        }
        mutating func close(at moment: Seconds, into actions: inout [ConversationAction]) {}
    }

    @Test(
        "one silent stream of two: gap, verdict and count; late or later data close the gap",
        arguments: [true, false], 1...2)
    func oneStreamOfTwo(isLate: Bool, seed: UInt64) async throws {
        try await withTemporaryFolder { folder in
            var random = SplitMix64(seed: seed)
            let begin = Int.random(in: 60..<90, using: &random)
            let clock = ScaledClock(speed: 1)
            let link = ScriptedLink()
            let file = folder.appendingPathComponent("s.xdf")
            let recorder = try Recorder(Recorder.Session(url: file, software: "test"), clock: clock)
            let (events, shown) = AsyncStream.makeStream(of: SessionEvent.self)
            let device = SessionDevice(
                name: "twin", connector: ScriptedConnector([.success(link)]), conversation: TwinConversation(),
                reconnection: Reconnection(attempts: 1))
            let session = try await LiveSession(
                recorder: recorder, devices: [device], parameters: Parameters(), clock: clock
            ) { shown.yield($0) }
            let running = Task { await session.run() }
            // A message of each stream every 0.1 s; those of the second are held or lost from `begin` until the gap opens.
            let isOpen = Mutex(false)
            let counts = Mutex((sent: 0, held: 0))
            let sending = Task { () -> Void in
                let start = clock.now
                func message(_ number: Int, _ stream: Int) {
                    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: (number * 10) >> (8 * $0)) }
                    link.deliver(bytes, from: .characteristic(TwinConversation.characteristics[stream]), at: clock.now)
                }
                var held: [Int] = []
                var number = 0
                while !Task.isCancelled {
                    message(number, 0)
                    if number >= begin, !isOpen.withLock(\.self) {
                        held.append(number)
                    } else {
                        if isLate { for late in held { message(late, 1) } }
                        if !held.isEmpty { counts.withLock { $0.held = held.count } }
                        held = []
                        message(number, 1)
                    }
                    number += 1
                    counts.withLock { $0.sent = number }
                    try? await clock.sleep(until: start + Double(number) * 0.1)
                }
            }
            var gaps: [StreamGap] = []
            var verdicts: [QAVerdict] = []
            for await event in events {
                switch event {
                case .gap(let gap, let moment):
                    gaps.append(gap)
                    if gap.isOpen {
                        #expect(moment - gap.since > 2)
                        // At once: with a look every 0.25 s, and a respite where this computer was busy.
                        #expect(moment - gap.since < 6)
                        isOpen.withLock { $0 = true }
                    }
                case .verdict(_, let verdict, _): verdicts.append(verdict)
                default: break
                }
                if gaps.count == 2, verdicts.last?.passed == true { break }
            }
            sending.cancel()
            await sending.value
            await session.stop()
            let summary = await running.value
            #expect(gaps.map(\.isOpen) == [true, false])
            #expect(gaps.allSatisfy { $0.stream == 1 && $0.device == "twin" && $0.cause == .silent })
            #expect(verdicts.suffix(2).map(\.reasons) == [[.gap], []])
            // Every sample sent is stored or counted as lost.
            let (sent, held) = counts.withLock { $0 }
            let pulse = try #require(summary.streams.last)
            #expect(pulse.lost == (isLate ? 0 : held * 10))
            let recording = try Recording(reading: try RecordingFile.open(file))
            let stream = try #require(recording.streams.first { $0.header.name == "twin-second" })
            let stored = stream.segments.reduce(0) { $0 + $1.block.frameCount }
            #expect(stored + pulse.lost == sent * 10)
            #expect(stream.segments.count == (isLate ? 1 : 2))
        }
    }

    @Test func streamThatNeverResumes_isLostUntilTheEnd() async throws {
        try await withTemporaryFolder { folder in
            let clock = ScaledClock(speed: 8)
            let link = ScriptedLink()
            let recorder = try Recorder(
                Recorder.Session(url: folder.appendingPathComponent("s.xdf"), software: "test"), clock: clock)
            let device = SessionDevice(
                name: "twin", connector: ScriptedConnector([.success(link)]), conversation: TwinConversation(),
                reconnection: Reconnection(attempts: 1))
            let (opened, open) = AsyncStream.makeStream(of: StreamGap.self)
            let session = try await LiveSession(
                recorder: recorder, devices: [device], parameters: Parameters(), clock: clock
            ) { event in
                if case .gap(let gap, _) = event, gap.isOpen { open.yield(gap) }
            }
            for number in 0..<10 {
                let bytes = (0..<4).map { UInt8(truncatingIfNeeded: (number * 10) >> (8 * $0)) }
                link.deliver(bytes, from: .characteristic(TwinConversation.characteristics[0]), at: clock.now)
            }
            let running = Task { await session.run() }
            var silences = opened.makeAsyncIterator()
            var since: [Int: Seconds] = [:]
            while since.count < 2, let gap = await silences.next() { since[gap.stream] = gap.since }
            let earliest = recorder.onset(clock.now)
            await session.stop()
            let latest = recorder.onset(clock.now)
            let summary = await running.value
            // A hundred frames of the first stream arrived, none of the second; the others are missing.
            #expect(summary.streams.map(\.count) == [100, 0])
            for (index, stream) in summary.streams.enumerated() {
                // All frames since the last arrival arrived with it, ahead of their time, or are lost.
                let expected = Double(stream.lost + stream.count) / 100
                let silent = since[index] ?? .nan
                #expect(expected > earliest - silent - 0.2)
                #expect(expected < latest - silent + 2)
            }
        }
    }
}
