import Foundation
import Service
import Study
import TestSupport
import Testing

/// The service without sockets: who may do what, and what is said about requests that are not in order.
struct StudyServiceTests {
    @Test func everyRouteRefusesWhoHasNoKeyOrTheWrongOne() async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let operations = try await test.operations()
            #expect(operations.count >= 20)
            for operation in operations where operation.needsKey {
                for key in [nil, AccessToken(), AccessToken("marey_")] {
                    let answer = await test.ask(operation.method, operation.path, [:], key: key)
                    #expect(answer.status == 401, "\(operation)")
                    #expect(answer.type == "application/problem+json")
                    #expect(answer.headers["WWW-Authenticate"] == "Bearer")
                }
            }
            let open = Set(operations.filter { !$0.needsKey }.map(\.path))
            #expect(open == ["/", "/health", "/openapi.json", "/open/x"])
        }
    }

    @Test func aKeyWithoutTheRightChangesAndReadsNothing() async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let none = try test.key("none", [])
            for operation in try await test.operations() where operation.needsKey {
                #expect(await test.ask(operation.method, operation.path, [:], key: none).status == 403, "\(operation)")
            }
            let reader = try test.key("reader", [.read])
            let body: JSONValue = ["participant": "01"]
            #expect(await test.ask("POST", "/api/participants", body, key: reader).status == 403)
            #expect(await test.ask("GET", "/api/participants", key: reader).json["items"]?.list == [])
        }
    }

    @Test func aKeyThatIsTakenBackIsRefusedAtOnce() async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let key = try test.key("tablet", [.read])
            #expect(await test.ask("GET", "/api/sessions", key: key).status == 200)
            #expect(try test.bookkeeping.revokeKey("tablet", at: TestService.now()))
            #expect(await test.ask("GET", "/api/sessions", key: key).status == 401)
            #expect(try test.bookkeeping.revokeKey("tablet", at: TestService.now()) == false)
        }
    }

    @Test func keysAreNotInTheStudysFiles() throws {
        try withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let secret = try test.key("tablet", [.read]).text
            let files = try FileManager.default.subpathsOfDirectory(atPath: test.study.root.path)
            for file in files {
                let data = (try? Data(contentsOf: test.study.root.appendingPathComponent(file))) ?? Data()
                #expect(data.range(of: Data(secret.utf8)) == nil, "\(file)")
            }
        }
    }

    @Test(arguments: [
        ("GET", "/nothing", 404), ("GET", "/api/sessions/", 404), ("GET", "/api/sessions/x", 404),
        ("GET", "/api/sessions/0", 404), ("GET", "/api/sessions/01", 404), ("GET", "/api/sessions/99", 404),
        ("DELETE", "/api/sessions", 405), ("HEAD", "/api/live/events", 405), ("POST", "/api/participants", 415),
        ("GET", "/api/sessions/99999999999999999999999", 404), ("POST", "/api/sessions/7/finish", 404),
        ("HEAD", "/nothing", 404), ("HEAD", "/open/x", 405), ("HEAD", "/api/relay/socket", 405),
        ("HEAD", "/api/participants/", 404), ("HEAD", "/api/sessions/7/finish", 405),
    ])
    func whatIsNotThereIsSaid(method: String, path: String, status: Int) async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let answer = await test.ask(method, path)
            #expect(answer.status == status)
            #expect(answer.json["status"]?.integer == status)
            if status == 405 { #expect(answer.headers["Allow"]?.isEmpty == false) }
        }
    }

    @Test(arguments: [
        (#"{"participant": "01", "devices": []}"#, "devices"),
        (#"{"participant": "0 1", "devices": ["x"]}"#, "letters"),
        (#"{"devices": ["x"]}"#, "participant"), (#"{"participant": "01", "devices": ["x"], "more": 1}"#, "more"),
        (#"{"participant": "01", "devices": ["nothing@A0"]}"#, "nothing"), (#"[1]"#, "object"), ("{", "JSON"),
        (#"{"participant": "01", "devices": ["polar"], "duration": -1}"#, "duration"),
    ])
    func aSessionThatMakesNoSenseNamesWhatWould(text: String, hint: String) async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let request = ServiceRequest(
                "POST", "/api/sessions",
                headers: [
                    "authorization": "Bearer \(test.service.token.text)", "content-type": "application/json",
                ], body: Data(text.utf8))
            let answer = await test.service.respond(to: request)
            #expect(answer.status == 400)
            #expect(answer.json["detail"]?.text?.contains(hint) == true, "\(answer.json)")
            #expect(try test.bookkeeping.runs().isEmpty)
        }
    }

    @Test func bodiesThatAreTooLongAreRefused() async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let request = ServiceRequest(
                "POST", "/api/participants", headers: ["authorization": "Bearer \(test.service.token.text)"], body: nil)
            #expect(await test.service.respond(to: request).status == 413)
        }
    }

    @Test func whoAsksTooOftenIsToldToWait() async throws {
        try await withTemporaryFolder { folder in
            var limits = ServiceLimits()
            (limits.rate, limits.burst) = (0.001, 3)
            let test = try TestService(in: folder, limits: limits)
            for _ in 0..<3 { #expect(await test.ask("GET", "/health", key: nil).status == 200) }
            let answer = await test.ask("GET", "/health", key: nil)
            #expect(answer.status == 429)
            #expect(answer.headers["Retry-After"].flatMap { Int($0) } ?? 0 > 0)
            // Others are not held up.
            #expect(await test.ask("GET", "/api/sessions").status == 200)
        }
    }

    @Test("a program with a wrong key keeps neither the page nor other requests from its address")
    func wrongKeysAreCountedApart() async throws {
        try await withTemporaryFolder { folder in
            var limits = ServiceLimits()
            (limits.rate, limits.burst) = (0.001, 3)
            let test = try TestService(in: folder, limits: limits)
            for _ in 0..<4 { _ = await test.ask("GET", "/health", key: AccessToken()) }
            #expect(await test.ask("GET", "/health", key: AccessToken()).status == 429)
            #expect(await test.ask("GET", "/health", key: nil).status == 200)
            for _ in 0..<4 { _ = await test.ask("GET", "/health", key: nil) }
            #expect(await test.ask("GET", "/health", key: nil).status == 429)
            #expect(await test.ask("GET", "/", key: nil).status == 200)
            #expect(await test.ask("GET", "/open/x", key: nil).status == 404)
        }
    }

    @Test func participantsAreAddedOnce() async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            for _ in 0..<2 {
                #expect(await test.ask("POST", "/api/participants", ["participant": "07"]).status == 201)
            }
            let items = await test.ask("GET", "/api/participants").json["items"]?.list
            #expect(items == [["participant": "07", "sessions": 0]])
            let table = try String(contentsOf: test.study.participants, encoding: .utf8)
            #expect(table.split(separator: "\n").count { $0.hasPrefix("sub-07") } == 1)
        }
    }

    @Test("a key that may not read is not told whether somebody took part before")
    func participantsBefore() async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let name = try #require(RunName(subject: "07"))
            try test.bookkeeping.noteRun(name, file: "a.xdf", sha256: nil, status: .finished, at: TestService.now())
            let recorder = try test.key("recorder", [.record])
            let both = try test.key("both", [.read, .record])
            func added(_ label: String, _ key: AccessToken) async -> JSONValue {
                await test.ask("POST", "/api/participants", ["participant": .text(label)], key: key).json
            }
            #expect(await added("07", recorder) == ["participant": "07"])
            #expect(await added("08", recorder) == ["participant": "08"])
            #expect(await added("07", both) == ["participant": "07", "sessions": 1])
        }
    }

    @Test func aSessionThatAnotherProgramRecordsIsNotInterrupted() async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let (name, file) = (try #require(RunName(subject: "01")), "sourcedata/sub-01/sub-01_ecg.xdf")
            let url = test.study.root.appendingPathComponent(file)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("x".utf8).write(to: url)
            try test.bookkeeping.noteRun(name, file: file, sha256: nil, status: .running, at: TestService.now())
            func session() async throws -> JSONValue {
                try #require(await test.ask("GET", "/api/sessions").json["items"]?.list?.first)
            }
            let descriptor = open(url.path, O_RDONLY)
            try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
            let recorded = try await session()
            #expect(recorded["isRunning"] == false && recorded["isInterrupted"] == false)
            close(descriptor)
            #expect(try await session()["isInterrupted"] == true)
        }
    }

    @Test(
        "while another program keeps the bookkeeping to itself the answer says what to do",
        .enabled(if: DatabaseUser.isPossible, "python3 is not installed"))
    func bookkeepingInUse() async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let other = try DatabaseUser(of: test.study.database, "BEGIN IMMEDIATE")
            let answer = await test.ask("POST", "/api/participants", ["participant": "07"])
            try other.end()
            #expect(answer.status == 503 && answer.json["reason"] == "study")
            let detail = try #require(answer.json["detail"]?.text)
            #expect(detail.contains("locked; ") && !detail.contains(folder.path), "\(detail)")
            #expect(await test.ask("POST", "/api/participants", ["participant": "07"]).status == 201)
        }
    }

    @Test func thePageRunsItsOwnScriptAlone() async throws {
        try await withTemporaryFolder { folder in
            let answer = try await TestService(in: folder).ask("GET", "/", key: nil)
            #expect(answer.status == 200)
            let policy = try #require(answer.headers["Content-Security-Policy"])
            #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'sha256-"))
            let page = String(decoding: answer.data, as: UTF8.self)
            #expect(!page.contains("http://") || !page.contains("src=\"http"))
        }
    }
}
