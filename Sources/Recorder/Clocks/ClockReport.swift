public import Signals

/// What was measured of a stream's clock, for the sidecar and for people.
public struct ClockReport: Hashable, Sendable, Codable {
    /// What the stream's times rest on: `deviceTime`, `counter`, `arrival`, `beats` or `host`.
    public var clock: String
    /// Parts per million by which the device goes slow (its second is longer than the host's).
    public var drift: Double
    /// Hz, measured on the host's clock; nil for irregular streams.
    public var measuredRate: Double?
    /// Scatter of the messages' delays in seconds: the jitter.
    public var jitter: Seconds
    /// Mean delay in seconds over the earliest messages: the residual of the fitted line.
    public var residual: Seconds
    /// The longest delay in seconds.
    public var longestDelay: Seconds
    /// How often the clock or the counter began anew.
    public var restarts: Int
    /// Jumps of the clock, the first hundred.
    public var jumps: [Jump]
    /// Frames that the device measured and that never arrived.
    public var lost: Int
    /// Frames that came a second time, or after their place was given up.
    public var repeated: Int

    /// A clock that went by more than time did.
    public struct Jump: Hashable, Sendable, Codable {
        /// Seconds from the recording's start.
        public var onset: Seconds
        /// Seconds by which it jumped.
        public var by: Seconds
    }

    init(clock: String) {
        self.clock = clock
        (drift, jitter, residual, longestDelay, restarts, jumps, lost, repeated) = (0, 0, 0, 0, 0, [], 0, 0)
    }

    mutating func jumped(_ onset: Seconds, by jump: Seconds) {
        if jumps.count < 100 { jumps.append(Jump(onset: onset, by: jump)) }
    }

    /// - Parameter delay: how much later than by the fit messages arrived.
    mutating func measure(_ fit: ClockFit, delay: DelayStatistics, nominalRate: Double) {
        drift = fit.drift * 1e6
        measuredRate = nominalRate > 0 ? nominalRate / (1 + fit.drift) : nil
        (jitter, residual, longestDelay) = (delay.deviation, delay.mean, delay.largest)
    }
}
