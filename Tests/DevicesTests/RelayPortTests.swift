import Devices
import Signals
import Synchronization
import TestSupport
import Testing

/// A clock that does something once when it is looked at.
private final class ExpectantClock: HostClock {
    private let work = Mutex<(@Sendable () -> Void)?>(nil)

    /// What happens when somebody looks next.
    func expect(_ body: @escaping @Sendable () -> Void) { work.withLock { $0 = body } }

    var now: Seconds {
        let body = work.withLock { work in
            defer { work = nil }
            return work
        }
        body?()
        return 0
    }

    var wallClock: Timestamp { Timestamp(secondsSince1970: 0) }
    func sleep(until moment: Seconds) async throws { try Task.checkCancellation() }
}

@Suite(.timeLimit(patience)) struct RelayPortTests {
    private func text(_ event: LinkEvent?) -> String? {
        guard case .received(let bytes, _, _)? = event else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("what comes while a link is being closed is not kept for the next one")
    func closingLink() async throws {
        let clock = ExpectantClock()
        let port = RelayPort(place: "the relay", clock: clock)
        let take = { @Sendable (amplitude: String) in
            port.take(RelaySample(amplitude: amplitude, time: "2026-11-27T12:00:00Z"))
        }
        take("1.000")
        let link = try await port.connect()
        #expect(text(await link.next())?.contains("1.000") == true)
        // The moment of the end is looked up while the link closes.
        clock.expect { take("2.000") }
        await link.close()
        guard case .closed? = await link.next() else {
            Issue.record("the link has no end")
            return
        }
        let isConnected = Atomic(false)
        let next = Task {
            defer { isConnected.store(true, ordering: .relaxed) }
            return try await port.connect()
        }
        while !isConnected.load(ordering: .relaxed) {
            take("3.000")
            await Task.yield()
        }
        #expect(text(await (try next.value).next())?.contains("3.000") == true)
    }
}
