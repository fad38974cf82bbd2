import Devices
import Foundation
import Service
import Study
import TestSupport
import Testing

/// The relay over Socket.IO, with its real clients and by hand.
@Suite(.timeLimit(.minutes(3))) struct SocketIOTests {
    /// A release of python-socketio; nil where it is not installed.
    private static func installation(_ release: Int) -> (program: URL, arguments: [String])? {
        guard let environment = ProcessInfo.processInfo.environment["VIRTUAL_ENV"],
            OutsideProgram.found("python", in: ["\(environment)/bin"]) != nil
        else { return nil }
        // The older release lies in a folder of its own.
        let folders = release == 4 ? ["\(environment)/socketio4"] : []
        let libraries = folders.isEmpty ? "" : folders[0]
        guard folders.allSatisfy({ FileManager.default.fileExists(atPath: $0 + "/socketio") }) else { return nil }
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Peers/socketio_phone.py")
        return (
            URL(fileURLWithPath: "/usr/bin/env"), ["PYTHONPATH=\(libraries)", "\(environment)/bin/python", script.path]
        )
    }

    private func phone(_ release: Int, _ way: String, _ address: String, key: String, count: Int) async throws
        -> JSONValue
    {
        let (program, arguments) = try #require(Self.installation(release))
        let outcome = try await OutsideProgram.run(program, arguments + [address, key, way, "\(count)"])
        let line = outcome.output.split(separator: "\n").last.map { String($0) } ?? ""
        guard outcome.status == 0, let value = try? JSONValue(Data(line.utf8)) else {
            Issue.record("\(outcome.output)")
            return .null
        }
        return value
    }

    @Test(
        "python-socketio sends 1,000 amplitudes, gets as many answers, says that the board is gone and leaves",
        .enabled(if: installation(5) != nil && installation(4) != nil), arguments: [4, 5],
        ["polling", "websocket", "upgrade"])
    func client(release: Int, way: String) async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let key = try test.key("phone", [.relay])
            let reader = try test.key("reader", [.read])
            try await test.served { address in
                let said = try await phone(release, way, address, key: key.text, count: 1_000)
                #expect(said["answers"]?.integer == 1_001 && said["came"]?.boolean == true)
                // 0.5 s between R waves: the relay's own rule calls that 404.
                #expect(said["last"]?["heartRate"]?.text == "120" && said["last"]?["statusCode"]?.text == "404")
                #expect(said["acknowledged"]?.boolean == true && said["gone"]?.boolean == true)
                #expect(said["problems"] == [["error": "amplitude is no number"]])
                #expect(said["transport"]?.text == (way == "upgrade" ? "websocket" : way))
                let relay = await test.ask("GET", "/api/relay", key: key).json
                #expect(relay["events"]?.list?.count == 1 && relay["connected"]?.boolean == false)
                for keyless in ["-", "marey_none", reader.text] {
                    let refused = try await phone(release, way, address, key: keyless, count: 1)
                    #expect(refused["refused"] != nil && refused["answers"] == nil)
                }
            }
        }
    }

    @Test("the hand-shake of Engine.IO 2, as the phone's app makes it", arguments: [2, 3], [true, false])
    func rawHandshake(version: Int, hasHeader: Bool) async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let key = try test.key("phone", [.relay])
            try await test.served { address in
                let client = try RawClient(address)
                defer { client.close() }
                // The app cannot send headers.
                let (header, item) =
                    hasHeader ? ("Authorization: Bearer \(key.text)\r\n", "") : ("", "&key=\(key.text)")
                await client.send(
                    """
                    GET /socket.io/?EIO=\(version)&transport=websocket\(item) HTTP/1.1\r\nConnection: Upgrade\r
                    Upgrade: websocket\r\nHost: here\r\n\(header)Sec-WebSocket-Version: 13\r
                    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
                    """.utf8)
                // Frames of two characters and of one.
                let greeting = await client.answer(until: "\u{2}40")
                #expect(greeting.hasPrefix("HTTP/1.1 101") && greeting.contains("\"sid\":"))
                await client.send(RawClient.frame("2"))
                #expect(await client.answer(until: "\u{1}3").hasSuffix("3"))
                for _ in 0..<3 {
                    await client.send(
                        RawClient.frame(#"42["message",{"amplitude":"4.995","time":"2015-01-16T15:30:23.050Z"}]"#))
                    let answer = await client.answer(until: "]")
                    #expect(answer.contains(#"42["node.js",{"statusCode":"200","heartRate":"65"}]"#))
                }
                await client.send(RawClient.frame(#"42["/BLEDisconnect"]"#))
                #expect(await client.answer(until: "]").contains(#"42["disconnected"]"#))
                await client.send(RawClient.frame("1"))
                // The end of the connection.
                _ = await client.answer()
            }
        }
    }

    // MARK: - By polling, without sockets

    private struct Phone {
        let test: TestService
        let version: Int
        let key: AccessToken
        var id = ""

        init(_ test: TestService, _ version: Int, _ key: AccessToken) async throws {
            (self.test, self.version, self.key) = (test, version, key)
            try await connect()
        }

        mutating func connect() async throws {
            let answer = await ask("GET", id: nil)
            #expect(answer.status == 200)
            let text = String(decoding: answer.data, as: UTF8.self)
            let open = try #require(text.firstIndex(of: "{").map { text[$0...] })
            id = try JSONValue(Data(open.prefix { $0 != "}" }.utf8) + Data("}".utf8))["sid"]?.text ?? ""
            #expect(text.contains("40") == (version < 4))
            if version == 4 {
                #expect(await send("40").status == 200)
                #expect(await poll().contains("40{"))
            }
        }

        func ask(_ method: String, id: String?, _ body: Data = Data(), key other: AccessToken? = nil) async
            -> ServiceResponse
        {
            var query = ["EIO": "\(version)", "transport": "polling"]
            query["sid"] = id
            var headers: [String: String] = [:]
            if let key = other ?? (id == nil ? key : nil) { headers["authorization"] = "Bearer \(key.text)" }
            return await test.service.respond(
                to: ServiceRequest(method, "/socket.io/", query: query, headers: headers, body: body))
        }

        func send(_ packets: String..., key: AccessToken? = nil) async -> ServiceResponse {
            let text =
                version == 4
                ? packets.joined(separator: "\u{1E}") : packets.map { "\($0.utf16.count):\($0)" }.joined()
            return await ask("POST", id: id, Data(text.utf8), key: key)
        }

        func send(bytes: [UInt8]) async -> ServiceResponse { await ask("POST", id: id, Data(bytes)) }

        func poll() async -> String { String(decoding: await ask("GET", id: id).data, as: UTF8.self) }

        static func sample(_ amplitude: String, at seconds: Double) -> String {
            let time = Date(timeIntervalSince1970: 1_421_422_223 + seconds).ISO8601Format(
                .iso8601(timeZone: .gmt, includingFractionalSeconds: true))
            return #"42["message",{"amplitude":"\#(amplitude)","time":"\#(time)"}]"#
        }
    }

    @Test("a change to an abnormal status is an event once, and a new one after the board was gone", arguments: 2...4)
    func events(version: Int) async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let key = try test.key("phone", [.relay])
            let phone = try await Phone(test, version, key)
            for round in 1...2 {
                for beat in 0..<12 {
                    let begin = Double(round * 100) + Double(beat) * 0.6
                    let answer = await phone.send(
                        Phone.sample("7.000", at: begin), Phone.sample("4.000", at: begin + 0.3))
                    #expect(answer.status == 200)
                }
                #expect(await test.ask("GET", "/api/relay", key: key).json["events"]?.list?.count == round)
                #expect(await phone.send(#"42["/BLEDisconnect"]"#).status == 200)
            }
            var text = ""
            while text.components(separatedBy: "disconnected").count < 3 { text += await phone.poll() }
            #expect(text.components(separatedBy: "node.js").count == 49)
        }
    }

    @Test("a session belongs to the key it began with, and ends with it", arguments: 2...4)
    func keys(version: Int) async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let (key, other) = (try test.key("phone", [.relay]), try test.key("other", [.relay]))
            let phone = try await Phone(test, version, key)
            #expect(await phone.send("2", key: other).reason == "unknownSession")
            #expect(await phone.send(Phone.sample("4.9", at: 0), key: key).status == 200)
            #expect(try test.bookkeeping.revokeKey("phone", at: TestService.now()))
            #expect(await phone.send(Phone.sample("4.9", at: 1)).status == 401)
            test.service.keepAlive()
            #expect(await phone.ask("GET", id: phone.id).status == 401)
            let none = await test.service.respond(
                to: ServiceRequest("GET", "/socket.io/", query: ["EIO": "\(version)", "transport": "polling"]))
            #expect(none.status == 401)
        }
    }

    @Test("more messages than the limits allow end the session")
    func flood() async throws {
        try await withTemporaryFolder { folder in
            var limits = ServiceLimits()
            (limits.messageRate, limits.messageBurst) = (0.001, 5)
            let test = try TestService(in: folder, limits: limits)
            let phone = try await Phone(test, 3, try test.key("phone", [.relay]))
            for _ in 0..<7 { _ = await phone.send(Phone.sample("4.9", at: 0)) }
            #expect(await phone.send(Phone.sample("4.9", at: 0)).status == 401)
        }
    }

    @Test("a phone of Engine.IO 4 that does not answer a ping is let go; one that does stays")
    func pings() async throws {
        try await withTemporaryFolder { folder in
            var limits = ServiceLimits()
            (limits.pingInterval, limits.pingTimeout) = (0.05, 0.5)
            let test = try TestService(in: folder, limits: limits)
            let phone = try await Phone(test, 4, try test.key("phone", [.relay]))
            for _ in 0..<4 {
                #expect(await phone.poll() == "2")
                #expect(await phone.send("3").status == 200)
            }
            #expect(await phone.poll() == "2")
            #expect(await phone.poll() == "1")
            #expect(await phone.ask("GET", id: phone.id).status == 401)
        }
    }

    @Test("a silent phone of Engine.IO 2 and 3 is let go", arguments: [2, 3])
    func silence(version: Int) async throws {
        try await withTemporaryFolder { folder in
            var limits = ServiceLimits()
            (limits.pingInterval, limits.pingTimeout) = (0.1, 0.1)
            let test = try TestService(in: folder, limits: limits)
            let phone = try await Phone(test, version, try test.key("phone", [.relay]))
            #expect(await phone.poll().hasSuffix("1"))
        }
    }

    @Test("what is no packet is answered or refused, never a crash, and the next phone is served", arguments: 2...4)
    func mutants(version: Int) async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let key = try test.key("phone", [.relay])
            var phone = try await Phone(test, version, key)
            var generator = SplitMix64(seed: UInt64(version))
            let packets = [
                Phone.sample("4.995", at: 0), "2probe", "40", "41", "3", "6", "42[\"/BLEDisconnect\"]", "42[\"x\",1,2]",
                "421[\"message\",{\"amplitude\":4.9,\"time\":\"\"}]",
                "451-[\"message\",{\"_placeholder\":true,\"num\":0}]",
                "40/other,", "42/other,[\"message\"]", "b4AAEC", "430[]", "44\"x\"", "42", "42[]", "42[1]", "4", "",
                "99",
            ]
            for _ in 0..<1_000 {
                let chosen = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                    packets.randomElement(using: &generator) ?? ""
                }
                var bytes: [UInt8]
                if version == 4 {
                    bytes = Array(chosen.joined(separator: "\u{1E}").utf8)
                } else if Bool.random(using: &generator) {
                    bytes = Array(chosen.map { "\($0.utf16.count):\($0)" }.joined().utf8)
                } else {
                    bytes = chosen.flatMap { packet -> [UInt8] in
                        [0] + String(packet.utf8.count).utf8.map { $0 - 0x30 } + [255] + Array(packet.utf8)
                    }
                }
                for _ in 0..<Int.random(in: 0...4, using: &generator) where !bytes.isEmpty {
                    let place = Int.random(in: bytes.indices, using: &generator)
                    switch Int.random(in: 0...3, using: &generator) {
                    case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                    case 1: bytes.remove(at: place)
                    case 2: bytes.insert(bytes[place], at: place)
                    default: bytes.removeLast(bytes.count - place)
                    }
                }
                let answer = await phone.send(bytes: bytes)
                #expect([200, 400, 401].contains(answer.status))
                // It said that it leaves.
                if answer.status == 401 { try await phone.connect() }
            }
            try await phone.connect()
            #expect(await phone.send(Phone.sample("4.995", at: 0)).status == 200)
            #expect(await phone.poll().contains(#"42["node.js",{"statusCode":""#))
        }
    }
}
