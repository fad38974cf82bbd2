import Devices
import Signals
import TestSupport
import Testing

/// A heart, and the messages in which a sensor tells of its beats.
struct Sensor: Sendable, CustomTestStringConvertible {
    enum Habit: String, CaseIterable {
        /// A message every second, whatever it holds.
        case clockwork
        /// A message as soon as there was a beat.
        case prompt
    }

    /// A beat as it was told.
    struct Heard {
        var value: DeviceValue
        /// When it was told.
        var moment: Seconds
    }

    struct Message {
        var arrival: Seconds
        /// The beats whose intervals it holds.
        var beats: Range<Int>
    }

    let habit: Habit
    let rate: Double
    /// Of the beats, in 1/1024 s of the sensor's clock.
    private(set) var ticks: [Int] = []
    private(set) var messages: [Message] = []

    var testDescription: String { "\(habit.rawValue), \(Int(rate)) bpm" }

    init(_ habit: Habit, rate: Double, seconds: Int = 60, jitter: Seconds = 0.03, seed: UInt64 = 1) {
        (self.habit, self.rate) = (habit, rate)
        var random = SplitMix64(seed: seed)
        var time = 100.2
        while time < 100 + Double(seconds) {
            ticks.append(Int(time * 1_024))
            time += 60 / rate * Double.random(in: 0.85...1.15, using: &random)
        }
        var next = 1
        switch habit {
        case .prompt:
            messages = ticks.indices.dropFirst().map { beat in
                let late = 0.1 + Double.random(in: 0...jitter, using: &random)
                return Message(arrival: Double(ticks[beat]) / 1_024 + late, beats: beat..<beat + 1)
            }
        case .clockwork:
            for second in 101..<100 + seconds {
                let end = ticks.firstIndex { Double($0) / 1_024 > Double(second) } ?? ticks.count
                let late = Double.random(in: 0...jitter, using: &random)
                messages.append(Message(arrival: Double(second) + late, beats: next..<Swift.max(next, end)))
                next = Swift.max(next, end)
            }
        }
    }

    private func bytes(_ message: Message) -> [UInt8] {
        var measurement = HeartRateMeasurement(heartRate: Int(rate))
        measurement.hasIntervals = true
        measurement.intervals = message.beats.map { ticks[$0] - ticks[$0 - 1] }
        return measurement.bytes
    }

    /// The beats that are told when just these messages arrive, and how often the conversation asks to be woken.
    func listen(to kept: [Message]) -> (beats: [Heard], wakes: Int) {
        var conversation = HeartRateConversation()
        var (heard, wakes, due): ([Heard], Int, Seconds?) = ([], 0, nil)
        /// Counts the wakes that messages ask for: those that hold beats.
        func perform(
            at moment: Seconds, isMessage: Bool = false,
            _ body: (inout HeartRateConversation, inout [ConversationAction]) -> Void
        ) {
            var actions: [ConversationAction] = []
            body(&conversation, &actions)
            for action in actions {
                switch action {
                case .emit(.values("ibi", let values)): heard += values.map { Heard(value: $0, moment: moment) }
                case .wake(let moment): (wakes, due) = (wakes + (isMessage ? 1 : 0), moment)
                default: break
                }
            }
        }
        perform(at: 100) { $0.open(at: 100, into: &$1) }
        for message in kept {
            while let moment = due, moment <= message.arrival {
                due = nil
                perform(at: moment) { $0.wake(at: moment, into: &$1) }
            }
            perform(at: message.arrival, isMessage: true) {
                $0.receive(
                    bytes(message), from: .characteristic(HeartRateMeasurement.characteristic), at: message.arrival,
                    into: &$1)
            }
        }
        let end = (kept.last?.arrival ?? 100) + 0.1
        perform(at: end) { $0.close(at: end, into: &$1) }
        return (heard, wakes)
    }

    /// What is heard when just these messages arrive: how many of the pairs of successive beats are joined though beats
    /// between them are missing, and how many are not though none is.
    func hear(_ kept: [Message]) -> (joined: Int, torn: Int) {
        let heard = listen(to: kept).beats.map(\.value)
        let beats = kept.flatMap { Array($0.beats) }
        #expect(heard.count == beats.count)
        var (joined, torn) = (0, 0)
        for place in beats.indices.dropFirst() {
            let isJoined = heard[place].deviceTime! - heard[place - 1].deviceTime! == heard[place].values[0]
            let isNext = beats[place] == beats[place - 1] + 1
            joined += isJoined && !isNext ? 1 : 0
            torn += isNext && !isJoined ? 1 : 0
        }
        return (joined, torn)
    }

