public import Signals

/// The heart rate over time, from pulse wave and acceleration.
public struct PulseRateTrend: Sendable {
    /// The source's name.
    public var name: String
    /// One row per window with the columns `onset`, `duration`, `heartRate`, `confidence` and, where there is acceleration,
    /// `movement`.
    public var windows: Table
    /// The spans of time that move, in order of time, none touching another.
    public var moving: [Range<Seconds>]
    /// True where an accelerometer measures the movement.
    public var hasAcceleration: Bool

    /// A trend from windows and the spans that move.
    public init(name: String, windows: Table, moving: [Range<Seconds>], hasAcceleration: Bool) {
        self.name = name
        self.windows = windows
        self.moving = moving
        self.hasAcceleration = hasAcceleration
    }

    /// Spans joined where they overlap or touch.
    static func joined(_ spans: [Range<Seconds>]) -> [Range<Seconds>] {
        spans.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { joined, span in
            if let last = joined.last, span.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, span.upperBound)
            } else {
                joined.append(span)
            }
        }
    }
}
