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
