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

    /// An instrument whose time begins at 0 with each measurement, which may last less than a second.
    @Test(arguments: [0.4, 0.9, 3]) func aTimeThatIsSetBackBeginsAnewHoweverLittle(length: Double) {
        var events: [RecordingEvent] = []
        var assembler = Self.assembler(
            DeviceStream(id: "ibi", header: Self.header, clock: .deviceTime), into: &events)
        var random = SplitMix64(seed: 5)
        for measurement in 0..<20 {
            let start = 1 + Double(measurement) * (length + 0.3)
            if measurement > 0 {
                assembler.take(.status(.clockJump(stream: "ibi", by: -length)), from: "e4", at: start, into: &events)
            }
            for step in 0..<Int(length * 20) {
                let time = Double(step) / 20
                let value = DeviceValue([start + time], deviceTime: time)
                let arrival = start + time + Double.random(in: 0...0.005, using: &random)
                assembler.take(.values(stream: "ibi", [value]), from: "e4", at: arrival, into: &events)
            }
        }
        assembler.release(at: .infinity, into: &events)
        let values = Self.values(events)
        #expect(values.count == 20 * Int(length * 20))
        #expect(values.allSatisfy { abs($0.onset - $0.values[0]) < 0.005 })
        #expect(assembler.clocks[0].restarts == 19)
    }

    /// After a reconnection with another clock beats come before anything is sampled.
    @Test(arguments: [0.05, 3]) func valuesBeforeAnySampleAreNotPlacedByTheClockBefore(silence: Seconds) {
        let feed = Feed("bvp", kind: .bvp, rate: 64, clock: .deviceTime)
        var events: [RecordingEvent] = []
        var assembler = Self.assembler(
            feed.stream, DeviceStream(id: "ibi", header: Self.header, clock: .deviceTime), into: &events)
        func sample(_ frame: Int, _ stamp: Seconds, _ arrival: Seconds, restarted: Bool) {
            var samples = DeviceSamples(
                stream: "bvp", index: frame, block: feed.block(frame..<frame + 1), deviceTime: stamp)
            samples.restarted = restarted
            assembler.take(.samples(samples), from: "e4", at: arrival, into: &events)
        }
        for frame in 0..<320 { sample(frame, 500 + Double(frame) / 64, 1 + Double(frame) / 64, restarted: false) }
        assembler.interrupt("e4", .deviceLost, at: 7)
        // Beats are told 0.2 s after they were, samples at once.
        for beat in 0..<5 {
            let time = 8 + Double(beat) * 0.05
            assembler.take(
                .values(stream: "ibi", [DeviceValue([time], deviceTime: 7_000 + time)]), from: "e4", at: time + 0.2,
                into: &events)
        }
        let start = 8.4 + silence
        for frame in 0..<128 {
            sample(
                frame, 7_000 + start + Double(frame) / 64, start + Double(frame) / 64, restarted: frame == 0)
        }
        assembler.release(at: .infinity, into: &events)
        let values = Self.values(events)
        #expect(values.count == 5)
        // Where samples come before the half-second is over they tell when; else nothing but the arrival does.
        #expect(values.allSatisfy { abs($0.onset - $0.values[0]) < (silence < 0.3 ? 0.001 : 0.21) })
        #expect(values.allSatisfy { $0.onset > 7 })
    }

    @Test func aMarkerStampedByTheHostsClockIsWhereItsStampSays() {
        var events: [RecordingEvent] = []
        var assembler = RecordingAssembler(.init(start: nil, software: "test 1"), hostOrigin: 100)
        assembler.take(
            .marker(label: "go", deviceTime: 104.5, isHostTime: true), from: "stimuli", at: 5, into: &events)
        // Nothing comes before it happened.
        assembler.take(
            .marker(label: "stop", deviceTime: 106.5, isHostTime: true), from: "stimuli", at: 6, into: &events)
        let markers = events.compactMap { if case .marker(let marker) = $0 { marker } else { nil } }
        #expect(markers.map(\.onset) == [4.5, 6] && markers.map(\.label) == ["go", "stop"])
    }
}
