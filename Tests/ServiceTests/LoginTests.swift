import Acquisition
import Foundation
import Pipeline
import Service
import Signals
import Study
import Synchronization
import TestSupport
import Testing

/// Links that open the page, and what keys may connect to.
@Suite(.timeLimit(.minutes(2))) struct LoginTests {
    private func exchange(_ test: TestService, _ code: String) async -> ServiceResponse {
        await test.ask("POST", "/open/\(code)", key: nil)
    }

    @Test("the code of a link works once, and gives a key that is no other")
    func owner() async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let codes = [test.service.loginCode(), test.service.loginCode()]
            #expect(codes[0] != codes[1] && codes.allSatisfy { $0.hasPrefix("code_") })
            for code in codes {
                // A code is no key.
                #expect(await test.ask("GET", "/api/service", key: AccessToken(code)).status == 401)
                let answer = await exchange(test, code)
                let key = AccessToken(try #require(answer.json["key"]?.text))
                #expect(answer.status == 201 && key.text != test.service.token.text && key.text != code)
                let about = await test.ask("GET", "/api/service", key: key)
                #expect(about.json["rights"]?.list?.count == AccessRight.allCases.count)
                #expect(await exchange(test, code).status == 404)
            }
            for wrong in ["code_", "code_none", test.service.token.text] {
                #expect(await exchange(test, wrong).status == 404)
            }
        }
    }

    @Test("whoever started the service is told when a link was used, and of no other's")
    func used() async throws {
        try await withTemporaryFolder { folder in
            let used = Mutex(0)
            let study = try StudyFolder.create(at: folder.appendingPathComponent("s"), name: "s", version: "1")
            let service = try StudyService(
                study, parameters: .init(), now: TestService.now, codeUsed: { used.withLock { $0 += 1 } })
            for code in [service.loginCode(), "code_none"] {
                _ = await service.respond(to: ServiceRequest("POST", "/open/\(code)"))
            }
            #expect(used.withLock(\.self) == 1)
        }
    }

    @Test("the last use of a key is noted, and a key that has ended is refused")
    func times() async throws {
        try await withTemporaryFolder { folder in
            let clock = Mutex(1_700_000_000.0)
            let test = try TestService(in: folder, now: { Timestamp(secondsSince1970: clock.withLock(\.self)) })
            let key = AccessToken()
            let begin = Timestamp(secondsSince1970: 1_700_000_000)
            let id = try test.bookkeeping.addKey(
                "guest", hash: key.hash, rights: [.read], predictions: nil, until: begin + 1_000, at: begin)
            func noted() throws -> AccessKey? { try test.bookkeeping.keys().first { $0.id == id } }
            #expect(try noted()?.lastUsedAt == nil && noted()?.expiresAt == 1_700_001_000)
            for (moment, status, last) in [
                (1_700_000_010.0, 200, 1_700_000_010.0), (1_700_000_020, 200, 1_700_000_010),
                (1_700_000_900, 200, 1_700_000_900), (1_700_001_000, 401, 1_700_000_900),
            ] {
                clock.withLock { $0 = moment }
                #expect(await test.ask("GET", "/api/service", key: key).status == status)
                #expect(try noted()?.lastUsedAt == last)
            }
        }
    }

    @Test("a key connects to listed places alone; whoever started the service to any")
    func places() async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            #expect(try test.bookkeeping.removeDevicePlace("*"))
            let key = try test.key("assistant", [.record])
            for device in [
                "empatica-e4@127.0.0.1:9", "polar@A0:9E:1A:00:11:22", "lsl@EEG", "arctop@10.0.0.1:1,key=x,scale=1",
            ] {
                let wishes: [(String, JSONValue)] = [
                    ("/api/check", ["devices": [.text(device)]]),
                    ("/api/sessions", ["participant": "01", "devices": [.text(device)]]),
                ]
                for (path, body) in wishes {
                    let answer = await test.ask("POST", path, body, key: key)
                    #expect(answer.status == 403 && answer.reason == "place", "\(device): \(answer.json)")
                    #expect(!String(decoding: answer.data, as: UTF8.self).contains("key=x"))
                }
            }
            // Named as a wristband that nobody serves: the place is found to be empty, not forbidden.
            #expect(try test.bookkeeping.addDevicePlace("empatica-e4@127.0.0.1:9", at: TestService.now()))
            let body: JSONValue = ["devices": ["empatica-e4@127.0.0.1:9"]]
            #expect(await test.ask("POST", "/api/check", body, key: key).status == 202)
            let more: JSONValue = ["device": "empatica-e4@127.0.0.1:10"]
            #expect(await test.ask("POST", "/api/devices/connect", more, key: key).reason == "place")
            #expect(await test.ask("POST", "/api/devices/connect", more).status == 202)
            await test.service.close()
        }
    }

    @Test(
        "a star in a listed place stands for anything, and nothing else does",
        arguments: [
            ("polar@A0:9E:1A:00:11:22", "polar@a0:9e:1a:00:11:22", true), ("polar@A0:9E:1A:00:11:22", "polar@*", true),
            ("polar@A0:9E:1A:00:11:22", "*", true), ("polar@A0:9E:1A:00:11:22", "*@A0:*:22", true),
            ("polar@A0:9E:1A:00:11:22", "polar@A0:9E:1A:00:11:2", false), ("polar@A0", "polar@A0?", false),
            ("polar@A0", "pola@A0", false), ("polar@A0", "polar", false), ("empatica-e4", "empatica-e4", true),
            ("empatica-e4", "empatica-e4@*", true), ("empatica-e4@h:1", "empatica-e4@h:1*2", false),
            ("lsl@a", "", false),
            ("lsl@aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "lsl@*a*a*a*a*a*a*a*a*a*a*a*c", false),
        ])
    func patterns(device: String, listed: String, isAt: Bool) throws {
        #expect(try DeviceAddress(device).isAt(listed) == isAt)
    }
}