    static let all = Habit.allCases.flatMap { habit in [35, 60, 72, 90, 180].map { Sensor(habit, rate: $0) } }
}

/// Messages of a heart rate sensor bear neither number nor time. When some are missing, beats on either side may not
/// look as if one followed the other.
@Suite struct LostBeatsTests {
    @Test(arguments: Sensor.all)
    func nothingIsTornWhenNothingIsLost(sensor: Sensor) {
        let heard = sensor.hear(sensor.messages)
        #expect(heard.joined == 0)
        // It takes four messages to know how a sensor sends them.
        #expect(heard.torn <= 4)
        let long = Sensor(sensor.habit, rate: sensor.rate, seconds: 900)
        #expect(long.hear(long.messages).torn <= 4)
    }

    @Test(arguments: Sensor.all)
    func anyMessagesThatAreLostShowWhereverTheyWere(sensor: Sensor) {
        let whole = sensor.hear(sensor.messages).torn
        for count in 1...3 {
            for place in 0...sensor.messages.count - count {
                var kept = sensor.messages
                kept.removeSubrange(place..<place + count)
                let heard = sensor.hear(kept)
                #expect(heard.joined == 0, "messages \(place)..<\(place + count)")
                #expect(heard.torn <= whole + 2, "messages \(place)..<\(place + count)")
            }
        }
    }

    /// What was held up arrives at once, with or without all of it.
    @Test(arguments: Sensor.all, [1.2, 2.1, 3.05, 6.4])
    func messagesLostAmongThoseThatWereHeldUpShow(sensor: Sensor, stall: Seconds) {
        var (losses, joined) = (0, 0)
        for begin in stride(from: 120.0, to: 122, by: 0.19) {
            let held = sensor.messages.map { message in
                let isHeld = (begin..<begin + stall).contains(message.arrival)
                return Sensor.Message(arrival: isHeld ? begin + stall : message.arrival, beats: message.beats)
            }
            let whole = sensor.hear(held)
            #expect(whole.joined == 0)
            #expect(Double(whole.torn) <= stall * Swift.max(1, sensor.rate / 60) + 6)
            // What comes when the next one was due looks as if it were that one.
            let phase = (begin + stall).remainder(dividingBy: 1)
            guard sensor.habit == .prompt || abs(phase) > 0.15 else { continue }
            for place in held.indices where abs(held[place].arrival - begin - stall) < 2.5 {
                var kept = held
                kept.remove(at: place)
                losses += 1
                joined += sensor.hear(kept).joined
            }
        }
        // A beat that comes late by just the interval of the one that is lost cannot be told from one that is not.
        #expect(losses > 20 && joined <= (sensor.habit == .prompt ? losses / 10 : 0))
    }

    @Test(arguments: Sensor.all, 1...2 as ClosedRange<UInt64>)
    func manyLossesShow(sensor: Sensor, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let long = Sensor(sensor.habit, rate: sensor.rate, seconds: 1_200, seed: seed)
        let kept = long.messages.filter { _ in Double.random(in: 0..<1, using: &random) > 0.03 }
        #expect(long.hear(kept).joined == 0)
    }

    @Test func aMessageThatComesTwiceIsTorn() {
        let sensor = Sensor(.clockwork, rate: 72)
        var messages = sensor.messages
        messages.insert(messages[30], at: 31)
        #expect(sensor.hear(messages).joined == 0)
    }

    @Test func beatsThatWereNotSeenForWantOfContactAreABreak() {
        let messages = ["16 48 50 03", "16 48 48 03", "14 48", "16 48 51 03", "16 48 50 03"]
        var conversation = HeartRateConversation()
        var actions: [ConversationAction] = []
        conversation.open(at: 100, into: &actions)
        for (second, message) in messages.enumerated() {
            conversation.receive(
                bytes(message), from: .characteristic(HeartRateMeasurement.characteristic), at: 101 + Double(second),
                into: &actions)
        }
        let heard = actions.compactMap { if case .emit(let event) = $0 { event } else { nil } }.values("ibi")
        let joined = zip(heard, heard.dropFirst()).map { $1.deviceTime! - $0.deviceTime! == $1.values[0] }
        #expect(joined == [true, false, true])
    }
}
