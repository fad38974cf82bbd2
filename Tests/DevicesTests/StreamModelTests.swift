import Devices
import Signals
import Simulation
import Testing

@Suite struct StreamModelTests {
    @Test(
        arguments: [
            ("empatica-e4", DeviceOptions()),
            ("empatica-e4", ["streams": "bvp, ibi", "device": "9ff167", "manual": "yes"]),
            ("methodscript", [:]), ("methodscript-bluetooth", [:]), ("arctop", ["key": "marey", "scale": "100"]),
        ] as [(String, DeviceOptions)])
    func aModelsConversationSpeaksWithItsSimulator(id: String, options: DeviceOptions) throws {
        let model = try #require(DeviceModel.named(id))
        let conversation = try model.conversation(options)
        let make = try #require(model.simulator)
        let simulator = make(SimulationParameters(), DeviceFaults())
        var dialogue = Dialogue(AnyConversation(base: conversation), AnySimulator(base: simulator))
        dialogue.run(until: 5)
        #expect(dialogue.events.contains(.ready) && dialogue.events.failures.isEmpty)
    }

    @Test(
        arguments: [
            ("empatica-e4", ["streams": "eeg"]), ("empatica-e4", ["scale": "1"]),
            ("methodscript", ["script": "/nowhere"]),
            ("arctop", [:]), ("arctop", ["key": "a"]), ("arctop", ["key": "a", "scale": "10"]), ("lsl", ["a": "b"]),
        ] as [(String, DeviceOptions)])
    func wrongOptionsAreExplained(id: String, options: DeviceOptions) throws {
        let model = try #require(DeviceModel.named(id))
        #expect(throws: DeviceFailure.self) { _ = try model.conversation(options) }
    }

    private struct AnyConversation: Conversation {
        var base: any Conversation
        mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {
            base.open(at: moment, into: &actions)
        }
        mutating func receive(
            _ bytes: [UInt8], from endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
        ) {
            base.receive(bytes, from: endpoint, at: moment, into: &actions)
        }
        mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {
            base.wake(at: moment, into: &actions)
        }
        mutating func perform(_ request: DeviceRequest, at moment: Seconds, into actions: inout [ConversationAction]) {
            base.perform(request, at: moment, into: &actions)
        }
        mutating func close(at moment: Seconds, into actions: inout [ConversationAction]) {
            base.close(at: moment, into: &actions)
        }
    }

    private struct AnySimulator: DeviceSimulator {
        var base: any DeviceSimulator
        var due: Seconds? { base.due }
        mutating func connect(at moment: Seconds, into actions: inout [SimulatorAction]) {
            base.connect(at: moment, into: &actions)
        }
        mutating func receive(
            _ bytes: [UInt8], at endpoint: Endpoint, at moment: Seconds, into actions: inout [SimulatorAction]
        ) {
            base.receive(bytes, at: endpoint, at: moment, into: &actions)
        }
        mutating func advance(to moment: Seconds, into actions: inout [SimulatorAction]) {
            base.advance(to: moment, into: &actions)
        }
        mutating func disconnect(at moment: Seconds) { base.disconnect(at: moment) }
    }
}
