import Formats
import Foundation
import Service
import Signals
import Study
import Synchronization
import TestSupport
import Testing

/// What phones send to the ECG relay, recorded by a session.
@Suite(.timeLimit(.minutes(2))) struct RecordedRelayTests {
    private func sample(_ amplitude: String, at moment: Double) -> JSONValue {
        ["amplitude": .text(amplitude), "time": .text(Timestamp(secondsSince1970: moment).description)]
    }

    private func start(_ test: TestService, _ devices: [JSONValue]) async -> ServiceResponse {
        await test.ask("POST", "/api/sessions", ["participant": "01", "devices": .list(devices)])
    }

    /// Ends the session.
    /// - Returns: its recording.
    private func finished(_ test: TestService, _ id: Int) async throws -> Recording {
        #expect(await test.ask("POST", "/api/sessions/\(id)/finish").status == 202)
        await test.service.close()
        let run = try #require(try test.bookkeeping.runs().first)
        return try Recording(reading: XDFReader(test.study.root.appendingPathComponent(run.file)))
    }

    @Test func everySampleOfTheKeyIsInTheRecordingAndItsLossIsTold() async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let (phone, other) = (try test.key("phone", [.relay]), try test.key("other", [.relay]))
            let told = try await test.follow("none")
            let started = await start(test, ["left=relay@phone"])
            let id = try #require(started.json["id"]?.integer, "\(started.json)")
            // The phone's clock is an hour ahead of this computer's.
            let begin = TestService.now().secondsSince1970 + 3_600
            var sent: [Double] = []
            func send(_ range: Range<Int>) async {
                for index in range {
                    let text = fiveCharacters(index)
                    sent.append(Double(text) ?? .nan)
                    let answer = await test.ask(
                        "POST", "/api/relay/messages", sample(text, at: begin + 0.06 * Double(index)), key: phone)
                    #expect(answer.json["statusCode"] == "200")
                }
            }
            await send(0..<40)
            let elsewhere = await test.ask("POST", "/api/relay/messages", sample("4.999", at: begin), key: other)
            #expect(elsewhere.json["heartRate"] == "65")
            #expect(await test.ask("POST", "/api/relay/disconnect", key: other).status == 204)
            _ = await told.text { $0.contains("\"state\":\"connected\"") }
            #expect(await test.ask("POST", "/api/relay/disconnect", key: phone).status == 204)
            let loss = await told.text { $0.contains("\"state\":\"disconnected\"") }
            #expect(loss.contains("\"deviceBehindServer\":false"))
            await send(40..<60)
            _ = await told.text { $0.contains("\"state\":\"connected\"") }
            let recording = try await finished(test, id)
            let stream = try #require(recording.streams.first)
            #expect(recording.streams.count == 1)
            #expect(stream.header.name == "left-ecg" && stream.header.kind == .ecg && stream.header.sampleRate == 0)
            #expect(stream.values.map { $0.values[0] } == sent)
            // All came at once: by the last of them the first were measured 2.4 s before, some before the session began.
            let onsets = stream.values.prefix(40).map(\.onset)
            #expect(zip(onsets, onsets.dropFirst()).allSatisfy { abs($1 - $0 - 0.06) < 0.005 })
            #expect(onsets.allSatisfy { (-2.5..<60).contains($0) })
        }
    }

    @Test("changes of the rhythm are hidden from keys that allow other predictions alone")
    func limitedKeys() async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let phone = try test.key("phone", [.relay])
            let limited = try test.key("tablet", [.read, .relay], predictions: ["focus"])
            let (told, theirs) = (try await test.follow("none"), try await test.follow("none", key: limited))
            let id = try #require(await start(test, ["relay@phone"]).json["id"]?.integer)
            let begin = TestService.now().secondsSince1970
            for beat in 0..<12 {
                for (amplitude, delay) in [("4.300", 0.0), ("7.000", 0.1), ("4.300", 0.2)] {
                    let moment = begin + 0.75 * Double(beat) + delay
                    _ = await test.ask("POST", "/api/relay/messages", sample(amplitude, at: moment), key: phone)
                }
            }
            _ = await told.text { $0.contains("relay status ARR") }
            #expect(await test.ask("POST", "/api/sessions/\(id)/tags", ["tags": [["label": "after"]]]).status < 300)
            let seen = await theirs.text { $0.contains("\"after\"") }
            #expect(seen.contains("\"after\"") && !seen.contains("relay status"))
            func markers(_ key: AccessToken) async -> [String?] {
                let live = await test.ask("GET", "/api/live", key: key).json
                return (live["markers"]?.list ?? []).map { $0["label"]?.text }
            }
            #expect(await markers(limited) == ["after"])
            #expect(await markers(test.service.token) == ["relay status ARR", "after"])
            #expect(await test.ask("GET", "/api/relay", key: limited).json["events"]?.list == [])
            #expect(await test.ask("GET", "/api/relay").json["events"]?.list?.count == 1)
            _ = try await finished(test, id)
        }
    }

    @Test func oneKeysPhonesAreNotMixedInOneRecording() async throws {
        try await withTemporaryFolder { folder in
            let clock = Mutex(TestService.now().secondsSince1970)
            let test = try TestService(in: folder, now: { Timestamp(secondsSince1970: clock.withLock { $0 }) })
            let key = try test.key("phone", [.relay])
            let told = try await test.follow("none")
            let started = await start(test, ["relay@phone"])
            let id = try #require(started.json["id"]?.integer, "\(started.json)")
            let now = clock.withLock { $0 }
            try await test.served { address in
                let client = try await RawClient.relay(address, key)
                defer { client.close() }
                let text = String(decoding: sample("4.111", at: now).data, as: UTF8.self)
                await client.send(RawClient.frame(text))
                #expect(await client.answer(until: "}").contains("statusCode"))
                func connected() async { _ = await told.text { $0.contains("\"state\":\"connected\"") } }
                await connected()
                func post(_ amplitude: String) async -> ServiceResponse {
                    await test.ask("POST", "/api/relay/messages", sample(amplitude, at: now + 1), key: key)
                }
                #expect(await post("4.222").reason == "otherSender")
                // One that has long been silent makes room.
                clock.withLock { $0 += 11 }
                #expect(await post("4.333").status == 200)
                await connected()
                await client.send(RawClient.frame(text))
                #expect(await client.answer(until: "}").contains("a key of its own"))
                let recording = try await finished(test, id)
                #expect(recording.streams.first?.values.map { $0.values[0] } == [4.111, 4.333])
            }
        }
    }

    @Test func aRelayNeedsAKeyThatMaySendToIt() async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            _ = try test.key("watcher", [.read])
            for device in ["relay@watcher", "relay@nobody"] {
                let answer = await start(test, [.text(device)])
                #expect(answer.status == 400 && answer.json["detail"]?.text?.contains("study keys") == true)
            }
            #expect(await start(test, ["relay", "second=relay"]).status == 400)
            #expect(try test.bookkeeping.runs().isEmpty)
        }
    }

    @Test("what a phone sends while it is disconnected is answered and not recorded, and recorded again after that")
    func disconnectedPhone() async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let phone = try test.key("phone", [.relay])
            let told = try await test.follow("none")
            let id = try #require(await start(test, ["left=relay@phone"]).json["id"]?.integer)
            let begin = TestService.now().secondsSince1970
            var sent = 0
            /// The amplitudes of so many samples more.
            func send(_ count: Int) async -> [Double] {
                var amplitudes: [Double] = []
                for index in sent..<sent + count {
                    let text = fiveCharacters(index)
                    amplitudes.append(Double(text) ?? .nan)
                    let answer = await test.ask(
                        "POST", "/api/relay/messages", sample(text, at: begin + 0.06 * Double(index)), key: phone)
                    #expect(answer.status == 200)
                }
                sent += count
                return amplitudes
            }
            func change(_ word: String) async {
                let answer = await test.ask("POST", "/api/devices/\(word)", ["device": "left"])
                #expect([202, 204].contains(answer.status), "\(answer.json)")
            }
            func state() async -> String? {
                await test.ask("GET", "/api/live").json["devices"]?.list?.first?["state"]?.text
            }
            _ = await told.text { $0.contains("\"state\":\"connecting\"") }
            var (unwanted, wanted, either) = ([Double](), [Double](), [Double]())
            for _ in 0..<2 {
                // Followed anew: what was told last tells of the disconnection before.
                let told = try await test.follow("none")
                // Once while nobody has sent anything yet.
                await change("disconnect")
                _ = await told.text { $0.contains("disconnectedUponRequest") }
                unwanted += await send(10)
                await change("connect")
                while await state() != "connected" {
                    either += await send(1)
                    // Nothing here waits for anything, and who connects needs a thread.
                    await Task.yield()
                }
                wanted += await send(20)
            }
            let recording = try await finished(test, id)
            let recorded = try #require(recording.streams.first).values.map { $0.values[0] }
            #expect(recorded.filter { !either.contains($0) } == wanted)
            #expect(unwanted.count == 20)
        }
    }
}

/// Another number for each index, of five characters, as the board writes them, however many samples are sent until it is
/// connected.
private func fiveCharacters(_ index: Int) -> String {
    if index < 5_900 { return String(format: "%.3f", 4.1 + Double(index) / 1_000) }
    if index < 14_900 { return String(format: "%.2f", 10 + Double(index - 5_900) / 100) }
    if index < 23_900 { return String(format: "%.1f", 100 + Double(index - 14_900) / 10) }
    return String(10_000 + index - 23_900)
}
