import Devices
import Signals
import TestSupport
import Testing

/// A device that vanishes within a line or a frame, at any byte: what came before is kept, the torn rest counts once.
@Suite struct TornLineTests {
    /// The values of a stream and the number of broken messages after each beginning of some bytes.
    private func check(
        _ bytes: [UInt8], linesOf stream: String, values: [Double], _ events: ([UInt8]) throws -> [DeviceEvent]
    ) rethrows {
        for count in 0...bytes.count {
            let whole = bytes[..<count].count { $0 == 0x0A }
            let found = try events(Array(bytes[..<count]))
            let isTorn = count > 0 && bytes[count - 1] != 0x0A
            #expect(found.malformed.count == (isTorn ? 1 : 0), "after \(count) bytes")
            #expect(found.values(stream).map { $0.values[0] } == Array(values.prefix(whole)), "after \(count) bytes")
        }
    }

    @Test(arguments: ["\n", "\r\n"]) func theE4Server(end: String) {
        let setup = [
            "R device_list 1 | 9ff167 Empatica_E4", "R device_connect OK", "R device_subscribe acc OK",
            "R device_subscribe bvp OK", "R device_subscribe gsr OK", "R device_subscribe ibi OK",
            "R device_subscribe tmp OK", "R device_subscribe bat OK", "R device_subscribe tag OK",
        ]
        let lines = ["E4_Ibi 1700000001.25 0.822", "E4_Ibi 1700000002.11 0.86", "E4_Ibi 1700000003.01 0.9"]
        func bytes(_ lines: [String]) -> [UInt8] { Array(lines.map { $0 + end }.joined().utf8) }
        check(bytes(lines), linesOf: "ibi", values: [0.822, 0.86, 0.9]) { data in
            events(EmpaticaServerConversation(), [bytes(setup), data])
        }
    }

    @Test func methodSCRIPT() throws {
        let script = try MethodSCRIPTScript(text: "e\nvar c\n")
        let lines = ["Pba48D503Dp,10,288", "Pba4E2C324p,12,288", "Pba8000001n"]
        let data = Array(lines.map { $0 + "\n" }.joined().utf8)
        check(data, linesOf: "current", values: [-5.7847747e-05, -5.2247772e-05, 1e-9]) { data in
            var conversation = MethodSCRIPTConversation(MethodSCRIPTSettings(.serial, script: script))
            var actions: [ConversationAction] = []
            conversation.open(at: 0, into: &actions)
            for moment in [0.2, 0.4, 0.6] { conversation.wake(at: moment, into: &actions) }
            let answers = ["tespico1304#Oct 22 2021 14:38:26\nR*\n", "iEP21\n", "v01\n", "e\n"]
            for (index, answer) in answers.enumerated() {
                conversation.receive(Array(answer.utf8), from: .stream, at: 0.7 + 0.1 * Double(index), into: &actions)
            }
            conversation.receive(data, from: .stream, at: 2, into: &actions)
            conversation.close(at: 3, into: &actions)
            return actions.compactMap { if case .emit(let event) = $0 { event } else { nil } }
        }
    }

    @Test func aRelaysPhone() {
        let frame = Array(#"42["message",{"amplitude":"4.995","time":"2015-01-16T15:30:23.050Z"}]"#.utf8)
        for count in 1..<frame.count {
            let found = events(RelayConversation(id: "x"), [frame, Array(frame[..<count])])
            #expect(found.values("ecg").map { $0.values[0] } == [4.995], "after \(count) bytes")
            #expect(found.malformed.count == 1, "after \(count) bytes")
        }
    }
}
