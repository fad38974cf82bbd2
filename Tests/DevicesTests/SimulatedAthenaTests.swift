import Devices
import Signals
import Testing

@Suite struct SimulatedAthenaTests {
    private static let streams: [(id: String, rate: Int)] = [
        ("eeg", 256), ("optics", 64), ("acceleration", 52), ("gyroscope", 52),
    ]

    @Test(arguments: [("p1041", 8, 16), ("p1034", 8, 8), ("p1045", 8, 4), ("p1035", 4, 4), ("p21", 4, 0)])
    func everySampleOfAnUndisturbedAthenaArrives(preset: String, electrodes: Int, optics: Int) {
        var dialogue = Dialogue(
            AthenaConversation(preset: preset), AthenaSimulator(session(), firstCounter: 250))
        dialogue.run(until: 60)
        for (stream, rate) in Self.streams where stream != "optics" || optics > 0 {
            let heard = dialogue.events.samples(stream)
            let counts = checkAgainstTruth(heard, dialogue.measured.filter { $0.stream == stream })
            // What has not filled a packet yet is still in the headband.
            #expect(counts.heard > counts.measured - rate / 4 && counts.heard > 59 * rate, "\(stream)")
            let channels = stream == "eeg" ? electrodes : stream == "optics" ? optics : 3
            #expect(heard.allSatisfy { $0.block.channelCount == channels && !$0.restarted })
        }
        #expect(dialogue.events.malformed.isEmpty && dialogue.events.failures.isEmpty)
        #expect(dialogue.events.values("battery").count >= 58)
        #expect(dialogue.events.contains(.status(.battery(0.9))))
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func noSampleOfAnAthenaGoesAstrayBehindABadConnection(seed: UInt64) {
        var dialogue = Dialogue(
            AthenaConversation(),
            FaultInjector(AthenaSimulator(session(), faults: wornDevice, firstCounter: 250), badConnection(seed)))
        dialogue.reconnectsAfter = 4
        dialogue.run(until: 300)
        #expect(dialogue.connections >= 3)
        for (stream, _) in Self.streams {
            let counts = checkAgainstTruth(
                dialogue.events.samples(stream), dialogue.measured.filter { $0.stream == stream })
            #expect(counts.heard > counts.measured * 90 / 100, "\(stream)")
        }
    }

    @Test func electrodesWithoutContactStandAtARail() throws {
        var device = DeviceFaults()
        device.contactLost = [5..<10]
        var dialogue = Dialogue(AthenaConversation(preset: "p21"), AthenaSimulator(session(), faults: device))
        dialogue.run(until: 20)
        let heard = dialogue.events.samples("eeg")
        let atRail = heard.filter { $0.block.samples.allSatisfy { $0 == 1_450 } }.map(\.block.frameCount).reduce(0, +)
        #expect(abs(atRail - 5 * 256) <= 8)
    }

    @Test func anAthenaTakenForAnOlderHeadbandIsNamed() {
        var dialogue = Dialogue(MuseConversation(preset: "p51"), AthenaSimulator(session()))
        dialogue.run(until: 10)
        #expect(dialogue.events.failures.contains { $0.description.contains("muse-athena") })
    }

    @Test(arguments: [188, 230])
    func theChargeOfNewerFirmwareIsRead(length: Int) {
        let content = [0x80, 0x3A] + [UInt8](repeating: 0xEE, count: length - 2)
        let packet = AthenaMessage.packet(
            counter: 9, [AthenaMessage.Entry(tag: .report, counter: 4, ticks: 512, content: content)])
        let message = AthenaMessage(packet)
        #expect(message.problems.isEmpty)
        #expect(message.entries.map(\.samples) == [[58.5]])
    }

    private func firsts<C: Conversation, S: DeviceSimulator>(
        _ conversation: C, _ simulator: S, seed: UInt64
    ) -> (declared: Int?, sampled: Int?) {
        var link = LinkFaults()
        link.seed = seed
        link.loss = 0.2
        link.reordering = 0.1
        link.spared = [Muse.control, PMD.controlPoint]
        var dialogue = Dialogue(conversation, FaultInjector(simulator, link))
        dialogue.run(until: 10)
        let declared = dialogue.events.firstIndex { event in
            if case .stream(let stream) = event { stream.id == "acceleration" } else { false }
        }
        return (declared, dialogue.events.firstIndex { if case .samples = $0 { true } else { false } })
    }

    @Test(arguments: ["muse", "muse-athena", "polar"], [1, 2, 3] as [UInt64])
    func motionIsDeclaredBeforeAnythingIsSampled(id: String, seed: UInt64) throws {
        let firsts =
            switch id {
            case "muse": firsts(MuseConversation(), MuseSimulator(session()), seed: seed)
            case "polar": firsts(PolarConversation(), PolarSimulator(session()), seed: seed)
            default: firsts(AthenaConversation(), AthenaSimulator(session()), seed: seed)
            }
        let declared = try #require(firsts.declared)
        let sampled = try #require(firsts.sampled)
        #expect(declared < sampled)
    }
}
