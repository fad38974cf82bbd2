import Formats
import Foundation
import Service
import Signals
import Study
import Synchronization
import TestSupport
import Testing

/// What a session, its check and its tasks do not let happen, with a simulated wristband behind TCP.
@Suite(.timeLimit(.minutes(2))) struct SessionGuardTests {
    private func start(_ test: TestService, _ place: String) async throws -> Int {
        let started = await test.ask("POST", "/api/sessions", ["participant": "01", "devices": [.text(place)]])
        return try #require(started.json["id"]?.integer, "\(started.json)")
    }

    private func tags(_ label: String, at moment: Double? = nil, stream: String = "calibration") -> JSONValue {
        var tag: [String: JSONValue] = ["label": .text(label)]
        tag["t"] = moment.map(JSONValue.number)
        return ["tags": .list([.object(tag)]), "stream": .text(stream)]
    }

    @Test("a session with other devices than those of the check is refused")
    func otherDevices() async throws {
        try await withTemporaryFolder { folder in
            try await Wristband.served { place in
                let test = try TestService(in: folder)
                #expect(await test.ask("POST", "/api/check", ["devices": [.text(place)]]).status == 202)
                let other: JSONValue = [
                    "participant": "01", "devices": ["empatica-e4@127.0.0.1:1"], "needsCheck": true,
                ]
                let refused = await test.ask("POST", "/api/sessions", other)
                #expect(refused.reason == "notChecked" && refused.json["detail"]?.text?.contains("other") == true)
                #expect(try test.bookkeeping.runs().isEmpty)
                await test.service.close()
            }
        }
    }

    @Test("tags of a time to come, and markers of tasks that the key does not allow, are refused")
    func refusedTags() async throws {
        try await withTemporaryFolder { folder in
            try await Wristband.served { place in
                let test = try TestService(in: folder)
                let id = try await start(test, place)
                let path = "/api/sessions/\(id)/tags"
                #expect(await test.ask("POST", path, tags("late", at: 600_000, stream: "tags")).reason == "invalid")
                let key = try test.key("tablet", [.read, .record], predictions: ["heartRate"])
                let end = "task=cognitiveWorkload event=taskEnd"
                #expect(await test.ask("POST", path, tags(end), key: key).reason == "notAuthorised")
                #expect(try test.bookkeeping.calibrations().isEmpty)
                let nameless = "task=enjoyment event=blockEnd block=Error:"
                let refused = await test.ask("POST", path, tags(nameless))
                #expect(refused.status == 400 && refused.reason == "invalid")
                // As a tag it is a word like others.
                #expect(await test.ask("POST", path, tags(end, stream: "tags"), key: key).status == 204)
                #expect(try test.bookkeeping.calibrations().isEmpty)
                let markers = await test.ask("GET", "/api/live").json["markers"]?.list ?? []
                #expect(markers.map { $0["stream"] } == ["tags"])
                await test.service.close()
            }
        }
    }

    @Test(
        "tags stay in what there is to see when a calibration task brings hundreds of markers, and tasks when tags do")
    func tagsAndTaskMarkersApart() async throws {
        try await withTemporaryFolder { folder in
            try await Wristband.served { place in
                let test = try TestService(in: folder)
                let path = "/api/sessions/\(try await start(test, place))/tags"
                func send(_ labels: [String], _ stream: String) async {
                    let tags = JSONValue.list(labels.map { ["label": .text($0)] })
                    let sent = await test.ask("POST", path, ["tags": tags, "stream": .text(stream)])
                    #expect(sent.status == 204, "\(sent.json)")
                }
                func kept(_ stream: String) async -> [String] {
                    let markers = await test.ask("GET", "/api/live").json["markers"]?.list ?? []
                    return markers.filter { $0["stream"]?.text == stream }.compactMap { $0["label"]?.text }
                }
                let task = ["task=enjoyment event=taskBegin seed=1"]
                let trials = (0..<600).map { "task=enjoyment event=trial trial=\($0)" }
                await send(["first", "second"], "tags")
                await send(task + trials, "calibration")
                #expect(await kept("tags") == ["first", "second"])
                #expect(await kept("calibration") == Array(trials.suffix(500)))
                let tags = (0..<600).map { "tag \($0)" }
                await send(tags, "tags")
                #expect(await kept("tags") == Array(tags.suffix(500)))
                #expect(await kept("calibration") == Array(trials.suffix(500)))
                #expect(await test.ask("GET", "/api/live").json["task"] == "enjoyment")
                await test.service.close()
            }
        }
    }

    @Test("a task without EEG cannot be begun; one that was done gets no model, says why, and names nobody in the log")
    func taskWithoutEEG() async throws {
        try await withTemporaryFolder { folder in
            try await Wristband.served { place in
                let complaints = Complaints()
                let test = try TestService(in: folder) { complaints.add($0) }
                let id = try await start(test, place)
                #expect(await test.ask("POST", "/api/tasks", ["task": "enjoyment"]).reason == "noStream")
                let end = tags("task=enjoyment event=taskEnd")
                #expect(await test.ask("POST", "/api/sessions/\(id)/tags", end).status == 204)
                #expect(try test.bookkeeping.calibrations().map(\.action) == ["register", "complete"])
                #expect(await test.ask("POST", "/api/sessions/\(id)/finish").status == 202)
                // Closing waits for what is being computed.
                await test.service.close()
                let last = try #require(try test.bookkeeping.calibrations().last)
                #expect(last.action == "refuse" && last.status == 0 && last.cause.contains("no EEG"), "\(last)")
                let said = complaints.all.joined(separator: "\n")
                #expect(said.contains("session \(id)"))
                #expect(!said.contains("sub-") && !said.contains(folder.lastPathComponent), "\(said)")
            }
        }
    }

    @Test("whoever did a task in a session whose recording then fails needs the calibration again, with the reason")
    func taskInAFailedSession() async throws {
        try await withTemporaryFolder { folder in
            try await Wristband.served { place in
                let complaints = Complaints()
                let test = try TestService(in: folder) { complaints.add($0) }
                let id = try await start(test, place)
                let path = "/api/sessions/\(id)/tags"
                #expect(await test.ask("POST", path, tags("task=enjoyment event=taskEnd")).status == 204)
                #expect(try test.bookkeeping.calibrations().last?.status == 1)
                // From here on the recording is refused as by a full disk.
                let file = test.study.root.appendingPathComponent(try #require(try test.bookkeeping.runs().first).file)
                try FullDisk.befall(file)
                #expect(await test.ask("POST", "/api/sessions/\(id)/finish").status == 202)
                await test.service.close()
                #expect(try test.bookkeeping.runs().map(\.status) == [.failed])
                let history = try test.bookkeeping.calibrations()
                #expect(history.map(\.action) == ["register", "complete", "refuse"])
                #expect(history.last?.status == 0 && history.last?.cause.contains("repeat the calibration") == true)
                let said = complaints.all.joined(separator: "\n")
                #expect(said.contains("session \(id)") && !said.contains("sub-"), "\(said)")
            }
        }
    }

    @Test("a second task is refused while one runs, and a session that is finished gives up the task in it")
    func oneTaskAtATime() async throws {
        try await withTemporaryFolder { folder in
            try await Wristband.served { place in
                let test = try TestService(in: folder)
                let id = try await start(test, place)
                let path = "/api/sessions/\(id)/tags"
                func task() async -> JSONValue? { await test.ask("GET", "/api/live").json["task"] }
                #expect(await task() == .null)
                let first = tags("task=enjoyment event=taskBegin seed=1")
                let second = tags("task=visualAttention event=taskBegin seed=2")
                #expect(await test.ask("POST", path, first).status == 204)
                #expect(await test.ask("POST", path, second).reason == "taskRunning")
                #expect(await test.ask("POST", "/api/tasks", ["task": "enjoyment"]).reason == "taskRunning")
                #expect(await task() == "enjoyment")
                #expect(await test.ask("POST", path, tags("task=enjoyment event=taskAborted")).status == 204)
                #expect(await task() == .null)
                #expect(await test.ask("POST", path, second).status == 204)
                #expect(await test.ask("POST", "/api/sessions/\(id)/finish").status == 202)
                await test.service.close()
                let run = try #require(try test.bookkeeping.runs().first)
                let recording = try Recording(reading: XDFReader(test.study.root.appendingPathComponent(run.file)))
                let labels = recording.markers.filter { $0.stream == "calibration" }.map(\.label)
                #expect(labels.last == "task=visualAttention event=taskAborted")
                #expect(labels.count == 4)
            }
        }
    }

    @Test(
        "a task whose page is not heard of makes way for a new one, is aborted with the reason, and is taken no more of"
    )
    func pageThatIsGone() async throws {
        try await withTemporaryFolder { folder in
            try await Wristband.served { place in
                var limits = ServiceLimits()
                (limits.rate, limits.burst, limits.pageAbsence) = (1e6, 1e6, 2)
                let test = try TestService(in: folder, limits: limits)
                let told = try await test.follow("none")
                let id = try await start(test, place)
                func send(_ label: String, _ seed: Int) async -> String? {
                    let body: JSONValue = [
                        "tags": [["label": .text(label)]], "stream": "calibration", "seed": .integer(seed),
                    ]
                    return await test.ask("POST", "/api/sessions/\(id)/tags", body).reason
                }
                func beat(_ task: String, _ seed: Int) async -> String? {
                    await test.ask("POST", "/api/tasks/beat", ["task": .text(task), "seed": .integer(seed)]).reason
                }
                #expect(await beat("enjoyment", 1) == "taskOver")
                #expect(await send("task=enjoyment event=taskBegin seed=1", 1) == nil)
                #expect(await beat("enjoyment", 2) == "taskOver")
                // As long as its page says that it is there the task goes on, however long nothing is written of it.
                let begun = await test.ask("GET", "/api/sessions/\(id)/time").json["t"]?.number ?? .nan
                while await test.ask("GET", "/api/sessions/\(id)/time").json["t"]?.number ?? 0 < begun + 3.5 {
                    #expect(await beat("enjoyment", 1) == nil)
                    _ = await told.text { $0.contains("event: pulse") }
                }
                #expect(await beat("enjoyment", 1) == nil)
                #expect(await send("task=visualAttention event=taskBegin seed=2", 2) == "taskRunning")
                while await test.ask("GET", "/api/live").json["task"] != .null {
                    _ = await told.text { $0.contains("event: pulse") }
                }
                #expect(await send("task=visualAttention event=taskBegin seed=2", 2) == nil)
                #expect(await beat("enjoyment", 1) == "taskOver")
                #expect(await send("task=enjoyment event=trial block=1 trial=1", 1) == "taskOver")
                #expect(await send("task=visualAttention event=taskEnd", 2) == nil)
                // What was sent twice because the answer got lost is no reason to say that it went wrong.
                #expect(await send("task=visualAttention event=taskEnd", 2) == nil)
                let markers = await test.ask("GET", "/api/live").json["markers"]?.list ?? []
                #expect(
                    markers.compactMap { $0["label"]?.text } == [
                        "task=enjoyment event=taskBegin seed=1", "task=enjoyment event=taskAborted reason=pageGone",
                        "task=visualAttention event=taskBegin seed=2", "task=visualAttention event=taskEnd",
                        "task=visualAttention event=taskEnd",
                    ])
                await test.service.close()
            }
        }
    }

    @Test("a key that allows some predictions is not told others as they come")
    func limitedEvents() async throws {
        try await withTemporaryFolder { folder in
            try await Wristband.served { place in
                let test = try TestService(in: folder)
                let key = try test.key("tablet", [.read], predictions: ["focus"])
                let (limited, all) = (try await test.follow("none", key: key), try await test.follow("none"))
                let id = try await start(test, place)
                _ = await all.text { $0.contains("\"event\":\"heartRate\"") }
                #expect(await test.ask("POST", "/api/sessions/\(id)/finish").status == 202)
                let told = await limited.text { $0.contains("event: finished") }
                #expect(told.contains("event: pulse"))
                for event in ["beat", "ibi", "heartRate", "hrv"] { #expect(!told.contains("\"event\":\"\(event)\"")) }
                await test.service.close()
            }
        }
    }

    @Test("whose key is taken back is told nothing any more")
    func revoked() async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let key = try test.key("tablet", [.read])
            let (theirs, own) = (try await test.follow("display", key: key), try await test.follow("display"))
            test.service.keepAlive()
            #expect(await test.ask("GET", "/api/service").json["clients"] == 2)
            #expect(try test.bookkeeping.revokeKey("tablet", at: TestService.now()))
            test.service.keepAlive()
            #expect(await theirs.text().contains("event: state"))
            #expect(await test.ask("GET", "/api/service").json["clients"] == 1)
            withExtendedLifetime(own) {}
        }
    }
}

/// A disk that is full for one file that this process writes.
private enum FullDisk {
    /// Whatever is written into the file from now on goes to `/dev/full`, which refuses it.
    static func befall(_ file: URL) throws {
        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        let wanted = file.resolvingSymlinksInPath().path
        let found = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { CInt($0) }.filter
        {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == wanted
        }
        try #require(found.count == 1)
        try #require(dup2(full, found[0]) == found[0])
    }
}

/// What a service complained of.
private final class Complaints: Sendable {
    private let texts = Mutex<[String]>([])

    func add(_ text: String) { texts.withLock { $0.append(text) } }
    var all: [String] { texts.withLock { $0 } }
}
