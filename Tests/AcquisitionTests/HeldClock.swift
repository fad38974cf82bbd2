import DeviceTestSupport
import Devices
import Signals
import Synchronization

/// A clock that stands still until it is released, and runs fast from then on.
final class HeldClock: HostClock {
    private struct State {
        var running: ScaledClock?
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let speed: Double
    private let origin = SystemClock().now
    private let wallOrigin = SystemClock().wallClock
    private let state = Mutex(State())

    init(speed: Double) {
        self.speed = speed
    }

    func release() {
        let waiting = state.withLock { state in
            guard state.running == nil else { return [CheckedContinuation<Void, Never>]() }
            state.running = ScaledClock(speed: speed)
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiting in waiting { waiting.resume() }
    }

    /// Seconds since the release; 0 before.
    private var elapsed: Seconds {
        guard let running = state.withLock({ $0.running }) else { return 0 }
        return running.now - running.start
    }

    var now: Seconds { origin + elapsed }
    var wallClock: Timestamp { wallOrigin + elapsed }

    func sleep(until moment: Seconds) async throws {
        await withCheckedContinuation { continuation in
            let isRunning = state.withLock { state in
                if state.running == nil { state.waiting.append(continuation) }
                return state.running != nil
            }
            if isRunning { continuation.resume() }
        }
        guard let running = state.withLock({ $0.running }) else { return }
        try await running.sleep(until: running.start + moment - origin)
    }
}
