/// The smallest and the largest of the last `window` values of a signal, in constant time per value.
///
/// By block-wise running extremes (van Herk 1992; Gil & Werman 1993). Values that are not a number are passed over.
public struct SlidingExtremum: Sendable {
    /// How many values the window holds.
    public let window: Int
    /// The smallest of the window, not a number when it holds none.
    public private(set) var minimum = Float.nan
    /// The largest of the window, not a number when it holds none.
    public private(set) var maximum = Float.nan
    /// Below `place` the values of this block, above it the extremes from there to the end of the one before.
    private var lows: [Float]
    private var highs: [Float]
    private var place = 0
    private var prefix = (low: Float.nan, high: Float.nan)

    /// An empty window of `window` values.
    /// - Precondition: at least 1.
    public init(window: Int) {
        precondition(window > 0, "a window holds at least one value")
        self.window = window
        lows = Array(repeating: .nan, count: window + 1)
        highs = lows
    }

    /// Takes in the next value and lets the oldest go from a full window.
    public mutating func push(_ value: Float) {
        prefix = (Self.lower(prefix.low, value), Self.higher(prefix.high, value))
        lows[place] = value
        highs[place] = value
        place += 1
        minimum = Self.lower(prefix.low, lows[place])
        maximum = Self.higher(prefix.high, highs[place])
        if place == window { turn() }
    }

    /// Empties the window.
    public mutating func reset() {
        self = SlidingExtremum(window: window)
    }

    private mutating func turn() {
        var (low, high) = (Float.nan, Float.nan)
        for index in stride(from: window - 1, through: 0, by: -1) {
            low = Self.lower(low, lows[index])
            high = Self.higher(high, highs[index])
            (lows[index], highs[index]) = (low, high)
        }
        (place, prefix) = (0, (.nan, .nan))
    }

    @inline(__always)
    private static func lower(_ a: Float, _ b: Float) -> Float { b < a || a.isNaN ? b : a }

    @inline(__always)
    private static func higher(_ a: Float, _ b: Float) -> Float { b > a || a.isNaN ? b : a }
}
