import Devices
import Signals
import Testing

/// Entries of an Athena that come late or whose counter does not fit: counters of 256 values wrap within seconds.
@Suite struct LateEntryTests {
    /// EEG of eight electrodes, 2 frames every 1/128 s, with these counters, each in a message of its own.
    private func conversed(_ entries: [(counter: Int, measured: Int)]) -> [DeviceEvent] {
        var conversation = AthenaConversation()
        var actions: [ConversationAction] = []
        conversation.open(at: 0, into: &actions)
        for (order, entry) in entries.enumerated() {
            let content = AthenaMessage.Entry(
                tag: .eeg8, counter: UInt8(entry.counter & 255), ticks: UInt32(entry.measured * 2_000 + 512_000),
                content: [UInt8](repeating: UInt8(entry.measured & 127), count: 28))
            conversation.receive(
                AthenaMessage.packet(counter: 0, [content]), from: .characteristic(AthenaConversation.data[0]),
                at: 1 + Double(order) / 128, into: &actions)
        }
        conversation.close(at: 100, into: &actions)
        return actions.compactMap { if case .emit(let event) = $0 { event } else { nil } }
    }

    @Test(
        "an entry that comes late by any part of its counter's two seconds is left out alone",
        arguments: [
            2, 16, 17, 60, 100, 115, 127, 128, 150, 200, 255,
        ])
    func late(by count: Int) {
        var entries = (0..<600).map { (counter: $0, measured: $0) }
        let moved = entries.remove(at: 300)
        entries.insert(moved, at: 300 + count)
        let events = conversed(entries)
        let blocks = events.samples("eeg")
        #expect(blocks.map(\.index) == (0..<600).filter { $0 != 300 }.map { $0 * 2 })
        #expect(blocks.allSatisfy { !$0.restarted } && events.malformed.count == 1)
    }

    @Test("one counter that is wrong is left out alone", arguments: [50, 100, 128, 200])
    func wrong(by count: Int) {
        let entries = (0..<400).map { (counter: $0 == 200 ? $0 + count : $0, measured: $0) }
        let events = conversed(entries)
        #expect(events.samples("eeg").map(\.index) == (0..<400).filter { $0 != 200 }.map { $0 * 2 })
        #expect(events.malformed.count == 1)
    }

    @Test("counters that go on from another number started anew", arguments: [50, 100, 128, 200])
    func anew(by count: Int) {
        let entries = (0..<400).map { (counter: $0 >= 200 ? $0 + count : $0, measured: $0) }
        let events = conversed(entries)
        let blocks = events.samples("eeg")
        #expect(blocks.map(\.index) == (0..<200).map { $0 * 2 } + (0..<199).map { $0 * 2 })
        #expect(blocks.indices.filter { blocks[$0].restarted } == [200] && events.malformed.count == 1)
    }

    @Test(
        "nothing of a simulated Athena goes astray where messages overtake one another",
        arguments: [0.1, 0.3, 0.8, 1.5], [1, 2] as [UInt64])
    func reordered(delay: Seconds, seed: UInt64) {
        var link = LinkFaults()
        link.seed = seed
        link.reordering = 0.02
        link.reorderingDelay = delay
        link.spared = [Muse.control]
        var dialogue = Dialogue(AthenaConversation(), FaultInjector(AthenaSimulator(session()), link))
        dialogue.run(until: 60)
        for stream in ["eeg", "optics", "acceleration", "gyroscope"] {
            let blocks = dialogue.events.samples(stream)
            #expect(blocks.allSatisfy { !$0.restarted })
            let counts = checkAgainstTruth(blocks, dialogue.measured.filter { $0.stream == stream })
            #expect(counts.heard > counts.measured * 95 / 100, "\(stream)")
        }
    }
}
