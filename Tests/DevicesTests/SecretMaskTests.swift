import Devices
import Foundation
import Signals
import TestSupport
import Testing

/// Secrets of devices stay out of raw logs and of what devices are quoted with.
@Suite struct SecretMaskTests {
    private static func secret(using generator: inout SplitMix64) -> String {
        let letters = Array("abcdefghijKLMNOP0123456789+/=_-\"\\ é")
        return String(
            (0..<Int.random(in: 8...40, using: &generator)).map { _ in letters.randomElement(using: &generator)! })
    }

    private static func json(_ text: String) throws -> String {
        String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }

    private func noise(_ count: Int, using generator: inout SplitMix64) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    @Test("no secret is in a log, however it is written and cut; nothing else changes", arguments: 0..<200)
    func log(seed: Int) throws {
        var generator = SplitMix64(seed: UInt64(seed))
        let secret = Self.secret(using: &generator)
        let forms = [secret, try Self.json(secret), Data(secret.utf8).base64EncodedString()]
        // Both directions at once, each in pieces of its own.
        var flows: [(bytes: [UInt8], expected: [UInt8])] = []
        for _ in 0..<2 {
            var (bytes, expected) = ([UInt8](), [UInt8]())
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let between = noise(Int.random(in: 0...30, using: &generator), using: &generator)
                let form = Array(forms.randomElement(using: &generator)!.utf8)
                bytes += between + form
                // JSON's quotes are no part of the secret.
                let isQuoted = form.first == UInt8(ascii: "\"") && String(decoding: form, as: UTF8.self) != secret
                let stars = [UInt8](repeating: UInt8(ascii: "*"), count: form.count - (isQuoted ? 2 : 0))
                expected += between + (isQuoted ? [UInt8(ascii: "\"")] + stars + [UInt8(ascii: "\"")] : stars)
            }
            flows.append((bytes, expected))
        }
        let longest = [1, 5, 100].randomElement(using: &generator)!
        var entries: [ByteLogEntry] = [ByteLogEntry(.opened, at: 0)]
        var rest = flows.map { pieces(of: $0.bytes, using: &generator, upTo: longest)[...] }
        while let flow = rest.indices.filter({ !rest[$0].isEmpty }).randomElement(using: &generator) {
            let piece = rest[flow].removeFirst()
            let content: ByteLogEntry.Content = flow == 0 ? .sent(piece, to: .stream) : .received(piece, from: .stream)
            entries.append(ByteLogEntry(content, at: Double(entries.count)))
        }
        entries.append(ByteLogEntry(.closed("the server said \(secret)"), at: Double(entries.count)))
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("d.bytes")
            let header = ByteLogHeader(
                device: "arctop", place: "h:1", options: ["key": secret, "keyFile": "/k", "scale": "1"],
                clock: SystemClock())
            let writer = try ByteLogWriter(url, header: header, secrets: [secret])
            for entry in entries { try writer.append(entry) }
            try writer.close()
            let text = try Data(contentsOf: url)
            for form in forms { #expect(text.range(of: Data(form.utf8)) == nil) }
            let reader = try ByteLogReader(url)
            #expect(reader.header.options == ["scale": "1"])
            var back: [ByteLogEntry] = []
            while let entry = try reader.next() { back.append(entry) }
            #expect(back.map(\.moment) == entries.map(\.moment))
            let sent = back.flatMap { if case .sent(let bytes, _) = $0.content { bytes } else { [UInt8]() } }
            let received = back.flatMap { if case .received(let bytes, _) = $0.content { bytes } else { [UInt8]() } }
            #expect(sent == flows[0].expected)
            #expect(received == flows[1].expected)
        }
    }

    @Test("a log that is handed to the disk meanwhile holds three bytes of a secret at most", arguments: 0..<50)
    func flushed(seed: Int) throws {
        var generator = SplitMix64(seed: UInt64(seed) + 1_000)
        let secret = "K" + Self.secret(using: &generator)
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("d.bytes")
            let header = ByteLogHeader(device: "arctop", place: "h:1", clock: SystemClock())
            let writer = try ByteLogWriter(url, header: header, secrets: [secret])
            for (index, piece) in pieces(of: Array("auth:\(secret).".utf8), using: &generator, upTo: 4).enumerated() {
                try writer.append(ByteLogEntry(.sent(piece, to: .stream), at: Double(index)))
                if Bool.random(using: &generator) { try writer.flush() }
            }
            try writer.close()
            let reader = try ByteLogReader(url)
            var sent: [UInt8] = []
            while let entry = try reader.next() { if case .sent(let bytes, _) = entry.content { sent += bytes } }
            let shown = sent.dropFirst(5).dropLast().filter { $0 != UInt8(ascii: "*") }
            #expect(sent.count == secret.utf8.count + 6 && shown.count <= 3)
        }
    }

    @Test("a log without secrets is written as it comes, and one with a masked key can be replayed")
    func replay() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("d.bytes")
            let header = ByteLogHeader(
                device: "arctop", place: "h:1", options: ["key": "SECRET", "scale": "1"], clock: SystemClock())
            try ByteLogWriter(url, header: header).close()
            let (model, options) = try DeviceModel.recorded(in: url)
            #expect(model.id == "arctop" && options["key"] != "SECRET")
            _ = try model.conversation(options)
        }
    }

    @Test("what a device is quoted with holds none of its secrets")
    func events() {
        let secret = "sk-live/abc123"
        let bytes = Array("{\"apiKey\":\"sk-live/abc123\"}".utf8)
        var identity = DeviceIdentity()
        (identity.name, identity.details) = ("of sk-live/abc123", ["a": "sk-live%2Fabc123"])
        let events: [DeviceEvent] = [
            .log("key sk-live/abc123 refused"), .failed(DeviceFailure(code: "x", description: "sk-live\\/abc123?")),
            .marker(label: "sk-live/abc123", deviceTime: 1), .identity(identity),
            .malformed(MalformedMessage(place: "p", problem: "sk-live/abc123", bytes: bytes)),
            .malformed(MalformedMessage(place: "p", problem: "", bytes: Array("sk-live".utf8))),
        ]
        for event in events {
            let masked = "\(event.masking([secret]))"
            #expect(!masked.contains("sk-live") && !masked.contains("abc123"))
            #expect(event.masking([]) == event)
        }
        #expect(!Array(bytes).isEmpty)
    }

    @Test("a secret comes from its option, its file or the environment, in this order")
    func sources() throws {
        let secret = DeviceSecret(model: "arctop", option: "key", meaning: "the account's key")
        #expect(secret.variable == "MAREY_ARCTOP_KEY")
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("key")
            try Data("  from the file \r\nsecond\n".utf8).write(to: file)
            let environment = ["MAREY_ARCTOP_KEY": "from the environment"]
            func value(_ options: DeviceOptions) throws -> String? {
                try secret.value(in: options, environment: environment)
            }
            #expect(try value(["key": "own", "keyFile": file.path]) == "own")
            #expect(try value(["keyFile": file.path]) == "from the file")
            #expect(try value([:]) == "from the environment")
            #expect(try secret.value(in: [:], environment: [:]) == nil)
            #expect(throws: DeviceFailure.self) { try value(["keyFile": folder.path + "/none"]) }
            try Data("\n".utf8).write(to: file)
            #expect(throws: DeviceFailure.self) { try value(["keyFile": file.path]) }
        }
        let model = try #require(DeviceModel.named("arctop"))
        #expect(model.options.filter(\.isSecret).map(\.name) == ["key", "keyFile"])
    }
}
