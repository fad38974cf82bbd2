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
        "a device declares nothing that was not expected of it before it was connected",
        arguments: [
            ("heart-rate", [:]), ("polar", [:]), ("polar", ["streams": "ecg,acceleration:100,ppi"]),
            ("muse", ["preset": "p50"]), ("muse-athena", [:]), ("kardia", [:]), ("empatica-e4", [:]),
            ("empatica-e4", ["streams": "bvp,ibi"]), ("arctop", ["key": "marey", "scale": "100"]),
        ] as [(String, DeviceOptions)])
    func declaredStreamsAreExpected(id: String, options: DeviceOptions) throws {
        let model = try #require(DeviceModel.named(id))
        let conversation = try model.conversation(options)
        let expected = try #require(conversation.expectedStreams)
        let make = try #require(model.simulator)
        var dialogue = Dialogue(
            AnyConversation(base: conversation), AnySimulator(base: make(SimulationParameters(), DeviceFaults())))
        dialogue.run(until: 30)
        #expect(!dialogue.events.streams.isEmpty)
        for stream in dialogue.events.streams where stream.header.sampleRate > 0 || stream.pace != nil {
            let known = try #require(expected.first { $0.id == stream.id }, "\(stream.id)")
            #expect(known.header.channels.count >= stream.header.channels.count)
            // The nearest rate that a sensor has is taken. A board's rate is measured: its pace is known before.
            let rate = stream.header.sampleRate
            let isMeasured = known.header.sampleRate == 0 && known.pace.map { abs($0 - rate) <= 0.1 * rate } == true
            #expect(isMeasured || known.header.sampleRate >= 0.9 * rate && known.pace == stream.pace)
        }
        if id == "heart-rate" || id == "arctop" { #expect(expected.isEmpty) }
    }

    @Test(
        arguments: [
            ("empatica-e4", ["streams": "eeg"]), ("empatica-e4", ["scale": "1"]),
            ("empatica-e4", ["manual": "maybe"]), ("empatica-e4", ["manual": ""]),
            ("methodscript", ["script": "/nowhere"]),
            ("arctop", [:]), ("arctop", ["key": "a"]), ("arctop", ["key": "a", "scale": "10"]), ("lsl", ["a": "b"]),
        ] as [(String, DeviceOptions)])
    func wrongOptionsAreExplained(id: String, options: DeviceOptions) throws {
        let model = try #require(DeviceModel.named(id))
        #expect(throws: DeviceFailure.self) { _ = try model.conversation(options) }
    }

    @Test(
        arguments: [
            (nil, nil), ("yes", true), ("True", true), ("1", true), ("no", false), ("false", false), ("0", false),
        ] as [(String?, Bool?)])
    func whatIsYesOrNoIsWrittenSo(written: String?, meant: Bool?) throws {
        let options = DeviceOptions(written.map { ["manual": $0] } ?? [:])
        #expect(try options.flag("manual") == meant)
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
        mutating func read(
            _ characteristic: BluetoothUUID, at moment: Seconds, into actions: inout [SimulatorAction]
        ) {
            base.read(characteristic, at: moment, into: &actions)
        }
        mutating func subscribe(
            _ characteristic: BluetoothUUID, at moment: Seconds, into actions: inout [SimulatorAction]
        ) {
            base.subscribe(characteristic, at: moment, into: &actions)
        }
    }
}
