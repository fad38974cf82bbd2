public import Signals

/// How long to wait before a connection is tried again: longer each time, up to a limit.
public struct Reconnection: Hashable, Sendable, Codable {
    /// Seconds before the first new attempt.
    public var first: Seconds
    /// By how much longer each further wait is.
    public var factor: Double
    /// The longest wait, seconds.
    public var longest: Seconds
    /// Seconds a connection must last to count as made: one that breaks sooner is one more failure in a row.
    public var steady: Seconds = 5
    /// How many attempts in a row may fail before the device is given up; nil: never.
    public var attempts: Int?

    /// Waits of 0.5 s, 1 s, 2 s … 15 s, without end: a session lasts until somebody ends it.
    public init(first: Seconds = 0.5, factor: Double = 2, longest: Seconds = 15, attempts: Int? = nil) {
        self.first = first
        self.factor = factor
        self.longest = longest
        self.attempts = attempts
    }

    /// Where the device comes of itself: waits for it again at once.
    public static var listening: Reconnection { Reconnection(first: 0) }

    /// For a recorded log: on to its next connection at once, until there is none.
    public static var replay: Reconnection {
        var reconnection = Reconnection(first: 0, attempts: 2)
        reconnection.steady = 0
        return reconnection
    }

    /// Seconds to wait after so many attempts in a row failed, at least 1; nil: give up.
    public func wait(afterFailures failures: Int) -> Seconds? {
        if let attempts, failures >= attempts { return nil }
        var wait = first
        for _ in 1..<Swift.max(1, Swift.min(failures, 64)) { wait = Swift.min(wait * factor, longest) }
        return Swift.min(wait, longest)
    }
}
