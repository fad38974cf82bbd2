import Devices
import Signals
import Testing

/// Devices that stamp their messages, and whose clock is set by less than a message or two is long.
@Suite struct SetClockTests {
    private static let period = 73 / 130.0
    private static let set = 20

    /// What becomes of ECG whose clock is set by `jump` before message 20, where these are lost.
    private func conversed(_ jump: Seconds, lost: Set<Int>) -> [DeviceEvent] {
        var conversation = PolarConversation(streams: [PolarStream(.ecg)])
        var actions: [ConversationAction] = []
        conversation.open(at: 0, into: &actions)
        for answer in ["0F 05 00", "F0 01 00 00 00 00 01 82 00 01 01 0E 00", "F0 02 00 00 00 05 01 00 00 80 3F"] {
            conversation.receive(bytes(answer), from: .characteristic(PMD.controlPoint), at: 0.1, into: &actions)
        }
        for message in 0..<40 where !lost.contains(message) {
            let moment = Double(message) * Self.period
            let stamp = 599_616_000 + moment + (message >= Self.set ? jump : 0)
            // The first sample tells which message it is.
            let content = [UInt8(message), 0, 0] + [UInt8](repeating: 0, count: 72 * 3)
            let frame = PMDFrame(type: .ecg, timestamp: UInt64((stamp * 1e9).rounded()), content: content)
            // On the air it takes up to 40 ms.
            let delay = 0.01 * Double(message * 7 % 5)
            conversation.receive(
                frame.bytes, from: .characteristic(PMD.data), at: 1 + moment + delay, into: &actions)
        }
        return actions.compactMap { if case .emit(let event) = $0 { event } else { nil } }
    }

    /// Blocks that are told to follow the one before at another distance than they were measured at.
    private func misplaced(_ blocks: [DeviceSamples]) -> Int {
        zip(blocks, blocks.dropFirst()).count { before, next in
            let measured = Int(next.block.samples[0] - before.block.samples[0]) * 73
            return !next.restarted && next.index - before.index != measured
        }
    }

    private static let jumps: [Seconds] = [
        -0.6, -0.56, -0.5, -0.4, -0.3, -0.2, -0.1, 0.1, 0.2, 0.3, 0.4, 0.5, 0.56, 0.6,
    ]

    @Test(
        "no message lost after a clock was set by a little is hidden", arguments: jumps,
        [[], [21], [22], [23], [21, 22]])
    func loss(jump: Seconds, lost: [Int]) {
        let events = conversed(jump, lost: Set(lost))
        let blocks = events.samples("ecg")
        #expect(blocks.count == 40 - lost.count && misplaced(blocks) == 0)
        #expect(blocks.count { $0.restarted } <= 1)
        for case .clockJump(_, let by) in events.statuses { #expect(abs(by - jump) < 0.001) }
        // By more than half a message it does not go unnoticed.
        if abs(jump) > Self.period / 2 { #expect(blocks.count { $0.restarted } == 1) }
    }

    @Test("a message lost just when the clock was set is not hidden", arguments: jumps)
    func lossAtOnce(jump: Seconds) {
        // Stamps that go on as if nothing had happened, a message late for good, tell nothing.
        guard abs(jump + Self.period) > 0.1 * Self.period else { return }
        let blocks = conversed(jump, lost: [Self.set]).samples("ecg")
        #expect(blocks.count == 39 && misplaced(blocks) == 0)
    }

    @Test(
        "a simulated H10 whose clock is corrected, behind a connection with losses", arguments: [1, 2, 3] as [UInt64])
    func simulated(seed: UInt64) {
        var device = DeviceFaults()
        device.clockJumps = [-0.4, 0.45, -0.3, 0.2, -0.5, 0.52].enumerated().map {
            DeviceFaults.ClockJump(at: Double(20 + 30 * $0), by: $1)
        }
        var link = LinkFaults()
        link.seed = seed
        link.loss = 0.05
        link.delay = 0.005...0.04
        link.spared = [PMD.controlPoint]
        var dialogue = Dialogue(
            PolarConversation(streams: [PolarStream(.ecg)]),
            FaultInjector(PolarSimulator(session(), faults: device), link))
        dialogue.run(until: 210)
        let counts = checkAgainstTruth(
            dialogue.events.samples("ecg"), dialogue.measured.filter { $0.stream == "ecg" })
        #expect(counts.heard > counts.measured * 88 / 100)
    }
}
