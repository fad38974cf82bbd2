import Devices
import Formats
import Recorder
import Signals
import TestSupport
import Testing

/// A strap that tells of the intervals between beats once a second, without saying when the beats were.
@Suite struct ValueTimelineTests {
    private struct Strap {
        var beats: [Seconds] = []
        /// Messages: when each arrived, and the beats in it.
        var messages: [(arrival: Seconds, beats: Range<Int>)] = []

        init(_ duration: Seconds, seed: UInt64) {
            var random = SplitMix64(seed: seed)
            var time = 0.4
            while time < duration {
                beats.append(time)
                time += Double.random(in: 0.6...1.2, using: &random)
            }
            var next = 0
            for second in 1...Int(duration) {
                let sent = Double(second) + 0.37
                let end = beats.firstIndex { $0 > sent } ?? beats.count
                if end > next {
                    messages.append((sent + Double.random(in: 0...0.03, using: &random), next..<end))
                    next = end
                }
            }
        }

        /// A beat's moment on a clock that runs 50 ppm fast, in steps of 1/1024 s.
        func stamp(_ beat: Int) -> Seconds { 5_000 + (beats[beat] * 1_024 * 1.00005).rounded(.down) / 1_024 }

        func interval(_ beat: Int) -> Seconds { stamp(beat) - stamp(beat - 1) }

        func values(_ range: Range<Int>) -> [DeviceValue] {
            range.filter { $0 > 0 }.map { DeviceValue([interval($0)], deviceTime: stamp($0)) }
        }
    }

    private static func timeline() -> ValueTimeline {
        let header = StreamHeader(
            name: "ibi", kind: .ibi, channels: [Channel(label: "IBI", unit: .seconds)], sampleRate: 0)
        return ValueTimeline(header, clock: .beats)
    }

    @Test(arguments: 1...4) func beatsKeepTheirDistancesAndComeNearerToTheirTimes(seed: Int) {
        let strap = Strap(900, seed: UInt64(seed))
        var timeline = Self.timeline()
        var placed: [TimedValue] = []
        for message in strap.messages {
            let values = timeline.place(strap.values(message.beats), arrived: message.arrival)
            #expect(values.allSatisfy { $0.onset <= message.arrival })
            placed += values
        }
        #expect(placed.count == strap.beats.count - 1)
        for place in placed.indices.dropFirst() {
            // What follows counts on beats not further apart than this from their interval.
            #expect(abs(placed[place].onset - placed[place - 1].onset - placed[place].values[0]) < 0.0045)
        }
        for (place, value) in placed.enumerated() where strap.beats[place + 1] > 300 {
            #expect(abs(value.onset - strap.beats[place + 1]) < 0.08)
        }
    }

    @Test func aLostMessageIsABreakAndNoMore() {
        let strap = Strap(200, seed: 9)
        var timeline = Self.timeline()
        var last: TimedValue?
        for (number, message) in strap.messages.enumerated() where number % 50 != 25 {
            let values = timeline.place(strap.values(message.beats), arrived: message.arrival)
            for (place, value) in values.enumerated() {
                #expect(value.onset >= last?.onset ?? 0)
                let isAfterLoss = number % 50 == 26 && place == 0
                if let last, !isAfterLoss { #expect(abs(value.onset - last.onset - value.values[0]) < 0.0045) }
                last = value
            }
        }
    }

    /// Wherever within its second a run begins again, it does not look as if nothing were missing.
    @Test func aBreakNeverLooksLikeABeatThatFollows() {
        for step in 0..<400 {
            var timeline = Self.timeline()
            var last: TimedValue?
            for beat in 0..<40 {
                let isAfterLoss = beat == 30
                // After the loss a new sum begins at the arrival, which may be any time after the last beat.
                let late = beat < 30 ? 0 : 0.9 + Double(step) * 0.005
                let stamp = 100 + Double(beat) * 0.8125 + (beat < 30 ? 0 : 1_000)
                let arrival = 110 + Double(beat) * 0.8125 + late
                let placed = timeline.place([DeviceValue([0.8125], deviceTime: stamp)], arrived: arrival)
                if let last, let value = placed.first {
                    let off = abs(value.onset - last.onset - 0.8125)
                    #expect(isAfterLoss ? off > 0.04 : off < 0.0045)
                    #expect(value.onset >= last.onset && value.onset <= arrival)
                }
                last = placed.first
            }
        }
    }

    /// Nothing got through for 4 s; then all that was held back comes at once.
    @Test func aBacklogIsPlacedWhereItBelongs() {
        let strap = Strap(400, seed: 3)
        var timeline = Self.timeline()
        for message in strap.messages {
            let arrival = (100..<104).contains(message.arrival) ? 104 : message.arrival
            let values = timeline.place(strap.values(message.beats), arrived: arrival)
            for (value, beat) in zip(values, message.beats.filter { $0 > 0 }) where arrival > 104 {
                #expect(abs(value.onset - strap.beats[beat]) < 1.1)
            }
        }
    }
}

/// Values of a device whose samples bear the same clock's stamps.
@Suite struct SharedClockTests {
    /// A wristband whose beats come soon at first and, after a pause of its streams, 9 s late.
    private static func clocks() -> (samples: ClockReport, beats: ClockReport) {
        let header = StreamHeader(
            name: "ibi", kind: .ibi, channels: [Channel(label: "IBI", unit: .seconds)], sampleRate: 0)
        let feed = Feed("bvp", kind: .bvp, rate: 64, clock: .deviceTime)
        var assembler = RecordingAssembler(.init(start: nil, software: "test 1"))
        var events: [RecordingEvent] = []
        assembler.take(.stream(feed.stream), from: "e4", at: 0, into: &events)
        assembler.take(
            .stream(DeviceStream(id: "ibi", header: header, clock: .deviceTime)), from: "e4", at: 0, into: &events)
        var beat = 1.0
        for packet in feed.packets(300) where !(100..<130).contains(packet.arrival) {
            assembler.take(.samples(packet.samples), from: "e4", at: packet.arrival, into: &events)
            let delay: Seconds = packet.arrival < 100 ? 0.2 : 9
            while beat + delay < packet.arrival {
                let value = DeviceValue([0.8], deviceTime: 1_000 - feed.start + beat)
                assembler.take(.values(stream: "ibi", [value]), from: "e4", at: packet.arrival, into: &events)
                beat += 0.8
            }
        }
        return (assembler.clocks[0], assembler.clocks[1])
    }

    @Test func beatsThatComeLateAfterAPauseAreNoJumpOfTheClock() {
        let (samples, beats) = Self.clocks()
        #expect(samples.jumps.isEmpty)
        #expect(beats.jumps.isEmpty && beats.restarts == 0)
        #expect(abs(beats.drift) < 50)
        #expect(beats.longestDelay < 0.5)
    }
}
