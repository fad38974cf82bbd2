public import Signals

/// Detects the silence of a stream of a known rate, from the arrival times of its samples. This is the one rule for gaps, verdicts
/// and the end of live values.
package struct StreamSilence: Sendable {
    /// The minimum silence in seconds and in expected samples; the longer of the two counts.
    package static let minimum: Seconds = 2
    package static let samples = 5.0
    /// The minimum silence before the first sample of a connection, in seconds.
    package static let beginning: Seconds = 5
    /// The minimum silence in lengths of the typical message.
    private static let messages = 1.5

    /// Hz.
    private let rate: Double
    /// Lengths of the last two messages, seconds. The shorter one is typical: a delayed message may be longer.
    private var lengths: (last: Seconds, before: Seconds) = (0, 0)
    private var hasBegun = false
    private var isSuspended = false
    /// The arrival of the last sample, or the beginning of the wait for the first, seconds from the recording's start.
    package private(set) var since: Seconds
    /// The last moment at which `expect` was called.
    private var expected: Seconds = -.infinity
    /// True while the silence is reported as a gap.
    package private(set) var isOpen = false

    /// A stream of `rate` Hz, above 0, that is expected from `moment` on.
    package init(rate: Double, at moment: Seconds) {
        (self.rate, since) = (rate, moment)
    }

    /// The silence, in seconds, that counts as a gap.
    package var limit: Seconds {
        let typical = Swift.min(lengths.last, lengths.before)
        let limit = Swift.max(Self.minimum, Self.samples / rate, Self.messages * typical)
        return hasBegun ? limit : Swift.max(limit, Self.beginning)
    }

    /// Takes the number of samples of one message.
    /// - Returns: true when that closes a gap.
    package mutating func hear(_ count: Int, at moment: Seconds) -> Bool {
        lengths = (Double(count) / rate, lengths.last)
        (hasBegun, isSuspended) = (true, false)
        since = Swift.max(since, moment)
        defer { isOpen = false }
        return isOpen
    }

    /// Samples are expected from now on: the device is connected, or continues after a pause.
    package mutating func expect(at moment: Seconds) {
        (hasBegun, isSuspended) = (false, false)
        if !isOpen { since = moment }
        expected = moment
    }

    /// No sample is expected for now: the user paused or disconnected the device.
    /// - Returns: true when that closes a gap.
    package mutating func suspend() -> Bool {
        isSuspended = true
        defer { isOpen = false }
        return isOpen
    }

    /// The moment from which the stream is silent when nothing comes.
    package var due: Seconds { Swift.max(since, expected) + limit }

    /// Returns true when the stream is silent at a moment.
    package func isSilent(at moment: Seconds) -> Bool { !isSuspended && moment >= due }

    /// Returns true when a gap opens now.
    package mutating func wait(until moment: Seconds) -> Bool {
        guard !isOpen, isSilent(at: moment) else { return false }
        isOpen = true
        return true
    }
}

/// A gap in the arrival of a stream of a known rate. The recording has a gap there when samples are missing, and none when
/// they only came late.
public struct StreamGap: Hashable, Sendable {
    /// The stream's index.
    public var stream: Int
    /// The device of the stream.
    public var device: String
    /// True when the gap opens, false when it closes.
    public var isOpen: Bool
    /// The last arrival before the gap, seconds from the recording's start.
    public var since: Seconds
    /// The cause.
    public var cause: Cause

    /// The causes of gaps.
    public enum Cause: String, Hashable, Sendable, Codable {
        /// The device is connected and sends nothing.
        case silent
        /// The device is not connected.
        case deviceLost
    }

    /// A gap of a stream.
    public init(stream: Int, device: String, isOpen: Bool, since: Seconds, cause: Cause) {
        (self.stream, self.device, self.isOpen) = (stream, device, isOpen)
        (self.since, self.cause) = (since, cause)
    }
}
