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

    @Test(arguments: ["", "abc", "NaN"])
    func whatIsNoAmplitudeIsRefused(text: String) async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let body: JSONValue = ["amplitude": .text(text), "time": "2015-01-16T15:30:23.050Z"]
            #expect(await test.ask("POST", "/api/relay/messages", body).status == 400)
        }
    }
}
