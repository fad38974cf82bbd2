import Dispatch
import Foundation
import Service
import Signals
import Study
import Synchronization
import TestSupport
import Testing

/// A wall clock at which whoever asks it next stands still, once that is wanted.
private final class StoppingClock: Sendable {
    /// Told when somebody stands.
    let stopped: AsyncStream<Void>
    private let tell: AsyncStream<Void>.Continuation
    private let stopsNext = Mutex(false)
    private let released = DispatchSemaphore(value: 0)

    init() { (stopped, tell) = AsyncStream.makeStream(of: Void.self) }

    func stopNext() { stopsNext.withLock { $0 = true } }
    func goOn() { released.signal() }

    @Sendable func now() -> Timestamp {
        let stops = stopsNext.withLock { stops in
            defer { stops = false }
            return stops
        }
        if stops {
            tell.yield()
            released.wait()
        }
        return TestService.now()
    }
}

/// A session that ends while the one before it is still being computed.
@Suite(.timeLimit(.minutes(2))) struct SessionsInARowTests {
    @Test("closing waits for every session that is being computed, not only for the last")
    func computedTogether() async throws {
        try await withTemporaryFolder { folder in
            try await Wristband.served { place in
                let clock = StoppingClock()
                let test = try TestService(in: folder, now: clock.now)
                let told = try await test.follow("none")
                func start() async throws -> Int {
                    let wish: JSONValue = ["participant": "01", "devices": [.text(place)]]
                    let started = await test.ask("POST", "/api/sessions", wish)
                    let id = try #require(started.json["id"]?.integer, "\(started.json)")
                    // Of a session in which nothing arrived nothing is computed.
                    _ = await told.text { text in
                        text.components(separatedBy: "\"id\":\(id),").dropFirst().contains {
                            $0.contains(/"count":[1-9]/)
                        }
                    }
                    return id
                }
                let first = try await start()
                // The next to look at the clock is who computes the first session.
                clock.stopNext()
                #expect(await test.ask("POST", "/api/sessions/\(first)/finish").status == 202)
                for await _ in clock.stopped { break }
                let second = try await start()
                #expect(await test.ask("POST", "/api/sessions/\(second)/finish").status == 202)
                _ = await told.text { $0.contains("\"session\":null") }
                let closing = Task { () async throws -> [RunStatus] in
                    await test.service.close()
                    return try test.bookkeeping.runs().map(\.status)
                }
                // Whoever does not wait for the first is done by now.
                for _ in 0..<10_000 { await Task.yield() }
                clock.goOn()
                #expect(try await closing.value == [.finished, .finished])
            }
        }
    }
}
