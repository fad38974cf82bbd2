import Foundation
import Service
import Study
import TestSupport
import Testing

/// The ECG relay over plain HTTP.
struct RelayTests {
    /// R waves so many seconds apart; returns the last answer.
    private func beats(_ test: TestService, every interval: Double, count: Int, key: AccessToken) async -> JSONValue {
        var last = JSONValue.null
        for beat in 0..<count {
            for (amplitude, delay) in [("4.300", 0.0), ("7.000", 0.1), ("4.300", 0.2)] {
                let milliseconds = Int(((Double(beat) * interval + delay) * 1_000).rounded())
                let digits = String(100_000 + milliseconds).dropFirst()
                let text = "2015-01-16T15:00:\(digits.prefix(2)).\(digits.suffix(3))Z"
                last = await test.ask(
                    "POST", "/api/relay/messages", ["amplitude": .text(amplitude), "time": .text(text)], key: key
                ).json
            }
        }
        return last
    }

    @Test func answersAreTextsAndSendersDoNotMix() async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let (calm, quick) = (try test.key("calm", [.relay]), try test.key("quick", [.relay]))
            #expect(await beats(test, every: 1, count: 10, key: calm) == ["heartRate": "60", "statusCode": "200"])
            #expect(await beats(test, every: 0.75, count: 10, key: quick) == ["heartRate": "80", "statusCode": "404"])
            let state = await test.ask("GET", "/api/relay", key: calm).json
            #expect(state["status"] == "NSR")
            #expect(state["statuses"] == ["0": "N/A", "200": "NSR", "404": "ARR"])
        }
    }

    @Test func anEventIsAChangeToAbnormalAndCanBeDeleted() async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let key = try test.key("phone", [.relay])
            _ = await beats(test, every: 0.75, count: 12, key: key)
            #expect(await test.ask("GET", "/api/relay", key: key).json["events"]?.list?.count == 1)
            #expect(await test.ask("POST", "/api/relay/disconnect", key: key).status == 204)
            #expect(await test.ask("GET", "/api/relay", key: key).json["connected"] == false)
            _ = await beats(test, every: 0.75, count: 12, key: key)
            #expect(await test.ask("GET", "/api/relay", key: key).json["events"]?.list?.count == 2)
            #expect(await test.ask("DELETE", "/api/relay/events/1", key: key).status == 204)
            #expect(await test.ask("DELETE", "/api/relay/events/1", key: key).status == 404)
            let left = await test.ask("GET", "/api/relay", key: key).json["events"]?.list
            #expect(left?.map { $0["id"] } == [2])
        }
    }

    @Test("a key sees and deletes the events of its own samples; a key that may read sees all, the owner deletes all")
    func eventsOfOtherKeys() async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let (first, second) = (try test.key("first", [.relay]), try test.key("second", [.relay]))
            let reader = try test.key("reader", [.relay, .read])
            for key in [first, second] { _ = await beats(test, every: 0.75, count: 12, key: key) }
            func seen(_ key: AccessToken) async -> [Int] {
                let events = await test.ask("GET", "/api/relay", key: key).json["events"]?.list ?? []
                return events.compactMap { $0["id"]?.integer }
            }
            func delete(_ event: Int, _ key: AccessToken) async -> Int {
                await test.ask("DELETE", "/api/relay/events/\(event)", key: key).status
            }
            let owner = test.service.token
            #expect(await seen(first) == [1])
            #expect(await seen(second) == [2])
            #expect(await delete(1, second) == 404)
            #expect(await seen(reader) == [1, 2])
            #expect(await delete(1, reader) == 403)
            #expect(await seen(owner) == [1, 2])
            #expect(await delete(1, first) == 204)
            #expect(await delete(2, owner) == 204)
            #expect(await seen(owner).isEmpty)
        }
    }

    @Test(arguments: ["", "abc", "NaN"])
    func whatIsNoAmplitudeIsRefused(text: String) async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let body: JSONValue = ["amplitude": .text(text), "time": "2015-01-16T15:30:23.050Z"]
            #expect(await test.ask("POST", "/api/relay/messages", body).status == 400)
        }
    }
}
