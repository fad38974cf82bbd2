public import Devices
public import Signals

/// A clock that runs faster or slower than another, from the moment it was made.
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
