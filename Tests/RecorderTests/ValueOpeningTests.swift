import Devices
import Formats
import Recorder
import Signals
import TestSupport
import Testing

/// Values that bear the stamps of a clock which only just began.
@Suite struct ValueOpeningTests {
    private static let header = StreamHeader(
        name: "ibi", kind: .ibi, channels: [Channel(label: "IBI", unit: .seconds)], sampleRate: 0)

    private static func assembler(
        _ streams: DeviceStream..., into events: inout [RecordingEvent]
    ) -> RecordingAssembler {
        var assembler = RecordingAssembler(.init(start: nil, software: "test 1"))
        for stream in streams { assembler.take(.stream(stream), from: "e4", at: 0, into: &events) }
        return assembler
    }

    private static func values(_ events: [RecordingEvent]) -> [TimedValue] {
        events.flatMap { if case .values(_, let values) = $0 { values } else { [TimedValue]() } }
    }

    /// Messages come up to 5 ms late; every 3 s the clock has another time, after a lost connection or because it was set.
    @Test(arguments: [false, true], 1...3) func timesAreRightFromTheFirstAfterAClockBeganAnew(isLost: Bool, seed: Int) {
        let feed = Feed("bvp", kind: .bvp, rate: 64, clock: .deviceTime)
        var events: [RecordingEvent] = []
        var assembler = Self.assembler(
            feed.stream, DeviceStream(id: "ibi", header: Self.header, clock: .deviceTime), into: &events)
        var random = SplitMix64(seed: UInt64(seed))
        var messages: [(event: DeviceEvent, arrival: Seconds)] = []
        for run in 0..<30 {
            let base = 1_000 * Double((run * 7) % 30) + 0.123
            let start = 3 * Double(run)
            for frame in 0..<180 {
                let time = start + Double(frame) / 64
                var samples = DeviceSamples(
                    stream: "bvp", index: frame, block: feed.block(frame..<frame + 1), deviceTime: base + time)
                samples.restarted = run > 0 && frame == 0
                messages.append((.samples(samples), time + Double.random(in: 0...0.005, using: &random)))
                guard frame % 5 == 1 else { continue }
                let value = DeviceValue([time], deviceTime: base + time)
                messages.append(
                    (.values(stream: "ibi", [value]), time + Double.random(in: 0...0.005, using: &random)))
            }
        }
        messages.sort { $0.arrival < $1.arrival }
        for message in messages {
            if isLost, case .samples(let samples) = message.event, samples.restarted {
                assembler.interrupt("e4", .deviceLost, at: message.arrival)
            }
            assembler.take(message.event, from: "e4", at: message.arrival, into: &events)
        }
        assembler.release(at: .infinity, into: &events)
        let values = Self.values(events)
        #expect(values.count == 30 * 36)
        #expect(values.allSatisfy { abs($0.onset - $0.values[0]) < 0.001 })
        #expect(zip(values, values.dropFirst()).allSatisfy { $0.onset <= $1.onset })
        _ = assembler.finish()
        #expect(assembler.flushedCounts == [30 * 180, 30 * 36])
    }

    @Test func whatIsHeldIsHandedOutWhenItIsDueThoughNothingMoreComes() {
        var events: [RecordingEvent] = []
        var assembler = Self.assembler(
            DeviceStream(id: "ibi", header: Self.header, clock: .deviceTime), into: &events)
        assembler.take(
            .values(stream: "ibi", [DeviceValue([0.8], deviceTime: 70)]), from: "e4", at: 2, into: &events)
        assembler.release(at: 2.4, into: &events)
        #expect(events.isEmpty)
        assembler.release(at: 2.5, into: &events)
        #expect(Self.values(events) == [TimedValue(onset: 2, values: [0.8])])
        // The clock is known now: what comes is handed out at once.
        assembler.take(
            .values(stream: "ibi", [DeviceValue([0.8], deviceTime: 70.8)]), from: "e4", at: 2.8, into: &events)
        #expect(Self.values(events).count == 2)
    }

    @Test func whatIsHeldAtTheEndIsInTheFile() {
        var events: [RecordingEvent] = []
        var assembler = Self.assembler(
            DeviceStream(id: "ibi", header: Self.header, clock: .deviceTime), into: &events)
        assembler.take(
            .values(stream: "ibi", [DeviceValue([0.8], deviceTime: 70)]), from: "e4", at: 2, into: &events)
        _ = assembler.finish()
        #expect(assembler.flushedCounts == [1])
    }
}
