import Devices
import Signals
import TestSupport
import Testing

@Suite struct ArctopTests {
    private func frame(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
    }

    @Test func aValueBeyondItsScaleIsToldOnce() {
        let text = #"{"command":"valueChange","timestamp":1,"key":"focus","value":55}"#
        func doubts(_ events: [DeviceEvent]) -> Int {
            events.count { if case .failed(let failure) = $0 { failure.code == "scale" } else { false } }
        }
        #expect(doubts(said([text, text], scale: .one)) == 1 && doubts(said([text], scale: .hundred)) == 0)
    }

    private func said(_ texts: [String], scale: ArctopScale = .hundred) -> [DeviceEvent] {
        events(ArctopConversation(ArctopSettings(key: "k", scale: scale)), [texts.flatMap(frame)])
    }

    @Test func theKeyIsShownInAFrame() {
        var conversation = ArctopConversation(ArctopSettings(key: "k", scale: .one))
        var actions: [ConversationAction] = []
        conversation.open(at: 0, into: &actions)
        let expected: [UInt8] =
            [0x00, 0x1F]
            + [
                0x7B, 0x22, 0x63, 0x6F, 0x6D, 0x6D, 0x61, 0x6E, 0x64, 0x22, 0x3A, 0x22, 0x61, 0x75, 0x74, 0x68, 0x22,
                0x2C, 0x22, 0x61, 0x70, 0x69, 0x4B, 0x65, 0x79, 0x22, 0x3A, 0x22, 0x6B, 0x22, 0x7D,
            ]
        #expect(actions.first == .send(expected, to: .stream, acknowledged: false))
    }

