import Formats
import Foundation
import Service
import Signals
import Study
import TestSupport
import Testing

/// Single devices of a check and of a session, connected and disconnected, with simulated wristbands behind TCP.
@Suite(.timeLimit(.minutes(3))) struct DeviceRouteTests {
    /// Runs `body` with a service, and the addresses of two wristbands.
    private func withWristbands(_ body: (TestService, String, String) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            try await Wristband.served { left in
                try await Wristband.served { right in try await body(test, "left=" + left, "right=" + right) }
            }
        }
    }

    private func connect(_ test: TestService, _ device: String) async -> ServiceResponse {
        await test.ask("POST", "/api/devices/connect", ["device": .text(device)])
    }

    private func disconnect(_ test: TestService, _ device: String) async -> ServiceResponse {
        await test.ask("POST", "/api/devices/disconnect", ["device": .text(device)])
    }

    /// Each device with its state, as it is shown.
    private func states(_ test: TestService) async -> [String: String] {
        let devices = await test.ask("GET", "/api/live").json["devices"]?.list ?? []
        return Dictionary(
            devices.map { ($0["device"]?.text ?? "", $0["state"]?.text ?? "") }, uniquingKeysWith: { $1 })
    }

    /// Waits until a pulse says that a stream has so many samples.
    private func until(_ stream: String, has count: Int, _ told: Subscription) async {
        _ = await told.text { text in
            text.matches(of: #/"count":(\d+)[^{}]*"stream":"([^"]*)"/#).contains {
                $0.2 == stream && Int($0.1) ?? 0 > count
            }
        }
    }

    @Test("a key takes no files of the machine from elsewhere than the study")
    func files() async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let key = try test.key("assistant", [.record])
            let elsewhere = [
                "methodscript@/dev/null,script=/etc/passwd", "replay@/etc/passwd", "methodscript@/etc/passwd",
            ]
            for device in elsewhere + ["replay@\(folder.path)/study/../log.bytes"] {
                let wish: JSONValue = ["participant": "01", "devices": [.text(device)]]
                for path in ["/api/check", "/api/sessions"] {
                    let body: JSONValue = path == "/api/check" ? ["devices": [.text(device)]] : wish
                    let answer = await test.ask("POST", path, body, key: key)
                    #expect(answer.status == 403 && answer.reason == "file", "\(device)")
                }
                #expect(
                    await test.ask("POST", "/api/devices/connect", ["device": .text(device)], key: key).reason == "file"
                )
            }
            // Whoever started the service may, and a log of the study is no secret.
            #expect(await test.ask("POST", "/api/check", ["devices": [.text(elsewhere[1])]]).reason != "file")
        }
    }

    @Test(
        "a key reaches no terminal or other device file over what is no serial port of a device",
        arguments: [
            "/dev/pts/0", "/dev/tty", "/dev/tty1", "/dev/fd/0", "/dev/shm/x", "/dev/null", "/dev/console", "ttyUSB0",
            "/dev/serial/by-id/../../pts/0", "/dev/ttyUSB0/../pts/0", "STUDY/port",
        ])
    func terminals(place: String) async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let key = try test.key("assistant", [.record])
            let port = test.study.root.appendingPathComponent("port")
            try FileManager.default.createSymbolicLink(atPath: port.path, withDestinationPath: "/dev/ttyUSB0")
            let device = "methodscript@" + place.replacing("STUDY", with: test.study.root.path)
            for (path, body) in [
                ("/api/check", ["devices": [.text(device)]] as JSONValue),
                ("/api/sessions", ["participant": "01", "devices": [.text(device)]]),
                ("/api/devices/connect", ["device": .text(device)]),
            ] {
                let answer = await test.ask("POST", path, body, key: key)
                #expect(answer.status == 403 && ["port", "file"].contains(answer.reason), "\(path): \(answer.json)")
            }
            #expect(try test.bookkeeping.runs().isEmpty)
        }
    }

    @Test("a session's device is disconnected and connected again: a gap that says so, and the other device goes on")
    func session() async throws {
        try await withWristbands { test, left, right in
            #expect(await connect(test, left).reason == "notRunning")
            #expect(await disconnect(test, "left").reason == "notRunning")
            let told = try await test.follow("none")
            let wish: JSONValue = ["participant": "01", "devices": [.text(left), .text(right)]]
            let id = try #require(await test.ask("POST", "/api/sessions", wish).json["id"]?.integer)
            await until("left-bvp", has: 60, told)
            await until("right-bvp", has: 60, told)
            for answer in [await connect(test, "ankle"), await disconnect(test, "ankle")] {
                #expect(answer.status == 400 && answer.json["detail"]?.text?.contains("left, right") == true)
            }
            // A session has the devices that it was begun with.
            #expect(await connect(test, "third=empatica-e4@127.0.0.1:1").status == 400)
            #expect(await disconnect(test, "left").status == 204)
            _ = await told.text { $0.contains("disconnectedUponRequest") }
            #expect(await states(test) == ["left": "disconnectedUponRequest", "right": "connected"])
            for _ in 0..<3 { _ = await told.text { $0.contains("event: pulse") } }
            #expect(await states(test)["left"] == "disconnectedUponRequest")
            // By its address, which need not tell its name.
            #expect(await connect(test, String(left.dropFirst(5))).status == 202)
            _ = await told.text { $0.contains("\"device\":\"left\"") && $0.contains("\"state\":\"connected\"") }
            let before = await test.ask("GET", "/api/sessions/\(id)/time").json["t"]?.number ?? .nan
            while await test.ask("GET", "/api/sessions/\(id)/time").json["t"]?.number ?? 0 < before + 2 {
                _ = await told.text { $0.contains("event: pulse") }
            }
            #expect(await test.ask("POST", "/api/sessions/\(id)/finish").status == 202)
            #expect(await connect(test, "left").reason == "notRunning")
            await test.service.close()
            let run = try #require(try test.bookkeeping.runs().first)
            let recording = try Recording(reading: XDFReader(test.study.root.appendingPathComponent(run.file)))
            func gaps(_ name: String) -> [Gap] {
                recording.streams.filter { $0.header.name == name }.flatMap(\.segments).compactMap(\.start.gap)
            }
            let gap = try #require(gaps("left-bvp").first { $0.reason == .disconnectedUponRequest })
            #expect(gap.duration > 1.5)
            #expect(!gaps("right-bvp").contains { $0.reason == .disconnectedUponRequest })
        }
    }

    @Test("a check takes in one more device and lets one go; a session without devices has those of the check")
    func check() async throws {
        try await withWristbands { test, left, right in
            let told = try await test.follow("none")
            let wish: JSONValue = ["participant": "01", "needsCheck": true]
            #expect(await test.ask("POST", "/api/sessions", wish).reason == "notChecked")
            #expect(await test.ask("POST", "/api/check", ["devices": [.text(left)]]).status == 202)
            #expect(await connect(test, "nothing@A0").status == 400)
            #expect(await disconnect(test, "right").status == 400)
            #expect(await connect(test, right).status == 202)
            while await states(test) != ["left": "connected", "right": "connected"] {
                _ = await told.text { $0.contains("event: pulse") }
            }
            let both: JSONValue = ["participant": "01", "needsCheck": true, "devices": [.text(left)]]
            #expect(await test.ask("POST", "/api/sessions", both).reason == "notChecked")
            #expect(await disconnect(test, "left").status == 204)
            _ = await told.text { $0.contains("disconnectedUponRequest") }
            var started = await test.ask("POST", "/api/sessions", wish)
            while ["qaNotPassed", "notConnected"].contains(started.reason) {
                _ = await told.text { $0.contains("event: pulse") }
                started = await test.ask("POST", "/api/sessions", wish)
            }
            #expect(started.status == 201, "\(started.json)")
            while await states(test) != ["right": "connected"] { _ = await told.text { $0.contains("event: pulse") } }
            await test.service.close()
            #expect(try test.bookkeeping.runs().count == 1)
        }
    }

    @Test("a device that was taken away from a check is back in it when it is connected again")
    func backInTheCheck() async throws {
        try await withWristbands { test, left, right in
            let told = try await test.follow("none")
            #expect(await test.ask("POST", "/api/check", ["devices": [.text(left), .text(right)]]).status == 202)
            #expect(await disconnect(test, "left").status == 204)
            #expect(await connect(test, "left").status == 202)
            while await states(test) != ["left": "connected", "right": "connected"] {
                _ = await told.text { $0.contains("event: pulse") }
            }
            #expect(await test.ask("POST", "/api/sessions", ["participant": "01", "needsCheck": false]).status == 201)
            while await states(test) != ["left": "connected", "right": "connected"] {
                _ = await told.text { $0.contains("event: pulse") }
            }
            await test.service.close()
        }
    }
}
