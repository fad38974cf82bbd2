import Foundation
import Service
import Study
import TestSupport
import Testing

/// A session from beginning to end, as a client of the service sees it, with a simulated wristband behind TCP.
@Suite(.timeLimit(.minutes(2))) struct LiveSessionServiceTests {
    @Test func aSessionIsStartedWatchedTaggedFinishedAndComputed() async throws {
        try await withTemporaryFolder { folder in
            try await Wristband.served { place in
                let test = try TestService(in: folder)
                let wish: JSONValue = ["participant": "01", "task": "rest", "devices": [.text(place)]]
                let started = await test.ask("POST", "/api/sessions", wish)
                #expect(started.status == 201, "\(started.json)")
                let id = try #require(started.json["id"]?.integer)
                #expect(started.headers["Location"] == "/api/sessions/\(id)")
                #expect(await test.ask("POST", "/api/sessions", wish).reason == "sessionRunning")

                let display = try await test.follow("display")
                let text = await display.text { $0.contains("event: samples") && $0.contains("event: pulse") }
                #expect(text.hasPrefix("event: state\n"))
                #expect(text.contains("\"kind\":\"bvp\"") || text.contains("\"stream\":\"empatica-e4"))

                let tags: JSONValue = ["tags": [["label": "stimulus", "t": 0.5]], "stream": "calibration"]
                #expect(await test.ask("POST", "/api/sessions/\(id)/tags", tags).status == 204)
                let time = await test.ask("GET", "/api/sessions/\(id)/time").json["t"]?.number ?? 0
                #expect(time > 0.5 && time < 60)
                #expect(await test.ask("POST", "/api/sessions/\(id)/finish").status == 202)
                #expect(await test.ask("POST", "/api/sessions/\(id)/finish").reason == "notRunning")
                _ = await display.text { $0.contains("\"session\":null") }
                let run = try #require(try test.bookkeeping.runs().first)
                #expect(run.status == .finished && run.sha256 != nil)
                let items = await test.ask("GET", "/api/sessions/\(id)/files").json["items"]?.list ?? []
                #expect(items.contains { $0["name"] == "recording.xdf" })
                #expect(items.contains { $0["name"] == "provenance.json" })
                await test.service.close()
            }
        }
    }

    @Test(
        "when a session is over, what is left to do about copies of its files is told with the next command, until the next"
    )
    func copiesAreAsked() async throws {
        try await withTemporaryFolder { folder in
            try await Wristband.served { place in
                let test = try TestService(in: folder)
                let told = try await test.follow("none")
                func record() async throws -> [JSONValue] {
                    let wish: JSONValue = ["participant": "01", "devices": [.text(place)]]
                    let id = try #require(await test.ask("POST", "/api/sessions", wish).json["id"]?.integer)
                    #expect(await test.ask("GET", "/api/live").json["notes"]?.list == [])
                    // Of a session in which nothing arrived there is nothing to copy.
                    _ = await told.text { $0.contains(/"count":[1-9]/) }
                    #expect(await test.ask("POST", "/api/sessions/\(id)/finish").status == 202)
                    let end = await told.text {
                        $0.components(separatedBy: "analyzing").dropFirst().contains { $0.contains("\"session\":null") }
                    }
                    let notes = await test.ask("GET", "/api/live").json["notes"]?.list ?? []
                    #expect(end.contains("marey upload"))
                    return notes
                }
                let asked = try await record()
                let text = try #require(asked.first?.text)
                #expect(asked.count == 1 && text.contains("marey upload") && text.contains("--to REMOTE:PATH"))
                #expect(text.contains(test.study.root.relativePath))
                // Once a place is known it is not asked for.
                let run = try #require(try test.bookkeeping.runs().first)
                try test.bookkeeping.queueUploads(of: [run.file], run: run.id, to: "far:study", at: TestService.now())
                let queued = try await record()
                #expect(queued.count == 1 && queued[0].text?.contains("queued for far:study") == true)
                await test.service.close()
            }
        }
    }

    @Test func aDeviceIsPausedAndGoesOn() async throws {
        try await withTemporaryFolder { folder in
            try await Wristband.served { place in
                let test = try TestService(in: folder)
                let told = try await test.follow("none")
                let wish: JSONValue = ["participant": "01", "devices": [.text("wrist=" + place)]]
                let id = try #require(await test.ask("POST", "/api/sessions", wish).json["id"]?.integer)
                let path = "/api/sessions/\(id)/commands"
                _ = await told.text { $0.contains("wrist-bvp") }
                let unknown = await test.ask("POST", path, ["command": "pause", "device": "ankle"])
                #expect(unknown.status == 400 && unknown.json["detail"]?.text?.contains("wrist") == true)
                #expect(await test.ask("POST", path, ["command": "halt"]).status == 400)
                // What is asked before it streams is not done.
                var text = ""
                while !text.contains("\"paused\":true") {
                    #expect(await test.ask("POST", path, ["command": "pause", "device": "wrist"]).status == 204)
                    text = await told.text { $0.contains("event: pulse") || $0.contains("\"paused\":true") }
                }
                #expect(await test.ask("POST", path, ["command": "resume"]).status == 204)
                _ = await told.text { $0.contains("\"paused\":false") }
                #expect(await test.ask("POST", "/api/sessions/\(id)/finish").status == 202)
                #expect(await test.ask("POST", path, ["command": "pause"]).reason == "notRunning")
                await test.service.close()
            }
        }
    }

    @Test func nobodyIsSentSignalsUnlessTheyLook() async throws {
        try await withTemporaryFolder { folder in
            try await Wristband.served { place in
                let test = try TestService(in: folder)
                let quiet = try await test.follow("none")
                let full = try await test.follow("full")
                _ = await test.ask("POST", "/api/sessions", ["participant": "01", "devices": [.text(place)]])
                let all = await full.text { $0.contains("event: samples") }
                #expect(!all.contains("\"bin\""))
                let id = try #require(await test.ask("GET", "/api/live").json["session"]?["id"]?.integer)
                #expect(await test.ask("POST", "/api/sessions/\(id)/finish").status == 202)
                let some = await quiet.text { $0.contains("event: finished") }
                #expect(some.contains("event: stream") && !some.contains("event: samples"))
                await test.service.close()
                #expect(await test.ask("GET", "/api/service").json["clients"] == 0)
            }
        }
    }

    @Test func aCheckJudgesTheSignalsAndRecordsNothing() async throws {
        try await withTemporaryFolder { folder in
            try await Wristband.served { place in
                let test = try TestService(in: folder)
                let wish: JSONValue = ["participant": "01", "devices": [.text(place)], "needsCheck": true]
                #expect(await test.ask("POST", "/api/sessions", wish).reason == "notChecked")
                let quiet = try await test.follow("none")
                #expect(await test.ask("POST", "/api/check", ["devices": [.text(place)]]).status == 202)
                let text = await quiet.text { $0.contains("\"passed\":true") }
                #expect(text.contains("\"phase\":\"checking\""))
                #expect(try test.bookkeeping.runs().isEmpty)
                #expect(await test.ask("POST", "/api/sessions/0/finish").status == 404)
                var started = await test.ask("POST", "/api/sessions", wish)
                // A computer that is busy enough loses the wristband for a moment.
                while started.reason == "notConnected" {
                    try await Task.sleep(for: .milliseconds(50))
                    started = await test.ask("POST", "/api/sessions", wish)
                }
                #expect(started.status == 201, "\(started.json)")
                await test.service.close()
                let names = try FileManager.default.subpathsOfDirectory(atPath: test.study.root.path)
                #expect(names.count { $0.hasSuffix(".xdf") } == 1)
            }
        }
    }

    @Test func aFollowerTooManyIsRefusedUntilOneLeaves() async throws {
        try await withTemporaryFolder { folder in
            var limits = ServiceLimits()
            limits.clients = 1
            let test = try TestService(in: folder, limits: limits)
            var first: Subscription? = try await test.follow("display")
            #expect(await test.ask("GET", "/api/live/events").reason == "tooManyClients")
            withExtendedLifetime(first) {}
            first = nil
            #expect(await test.ask("GET", "/api/live/events").status == 200)
        }
    }
}