    @Test(arguments: [
        (
            #"{"command" : "valueChange" , "timestamp" : 123612321 , "key" : "enjoyment" , "value" : 33.4442}"#,
            ArctopMessage.value(key: "enjoyment", 33.4442, time: 123612.321)
        ),
        (
            #"{"command":"valueChange","timestamp":1700000000000,"key":"heart_rate","value":120}"#,
            .value(key: "heart_rate", 120, time: 1_700_000_000)
        ),
        (#"{"command":"qa","passed":false,"type":2,"timestamp":1}"#, .quality(.motionTooHigh, time: 0.001)),
        (#"{"command":"qa","passed":false,"type":0}"#, .quality(.eegFailure, time: nil)),
        (#"{"command":"qa","passed":true,"type":0}"#, .quality(.passed, time: nil)),
        (
            #"{"command":"connection","previous":1,"current":2}"#,
            .connection(previous: .connecting, current: .connected)
        ),
        (#"{"command":"sessionComplete"}"#, .sessionComplete), (#"{"command":"auth-success"}"#, .authorized),
        (#"{"command":"auth-failed"}"#, .refused), (#"{"command":"news"}"#, .unknown("news")),
        (#"{"command":"error","errorCode":-10,"message":"server"}"#, .failure(code: "-10", text: "server")),
        (#"{"command":"error","errorCode":"E1","message":"server"}"#, .failure(code: "E1", text: "server")),
    ])
    func messagesDecode(text: String, message: ArctopMessage) throws {
        #expect(try ArctopMessage(Array(text.utf8)) == message)
    }

    @Test(arguments: ["NaN", "\"NaN\"", "-1", "-1.0"])
    func marksOfNoConfidenceAreMissingOnBothScales(value: String) {
        for scale in ArctopScale.allCases {
            let said = said([#"{"command":"valueChange","timestamp":1,"key":"focus","value":\#(value)}"#], scale: scale)
            #expect(said.values("focus").count == 1 && said.values("focus")[0].values[0].isNaN)
        }
    }

    @Test func metricsAreScaledAsDeclared() {
        let text = #"{"command":"valueChange","timestamp":1,"key":"focus","value":0.5}"#
        #expect(said([text], scale: .hundred).values("focus")[0].values == [0.005])
        #expect(said([text], scale: .one).values("focus")[0].values == [0.5])
    }

    @Test func aRateAtTheCapIsCensored() {
        let said = said(
            [119.5, 120].map { #"{"command":"valueChange","timestamp":1,"key":"heart_rate","value":\#($0)}"# })
        #expect(said.values("heartRate").map(\.values) == [[119.5, 0], [120, 1]])
        #expect(said.streams.first?.header.channels.map(\.label) == ["heart_rate", "censored"])
    }

    @Test(arguments: [
        "", "{", "[]", #"{"command":1}"#, #"{"command":"valueChange","key":"focus"}"#,
        #"{"command":"valueChange","key":"","value":1}"#, #"{"command":"qa","passed":false,"type":9}"#,
        #"{"command":"connection","previous":1,"current":9}"#, #"{"command":"valueChange","key":"focus","value":"x"}"#,
    ])
    func whatBreaksTheProtocolIsRefused(text: String) {
        #expect(throws: MalformedMessage.self) { try ArctopMessage(Array(text.utf8)) }
    }

    @Test func aSessionArrivesWhole() throws {
        var simulation = ArctopSimulation()
        simulation.duration = 60
        simulation.offHead = [10..<20]
        simulation.lost = [30..<35]
        simulation.failsAt = 40
        var dialogue = Dialogue(
            ArctopConversation(ArctopSettings(key: "marey", scale: .hundred)), ArctopSimulator(simulation))
        var generator = SplitMix64(seed: 2)
        dialogue.cut = { pieces(of: $0, using: &generator, upTo: 20) }
        dialogue.run(until: 100)
        for stream in ["focus", "enjoyment", "flow", "heartRate", "motion"] {
            let got = dialogue.events.values(stream).map { Float($0.values[0]) }
            let truth = dialogue.measured.filter { $0.stream == stream }.map { $0.block.samples[0] }
            #expect(got.count == truth.count && got.count > 200)
            #expect(zip(got, truth).allSatisfy { $0 == $1 || $0.isNaN && $1.isNaN })
            #expect(got.contains { $0.isNaN })
        }
        let quality = dialogue.events.statuses.compactMap { if case .quality(let code) = $0 { code } else { nil } }
        #expect(quality == [.passed, .headbandOffHead, .passed])
        let behind = dialogue.events.statuses.compactMap {
            if case .deviceBehindServer(let connected) = $0 { connected } else { nil }
        }
        #expect(behind == [true, false, true])
        #expect(dialogue.events.failures.map(\.code) == ["-10"])
        #expect(dialogue.events.last == .finished && dialogue.hasClosed && dialogue.events.malformed.isEmpty)
    }

    @Test func aWrongKeyIsRefused() {
        var dialogue = Dialogue(ArctopConversation(ArctopSettings(key: "no", scale: .one)), ArctopSimulator())
        dialogue.run(until: 2)
        #expect(dialogue.events.failures.map(\.code) == ["auth-failed"] && dialogue.hasClosed)
    }

    @Test("a byte stream ends after its last byte, however slow the link")
    func refusedOverASlowLink() {
        var faults = LinkFaults()
        faults.delay = 0.1...0.4
        var dialogue = Dialogue(
            ArctopConversation(ArctopSettings(key: "no", scale: .one)), FaultInjector(ArctopSimulator(), faults))
        dialogue.run(until: 2)
        #expect(dialogue.events.failures.map(\.code) == ["auth-failed"] && dialogue.hasClosed)
    }

    @Test func aConnectionThatEndsWithoutConsentIsExplained() {
        var conversation = ArctopConversation(ArctopSettings(key: "k", scale: .one))
        var actions: [ConversationAction] = []
        conversation.open(at: 0, into: &actions)
        conversation.close(at: 1, into: &actions)
        let codes = actions.compactMap { if case .emit(.failed(let failure)) = $0 { failure.code } else { nil } }
        #expect(codes == ["no-consent"])
    }

    @Test func unknownCommandsAreCounted() {
        var conversation = ArctopConversation(ArctopSettings(key: "k", scale: .one))
        var actions: [ConversationAction] = []
        conversation.open(at: 0, into: &actions)
        let bytes = [[0, 0], frame(#"{"command":"a"}"#), frame(#"{"command":"b"}"#)].flatMap { $0 }
        conversation.receive(bytes, from: .stream, at: 0, into: &actions)
        #expect(conversation.unknownCommands == 2)
    }

    @Test func mutatedBytesNeitherCrashNorGrow() {
        let texts = [
            #"{"command":"valueChange","timestamp":1,"key":"focus","value":0.5}"#, #"{"command":"auth-success"}"#,
            #"{"command":"qa","passed":false,"type":2,"timestamp":1}"#, #"{"command":"error","errorCode":1}"#,
        ]
        let bytes = texts.flatMap(frame)
        var generator = SplitMix64(seed: 8)
        for _ in 0..<mutants(5_000) {
            let said = events(
                ArctopConversation(ArctopSettings(key: "k", scale: .one)), [mutated(bytes, using: &generator)])
            #expect(said.count < 50)
        }
        let many = said((0..<200).map { #"{"command":"valueChange","key":"k\#($0)","value":0.5}"# })
        #expect(many.streams.count == 64)
    }
}
