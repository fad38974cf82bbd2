import Devices
import Foundation
import Signals
import TestSupport
import Testing

/// Packets of Engine.IO and Socket.IO as their clients write them.
@Suite struct SocketIOPacketTests {
    @Test(
        "packets are read as they are written",
        arguments: [
            ("2[\"message\",{\"a\":1}]", .event, "/", nil, "[\"message\",{\"a\":1}]"),
            ("212[\"message\"]", .event, "/", 12, "[\"message\"]"), ("0", .connect, "/", nil, ""),
            ("0/chat,{\"t\":1}", .connect, "/chat", nil, "{\"t\":1}"), ("1/chat,", .disconnect, "/chat", nil, ""),
            ("0/chat?token=1", .connect, "/chat", nil, ""), ("3/chat,7[]", .acknowledgement, "/chat", 7, "[]"),
            ("4{\"message\":\"no\"}", .error, "/", nil, "{\"message\":\"no\"}"),
        ] as [(String, SocketIOPacket.Kind, String, Int?, String)])
    func packet(text: String, kind: SocketIOPacket.Kind, namespace: String, number: Int?, json: String) throws {
        let packet = try SocketIOPacket(text)
        #expect(packet == SocketIOPacket(kind, namespace: namespace, number: number, json: json))
        #expect(try SocketIOPacket(packet.encoded) == packet)
    }

    @Test("what is no packet is refused", arguments: ["", "7", "x", "5[]", "5", "29999999999999999[]", "é"])
    func noPacket(text: String) {
        #expect(throws: MalformedMessage.self) { try SocketIOPacket(text) }
    }

    @Test("payloads of every revision are read as they are written", arguments: EngineIOVersion.allCases, 0..<50)
    func payload(version: EngineIOVersion, seed: Int) throws {
        var generator = SplitMix64(seed: UInt64(seed))
        let letters = Array("aé€😀0:{}\",b")
        let packets = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
            EngineIOPacket(
                EngineIOPacket.Kind.allCases.randomElement(using: &generator) ?? .noop,
                String(
                    (0..<Int.random(in: 0...20, using: &generator)).map { _ in letters.randomElement(using: &generator)!
                    }))
        }
        let text = EngineIOPayload.encode(packets, version)
        let (found, binaryCount) = try EngineIOPayload.decode(Array(text.utf8), version)
        #expect(found == packets && binaryCount == 0)
        guard version != .four else { return }
        // As python-engineio 3 writes it.
        let framed = packets.flatMap { packet -> [UInt8] in
            [0] + String(packet.encoded.utf8.count).utf8.map { $0 - 0x30 } + [255] + Array(packet.encoded.utf8)
        }
        #expect(try EngineIOPayload.decode(framed + [1, 2, 255, 4, 9], version).packets == packets)
        #expect(try EngineIOPayload.decode(framed + [1, 2, 255, 4, 9], version).binaryCount == 1)
    }

    @Test("damaged payloads are refused, never a crash", arguments: EngineIOVersion.allCases)
    func damage(version: EngineIOVersion) {
        var generator = SplitMix64(seed: 3)
        let payload = Array(
            EngineIOPayload.encode([EngineIOPacket(.message, "2[\"message\",1]"), EngineIOPacket(.ping)], version).utf8)
        for _ in 0..<20_000 {
            _ = try? EngineIOPayload.decode(mutated(payload, using: &generator), version)
            _ = try? EngineIOPayload.decode(mutated([0, 2, 255, 50, 48, 1, 1, 255, 7], using: &generator), version)
        }
        for bytes in [
            [], [0], [1, 255], [0, 9, 9, 255], Array("5:2".utf8), Array(":2".utf8), Array("99999999999:2".utf8),
        ] as [[UInt8]] {
            _ = try? EngineIOPayload.decode(bytes, version)
        }
    }
}
