import Devices
import Formats
import Signals
import TestSupport
import Testing

@Suite struct RelayTests {
    @Test(
        arguments: [
            (#"{"amplitude":"4.995","time":"2015-01-16T15:30:23.050Z"}"#, 4.995, 1_421_422_223.05),
            (#"{"time":"2015-01-16T15:30:23Z","amplitude":"4.715"}"#, 4.715, 1_421_422_223.0),
            (#"{"amplitude":"4.512.2553.233","time":"4:20"}"#, 4.512, nil),
            (#"{"amplitude":6.66,"time":"4:20"}"#, 6.66, nil),
        ] as [(String, Double, Double?)])
    func samplesDecode(json: String, value: Double, moment: Double?) throws {
        let sample = try #require(RelaySample(json: json))
        #expect(sample.value == value && sample.moment == moment)
    }

    @Test(
        arguments: [
            (#"["message",{"amplitude":"4.995","time":"4:20"}]"#, "message", #"{"amplitude":"4.995","time":"4:20"}"#),
            (#"["/BLEDisconnect"]"#, "/BLEDisconnect", ""), (#"["a\"b", 1]"#, "a\"b", "1"),
            // Some clients send the JSON of a sample as a text.
            (#"["message","{\"amplitude\":\"4\"}"]"#, "message", #"{"amplitude":"4"}"#),
            (#"["a",{},2]"#, "a", "{}"),
        ])
    func eventDecodes(json: String, name: String, payload: String) throws {
        let event = try SocketIOPacket(.event, json: json).event
        #expect(event.name == name && event.payload == payload)
    }

    @Test func handshakeDecodesAndEncodes() {
        #expect(EngineIOHandshake(json: #"{"sid":"x","pingInterval":25000}"#) == EngineIOHandshake(sid: "x"))
        #expect(EngineIOHandshake(json: EngineIOHandshake(sid: "a").json) == EngineIOHandshake(sid: "a"))
        #expect(EngineIOHandshake(json: "{}") == nil)
    }

    @Test(arguments: ["", "9", "4", "42", "42[", "42[1]", #"42["a" 1]"#, "49"])
    func brokenFramesAreMalformed(text: String) {
        #expect(events(RelayConversation(id: "x"), [Array(text.utf8)]).malformed.count == 1)
    }

    @Test func onlyChangesToAbnormalAreEvents() {
        var list = RelayEventList()
        let codes = ["0", "200", "404", "404", "200", "404"]
        let fresh = codes.enumerated().map { list.receive($1, at: Timestamp(secondsSince1970: Double($0))) }
        #expect(fresh == [false, false, true, false, false, true])
        #expect(list.events.map(\.secondsSince1970) == [2, 5])
        list.delete(at: 0)
        list.delete(at: 7)
        let isFresh = list.receive("404", at: Timestamp(secondsSince1970: 9))
        #expect(!isFresh && list.events.map(\.secondsSince1970) == [5])
        list.disconnect()
        let isFreshAfter = list.receive("404", at: Timestamp(secondsSince1970: 10))
        #expect(isFreshAfter)
        #expect(RelayStatus.label("0") == "N/A" && RelayStatus.label("200") == "NSR")
        #expect(RelayStatus.label("404") == "ARR" && RelayStatus.label("500") == "500")
    }

    @Test func theRelaysOwnRuleHolds() {
        var slow = RelayRhythm()
        for beat in 0..<6 { slow.addPeak(at: Double(beat)) }
        #expect(slow.reply == RelayReply(heartRate: "60", statusCode: "200"))
        var fast = RelayRhythm()
        var replies: [RelayReply] = []
        for beat in 0..<6 {
            fast.addPeak(at: 0.75 * Double(beat))
            replies.append(fast.reply)
        }
        #expect(replies.map(\.statusCode) == ["200", "200", "200", "200", "404", "404"])
        #expect(replies.map(\.heartRate) == ["65", "65", "65", "65", "65", "80"])
        var still = RelayRhythm()
        for _ in 0..<10 { still.addPeak(at: 1) }
        #expect(still.reply.heartRate == "65")
    }

    @Test func aPhoneIsAnswered() throws {
        var simulation = RelaySimulation()
        simulation.sketch = .arrhythmia
        simulation.lost = [20..<25]
        simulation.stacksEvery = 50
        var dialogue = Dialogue(RelayConversation(id: "abc"), RelayPhoneSimulator(simulation))
        dialogue.run(until: 60)
        #expect(dialogue.events.malformed.isEmpty && dialogue.events.failures.isEmpty)
        dialogue.end()
        let got = dialogue.events.samples("ecg")
        let sent = dialogue.measured.filter { !(20..<25).contains($0.time) }
        #expect(got.flatMap { $0.block.channel(0) } == sent.map { $0.block.samples[0] })
        let rate = try #require(dialogue.events.streams.first).header.sampleRate
        #expect(abs(rate - 1 / 0.06) < 0.01)
        // Each at its index, also after the loss.
        for (block, first) in zip(got, got.indices.map { got[..<$0].reduce(0) { $0 + $1.block.frameCount } }) {
            #expect(abs(Double(block.index) / rate - (sent[first].time - sent[0].time)) < 0.5 / rate)
        }
        // All of it is also kept as it was received.
        let received = dialogue.events.flatMap { event -> [Double] in
            guard case .received(let rows) = event, case .doubles(let values) = rows.values else { return [] }
            return values
        }
        #expect(received.map { Float($0) } == sent.map { $0.block.samples[0] })
        // Short intervals: one event before the loss, one after it.
        #expect(dialogue.conversation.events.events.count == 2 && dialogue.conversation.stacked > 10)
        let behind = dialogue.events.statuses.compactMap {
            if case .deviceBehindServer(let connected) = $0 { connected } else { nil }
        }
        #expect(behind == [true, false, true, false])
        let texts = dialogue.sent.map { String(decoding: $0, as: UTF8.self) }
        #expect(texts[0].hasPrefix(#"0{"sid":"abc""#) && texts[1] == "40" && texts.contains("3"))
        #expect(texts.last?.hasPrefix(#"42["node.js",{"statusCode":"404","heartRate":""#) == true)
    }

    @Test func aSilentPhoneIsGone() {
        var conversation = RelayConversation(id: "x")
        var actions: [ConversationAction] = []
        conversation.open(at: 0, into: &actions)
        conversation.receive(Array("2".utf8), from: .stream, at: 50, into: &actions)
        conversation.wake(at: 85, into: &actions)
        #expect(actions.last == .wake(at: 135))
        conversation.wake(at: 135, into: &actions)
        #expect(actions.last == .close)
    }

    @Test func mutatedFramesNeitherCrashNorGrow() {
        let texts = [
            #"42["message",{"amplitude":"4.995","time":"2015-01-16T15:30:23.050Z"}]"#, #"42["/BLEDisconnect"]"#,
            "2probe",
            #"0{"sid":"x","pingInterval":25000}"#, #"42["node.js",{"statusCode":"404","heartRate":"80"}]"#,
        ]
        var generator = SplitMix64(seed: 8)
        for round in 0..<mutants(10_000) {
            let bytes = mutated(Array(texts[round % texts.count].utf8), using: &generator)
            #expect(events(RelayConversation(id: "x"), [bytes]).count < 10)
        }
    }
}
