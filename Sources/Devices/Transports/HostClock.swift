import Foundation
public import Signals

/// The host's clock, injected wherever time matters.
public protocol HostClock: Sendable {
    /// Seconds on a clock that never jumps (`CLOCK_MONOTONIC`).
    var now: Seconds { get }
    /// The wall clock.
    var wallClock: Timestamp { get }
    /// Waits until `moment` of `now`.
    /// - Throws: `CancellationError`.
    func sleep(until moment: Seconds) async throws
}

/// The machine's own clocks.
public struct SystemClock: HostClock {
    /// The clocks of this machine.
    public init() {}

    /// Seconds since the machine started, never jumping.
    public var now: Seconds { Self.read(CLOCK_MONOTONIC) }

    /// The wall clock, UTC.
    public var wallClock: Timestamp { Timestamp(secondsSince1970: Self.read(CLOCK_REALTIME)) }

    /// Waits until `moment` of `now`; returns at once when it has passed.
    /// - Throws: `CancellationError`.
    public func sleep(until moment: Seconds) async throws {
        let left = moment - now
        guard left > 0 else { return try Task.checkCancellation() }
        try await Task.sleep(for: .seconds(left), tolerance: .zero)
    }

    private static func read(_ clock: clockid_t) -> Seconds {
        var time = timespec()
        clock_gettime(clock, &time)
        return Seconds(time.tv_sec) + Seconds(time.tv_nsec) * 1e-9
    }
}

/// A clock that runs faster or slower than another, from the moment it was made: for simulations and replays.
public struct ScaledClock: HostClock {
    private let base: any HostClock
    private let speed: Double
    /// What it showed when it was made.
    public let start: Seconds
    private let wallStart: Timestamp

    /// A clock that shows `speed` seconds for each second of `base`.
    /// - Precondition: `speed` is above 0.
    public init(speed: Double, base: any HostClock = SystemClock()) {
        precondition(speed > 0, "a clock goes forward")
        self.base = base
        self.speed = speed
        start = base.now
        wallStart = base.wallClock
    }

    /// Seconds since this clock was made, and those of the other before that.
    public var now: Seconds { start + (base.now - start) * speed }

    /// The wall clock, as fast.
    public var wallClock: Timestamp { wallStart + (now - start) }

    /// Waits until `moment` of `now`.
    /// - Throws: `CancellationError`.
    public func sleep(until moment: Seconds) async throws {
        try await base.sleep(until: start + (moment - start) / speed)
    }
}
