import Devices
import Signals
import TestSupport
import Testing

/// A radio that stalls delivers all at once what a strap told meanwhile, once a second or with each beat.
@Suite struct StalledBeatsTests {
    /// Messages of which those due from `begin` on, for `stall` seconds, come together at its end, a few milliseconds apart.
    private static func stalled(_ sensor: Sensor, from begin: Seconds, for stall: Seconds) -> [Sensor.Message] {
        var count = 0
        return sensor.messages.map { message in
            guard message.arrival >= begin else { return message }
            let arrival = Swift.max(message.arrival, begin + stall + 0.004 * Double(count))
            count += 1
            return Sensor.Message(arrival: arrival, beats: message.beats)
        }
    }

    @Test(arguments: Sensor.all, [2, 3, 5, 10] as [Seconds])
    func beatsThatWereHeldUpLieWhereTheyWouldHaveLain(sensor: Sensor, stall: Seconds) {
        let usual = sensor.listen(to: sensor.messages).beats.map(\.value)
        for begin in stride(from: 120.0, to: 121.1, by: 0.09) {
            let heard = sensor.listen(to: Self.stalled(sensor, from: begin, for: stall)).beats
            #expect(heard.map(\.value.deviceTime) == usual.map(\.deviceTime), "from \(begin)")
            #expect(heard.map(\.value.values) == usual.map(\.values))
            // What is shown lags by a beat or half a second, and no more.
            for (beat, tick) in zip(heard, sensor.ticks.dropFirst()) where beat.moment > begin + stall + 3 {
                #expect(beat.moment - Double(tick) / 1_024 < 2.2)
            }
        }
    }

    /// Of what was held up the older half never comes. Nothing looks as if nothing were missing; what came lies, with the
    /// distances that its intervals say, before the moment it came by less than an interval.
    @Test(arguments: Sensor.all, [5, 10] as [Seconds])
    func whatIsLeftOfAStallKeepsItsDistances(sensor: Sensor, stall: Seconds) {
        for begin in stride(from: 120.0, to: 121.2, by: 0.17) {
            let all = Self.stalled(sensor, from: begin, for: stall)
            let lost = begin..<begin + stall / 2
            let kept = zip(all, sensor.messages).filter { !lost.contains($1.arrival) }.map(\.0)
            let heard = sensor.listen(to: kept).beats.map(\.value)
            let beats = kept.flatMap { Array($0.beats) }
            let arrivals = kept.flatMap { message in message.beats.map { _ in message.arrival } }
            #expect(heard.count == beats.count)
            #expect(sensor.hear(kept).joined == 0)
            for (place, beat) in beats.enumerated().dropFirst() {
                let truth = Double(sensor.ticks[beat]) / 1_024
                guard let time = heard[place].deviceTime, let before = heard[place - 1].deviceTime,
                    (begin..<begin + stall).contains(truth)
                else { continue }
                #expect(time - truth > -0.02 && time - truth < 60 / sensor.rate * 1.15 + 0.2, "beat \(beat)")
                guard beats[place - 1] == beat - 1, arrivals[place - 1] >= begin + stall,
                    arrivals[place] < begin + stall + 0.1
                else { continue }
                #expect(abs(time - before - heard[place].values[0]) < 0.005)
            }
        }
    }

    /// While it is not known yet how a sensor sends, too.
    @Test(arguments: Sensor.all) func aStallAtTheStartKeepsTheDistances(sensor: Sensor) {
        let messages = Self.stalled(sensor, from: 102.2, for: 6)
        let heard = sensor.listen(to: messages).beats.map(\.value)
        let ends = zip(messages, messages.dropFirst()).filter { $1.arrival - $0.arrival > 3 }.map(\.1.beats.lowerBound)
        for (place, beat) in heard.enumerated().dropFirst() where Double(sensor.ticks[place + 1]) / 1_024 < 108 {
            guard let time = beat.deviceTime, let before = heard[place - 1].deviceTime else { continue }
            let isGap = ends.contains(place + 1)
            #expect(
                isGap || Double(sensor.ticks[place + 1]) / 1_024 < 103 || abs(time - before - beat.values[0]) < 0.005)
            #expect(time <= Double(sensor.ticks[place + 1]) / 1_024 + 60 / sensor.rate * 1.15 + 1.2)
        }
    }

    /// Messages that come a little late are told as they come, each with its beats.
    @Test(arguments: Sensor.all) func messagesThatAreNotLateAreNeverHeld(sensor: Sensor) {
        let jitter = sensor.habit == .clockwork ? 0.1 : 0.03
        let sensor = Sensor(sensor.habit, rate: sensor.rate, seconds: 300, jitter: jitter, seed: 7)
        let (heard, wakes) = sensor.listen(to: sensor.messages)
        #expect(wakes == 0)
        var place = 0
        for message in sensor.messages {
            let beats = heard[place..<place + message.beats.count]
            place += message.beats.count
            #expect(beats.allSatisfy { $0.moment == message.arrival })
            let last = sensor.ticks[max(0, message.beats.upperBound - 1)]
            #expect(beats.map(\.value.age) == message.beats.map { Double(last - sensor.ticks[$0]) / 1_024 })
        }
        #expect(place == heard.count)
    }

    @Test func aMessageAfterOnesThatAreLostIsToldWithinHalfASecondOfItsArrival() {
        let sensor = Sensor(.clockwork, rate: 60)
        var kept = sensor.messages
        kept.removeSubrange(20..<25)
        let late = kept[20]
        let heard = sensor.listen(to: kept).beats.filter { $0.moment >= late.arrival }
        #expect(!late.beats.isEmpty)
        for beat in heard.prefix(late.beats.count) {
            #expect(beat.moment - late.arrival <= 0.51)
            #expect(abs((beat.value.deviceTime ?? 0) + beat.value.age - beat.moment) < 0.002)
        }
    }

    /// A Polar sensor is woken for its beats before it has to say what it can measure, and for that in its time.
    @Test func beatsOfAPolarSensorAreHeldBesideItsCommands() {
        var conversation = PolarConversation()
        var (due, told, failures): (Seconds?, Int, Int) = (nil, 0, 0)
        func perform(_ body: (inout PolarConversation, inout [ConversationAction]) -> Void) {
            var actions: [ConversationAction] = []
            body(&conversation, &actions)
            for action in actions {
                switch action {
                case .emit(.values("ibi", let values)): told += values.count
                case .emit(.failed): failures += 1
                case .wake(let moment): due = moment
                default: break
                }
            }
        }
        perform { $0.open(at: 100, into: &$1) }
        #expect(due == 110)
        for moment in [101, 102, 103, 104, 105, 106, 108.2] {
            perform {
                $0.receive(
                    bytes("10 3C 00 04"), from: .characteristic(HeartRateMeasurement.characteristic), at: moment,
                    into: &$1)
            }
        }
        #expect(told == 6 && due == 108.7)
        perform { $0.wake(at: 108.7, into: &$1) }
        #expect(told == 7 && due == 110 && failures == 0)
        perform { $0.wake(at: 110, into: &$1) }
        #expect(failures == 1)
    }
}
