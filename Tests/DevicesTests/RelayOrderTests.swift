import Devices
import Signals
import Testing

/// Samples of the ECG relay that come twice, not in their order, or with stamps that cannot be.
@Suite struct RelayOrderTests {
    private static let start = 1_700_000_000.0

    private func frame(_ amplitude: String, _ time: String) -> [UInt8] {
        Array(#"42["message",{"amplitude":"\#(amplitude)","time":"\#(time)"}]"#.utf8)
    }

    private func frame(_ index: Int, rate: Double = 100) -> [UInt8] {
        frame(text(index), Timestamp(secondsSince1970: Self.start + Double(index) / rate).description)
    }

    private func text(_ index: Int) -> String { "\(4 + index % 4).\(100 + index % 900)" }

    /// What is said of frames at these moments, with when it was said; timers go off when they are due.
    private func conversed(_ frames: [(at: Seconds, bytes: [UInt8])]) -> [(at: Seconds, event: DeviceEvent)] {
        var conversation = RelayConversation(id: "x")
        var said: [(at: Seconds, event: DeviceEvent)] = []
        var timer: Seconds = .infinity
        func act(_ moment: Seconds, _ body: (inout [ConversationAction]) -> Void) {
            var actions: [ConversationAction] = []
            body(&actions)
            for action in actions {
                if case .wake(let due) = action { timer = due }
                if case .emit(let event) = action { said.append((moment, event)) }
            }
        }
        func wake(until moment: Seconds) {
            while timer <= moment {
                let due = timer
                timer = .infinity
                act(due) { conversation.wake(at: due, into: &$0) }
            }
        }
        act(0) { conversation.open(at: 0, into: &$0) }
        for (moment, bytes) in frames {
            wake(until: moment)
            act(moment) { conversation.receive(bytes, from: .stream, at: moment, into: &$0) }
        }
        let end = (frames.last?.at ?? 0) + 1
        wake(until: end)
        act(end) { conversation.close(at: end, into: &$0) }
        return said
    }

    private func rows(_ said: [(at: Seconds, event: DeviceEvent)]) -> [DeviceValue] { said.map(\.event).values("ecg") }

    private func expected(_ indices: some Sequence<Int>) -> [DeviceValue] {
        indices.map {
            DeviceValue([Double(text($0))!], deviceTime: ((Self.start + Double($0) / 100) * 1_000).rounded() / 1_000)
        }
    }

    @Test("samples that are sent again are recorded once, and those that overtake one another in their order")
    func twiceAndSwapped() {
        var order: [Int] = []
        for index in 0..<3_500 {
            order.append(index)
            // Some at once, some after others came.
            if (2_000..<2_200).contains(index), index % 10 == 0 { order.append(index) }
            if (2_200..<2_400).contains(index), index % 10 == 0 { order.append(index - 30) }
        }
        for index in stride(from: 2_600, to: 2_650, by: 2) { order.swapAt(index + 40, index + 41) }
        let said = conversed(order.enumerated().map { (Double($0) / 100, frame($1)) })
        #expect(rows(said) == expected(0..<3_500))
        #expect(said.map(\.event).malformed.count == 40)
    }

    @Test("equal samples of a burst that has one stamp are all kept, and come twice only where stamps go back")
    func bursts() {
        let (one, other) = ("2023-11-14T22:13:20.000Z", "2023-11-14T22:13:20.030Z")
        let burst = [("4.100", one), ("4.101", one), ("4.101", one), ("4.102", other), ("4.102", other)]
        let sent = burst + [("4.101", one), ("4.102", other)]
        let said = conversed(sent.enumerated().map { (Double($0) / 100, frame($1.0, $1.1)) })
        #expect(rows(said).map(\.values) == [[4.1], [4.101], [4.101], [4.102], [4.102]])
        #expect(said.map(\.event).malformed.count == 2)
    }

    @Test("what is in order is handed on when it comes, and what lacks one before it a quarter of a second later")
    func latency() {
        let indices = (0..<300).filter { $0 != 100 && !(150..<200).contains($0) }
        let said = conversed(indices.map { (Double($0) / 100, frame($0)) })
        #expect(rows(said) == expected(indices))
        var delays: [Seconds] = []
        for (moment, event) in said {
            guard case .values(_, let values) = event else { continue }
            delays += values.map { moment - ($0.deviceTime! - Self.start) }
        }
        #expect(delays.allSatisfy { $0 < 0.2511 })
        #expect(delays.count { $0 > 0.001 } == 2 * 25)
    }

    @Test func aSampleThatCannotBePutBeforeOthersAnyMoreIsToldAndLeftOut() {
        var frames = (0..<200).filter { $0 != 100 }.map { (at: Double($0) / 100, bytes: frame($0)) }
        frames.insert((1.405, frame(100)), at: 140)
        let said = conversed(frames)
        #expect(rows(said) == expected((0..<200).filter { $0 != 100 }))
        #expect(said.map(\.event).malformed.count == 1)
    }

    @Test(
        "a stamp that cannot be is told, and what follows it keeps its time",
        arguments: [
            "2026-13-28T07:30:00.000Z", "2026-02-29T07:30:00.000Z", "2026-04-31T00:00:00Z", "2026-01-01T24:00:01Z",
            "2026-01-01T00:60:00Z", "1970-01-01T00:00:00.000Z", "2099-01-01T00:00:00.000Z",
        ])
    func oddStamps(time: String) {
        var frames = (0..<200).map { (at: Double($0) / 100, bytes: frame($0)) }
        frames.insert((1.005, frame("9.500", time)), at: 101)
        let said = conversed(frames)
        #expect(rows(said) == expected(0..<200))
        #expect(said.map(\.event).malformed.count == 1)
    }

    @Test func timesThatNoCalendarHasAreTold() throws {
        func problem(_ time: String) -> String? { RelaySample(amplitude: "4.500", time: time).timeProblem }
        #expect(problem("2026-13-28T07:30:00.000Z")?.contains("2026-13-28") == true)
        #expect(RelaySample(amplitude: "4.500", time: "2026-13-28T07:30:00.000Z").moment == nil)
        for time in [
            "2024-02-29T23:59:60Z", "2000-02-29T00:00:00Z", "2026-11-28T09:30:00.000+02:00", "4:20", "", "none",
        ] {
            #expect(problem(time) == nil, "\(time)")
        }
        #expect(problem("1900-02-29T00:00:00Z") != nil)
    }

    @Test(
        "a clock that was set is told, and costs what came within a quarter of a second",
        arguments: [-0.4, -3, -30, 7_200])
    func setClock(jump: Seconds) throws {
        let frames = (0..<400).map { index in
            let moment = Double(index) / 100
            let stamp = Timestamp(secondsSince1970: Self.start + moment + (index >= 200 ? jump : 0)).description
            return (at: moment, bytes: frame(text(index), stamp))
        }
        let said = conversed(frames)
        let jumps = said.compactMap { if case .status(.clockJump("ecg", let by)) = $0.event { by } else { nil } }
        #expect(jumps.count == 1 && abs(jumps[0] - jump) < 0.011)
        #expect(rows(said).count >= 400 - 27)
        let last = try #require(rows(said).last?.deviceTime)
        #expect(abs(last - (Self.start + 3.99 + jump)) < 0.0011)
    }

    @Test func samplesOfOneMillisecondThatDifferAreSeveral() {
        let times = (0..<60).map { Timestamp(secondsSince1970: Self.start + 0.06 * Double($0 / 2)).description }
        let said = conversed(times.enumerated().map { (0.06 * Double($0 / 2), frame("4.\(100 + $0)", $1)) })
        #expect(rows(said).count == 60 && said.map(\.event).malformed.isEmpty)
    }
}
