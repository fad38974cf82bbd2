import Devices
import Signals

/// A clock that runs faster than the machine's, so that a minute's session takes less than a second.
struct ScaledClock: HostClock {
    let speed: Double
    private let base = SystemClock()
    private let start = SystemClock().now

    init(speed: Double) {
        self.speed = speed
    }

    var now: Seconds { 1_000 + (base.now - start) * speed }
    var wallClock: Timestamp { Timestamp(secondsSince1970: 1_700_000_000 + now) }

    func sleep(until moment: Seconds) async throws {
        try await base.sleep(until: start + (moment - 1_000) / speed)
    }
}
