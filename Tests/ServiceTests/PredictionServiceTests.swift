import Decoding
import Foundation
import Service
import Sessions
import Signals
import Study
import TestSupport
import Testing

/// Predictions and calibrations, as clients of the service see them.
struct PredictionServiceTests {
    private static let device: JSONValue = ["empatica-e4@127.0.0.1:1"]

    private func wish(_ predictions: [String], check: Bool = false) -> JSONValue {
        [
            "participant": "01", "devices": Self.device, "predictions": .list(predictions.map { .text($0) }),
            "needsCheck": .boolean(check),
        ]
    }

    /// Everything that a request could have changed.
    private func everything(_ test: TestService) throws -> [String] {
        let files = try FileManager.default.subpathsOfDirectory(atPath: test.study.root.path)
        return files.filter { !$0.contains("sqlite") }.sorted()
            + (try test.bookkeeping.participants()) + (try test.bookkeeping.runs().map { "\($0)" })
            + (try test.bookkeeping.calibrations().map { "\($0)" })
            // Sets are told in any order.
            + (try test.bookkeeping.keys().map { key in
                "\(key.id) \(key.name) \(key.rights.map { "\($0)" }.sorted()) \(key.predictions?.sorted() ?? [])"
                    + " \(key.createdAt) \(key.revokedAt ?? .nan)"
            })
    }

    @Test(
        "sessions that cannot have their predictions are refused with the reason that no check mends, before one is asked for"
    )
    func refusals() async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let key = try test.key("tablet", [.read, .record], predictions: ["blink", "sleep", "heartRate"])
            let before = try everything(test)
            for (predictions, check, reason, status) in [
                (["focus"], false, "notAuthorised", 403), (["focus"], true, "notAuthorised", 403),
                (["sleep", "blink"], false, "excludesOthers", 400), (["blink"], true, "notChecked", 409),
                (["luck"], false, "invalid", 400), (["sleep", "blink"], true, "excludesOthers", 400),
            ] {
                let answer = await test.ask("POST", "/api/sessions", wish(predictions, check: check), key: key)
                #expect(answer.reason == reason && answer.status == status, "\(predictions): \(answer.json)")
            }
            for check in [false, true] {
                let owner = await test.ask("POST", "/api/sessions", wish(["focus"], check: check))
                #expect(owner.reason == "notCalibrated" && owner.status == 409, "\(owner.json)")
            }
            #expect(try everything(test) == before)
        }
    }

    @Test("a key sees and changes the predictions it allows, and no others")
    func limitedKeys() async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let key = try test.key("tablet", [.read, .record], predictions: ["enjoyment"])
            let change: JSONValue = ["participant": "01", "prediction": "enjoyment", "action": "register"]
            let registered = await test.ask("POST", "/api/calibrations", change, key: key)
            #expect(registered.json["status"]?.integer == 0, "\(registered.json)")
            #expect(try test.bookkeeping.calibrations().map(\.who) == ["tablet"])
            let other: JSONValue = ["participant": "01", "prediction": "visualAttention", "action": "register"]
            #expect(await test.ask("POST", "/api/calibrations", other, key: key).reason == "notAuthorised")
            #expect(
                await test.ask("POST", "/api/tasks", ["task": "visualAttention"], key: key).reason == "notAuthorised")
            let offered = await test.ask("GET", "/api/predictions", key: key).json["items"]?.list ?? []
            #expect(offered.map { $0["name"]?.text } == ["enjoyment"])
            let people = await test.ask("GET", "/api/calibrations", key: key).json["items"]?.list ?? []
            #expect(people.first?["predictions"]?.list?.map { $0["name"]?.text } == ["enjoyment"])
            #expect(await test.ask("GET", "/api/predictions").json["items"]?.list?.count == Prediction.all.count)
            #expect(await test.ask("POST", "/api/calibrations", change).reason == "calibration")
        }
    }

    @Test("only what has a calibration of its own is registered or given up, and only of somebody who is there")
    func senselessChanges() async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            for (prediction, action) in [
                ("focus", "register"), ("heartRate", "register"), ("blink", "reset"), ("enjoyment", "block"),
            ] {
                let change: JSONValue = [
                    "participant": "99", "prediction": .text(prediction), "action": .text(action),
                ]
                #expect(await test.ask("POST", "/api/calibrations", change).reason == "invalid", "\(prediction)")
            }
            #expect(try test.bookkeeping.participants().isEmpty)
        }
    }

    @Test("without a key, with a wrong one or a lesser one, no route changes anything")
    func nothingChanges() async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let reader = try test.key("reader", [.read])
            let before = try everything(test)
            let body: JSONValue = [
                "participant": "01", "prediction": "enjoyment", "action": "register", "devices": Self.device,
                "session": 1, "task": "enjoyment",
            ]
            for operation in try await test.operations() where operation.needsKey {
                for key in [nil, AccessToken()] {
                    #expect(await test.ask(operation.method, operation.path, body, key: key).status == 401)
                }
                guard operation.method != "GET" else { continue }
                let status = await test.ask(operation.method, operation.path, body, key: reader).status
                #expect([403, 404].contains(status), "\(operation) \(status)")
            }
            #expect(try everything(test) == before)
        }
    }

    @Test("a task is asked of a page that is open, within a session")
    func tasks() async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            #expect(await test.ask("POST", "/api/tasks", ["task": "enjoyment"]).reason == "notRunning")
            #expect(await test.ask("POST", "/api/tasks", ["task": "focus"]).status == 400)
        }
    }

    @Test("the lab's pictures and sounds are served by name, and nothing else is")
    func stimuli() async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            #expect(await test.ask("GET", "/api/stimuli").json["items"]?.list == [])
            let place = test.study.root.appendingPathComponent("stimuli/enjoyment")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            for name in ["b.PNG", "a.wav", "notes.txt"] {
                try Data("x".utf8).write(to: place.appendingPathComponent(name))
            }
            try FileManager.default.createSymbolicLink(
                atPath: place.appendingPathComponent("c.png").path, withDestinationPath: "/etc/passwd")
            let items = await test.ask("GET", "/api/stimuli").json["items"]?.list ?? []
            #expect(items.map { $0["name"]?.text } == ["a.wav", "b.PNG"])
            #expect(await test.ask("GET", "/api/stimuli/b.PNG").type == "image/png")
            for name in ["c.png", "notes.txt", "..%2F..%2Fparticipants.tsv"] {
                #expect(await test.ask("GET", "/api/stimuli/\(name)").status == 404)
            }
        }
    }
}
