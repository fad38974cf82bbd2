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
        withUnsafePointer(to: value) { push($0, nil, nil, 1) }
    }

    /// Takes in `values` and gives both extremes after each: the same as one by one, several times faster.
    /// - Precondition: as many extremes as values.
    public mutating func push(
        _ values: Span<Float>, minima: inout MutableSpan<Float>, maxima: inout MutableSpan<Float>
    ) {
        precondition(values.count == minima.count && values.count == maxima.count, "extremes for each value")
        values.withUnsafeBufferPointer { values in
            minima.withUnsafeMutableBufferPointer { minima in
                maxima.withUnsafeMutableBufferPointer { maxima in
                    guard let from = values.baseAddress else { return }
                    push(from, minima.baseAddress, maxima.baseAddress, values.count)
                }
            }
        }
    }

    /// Empties the window.
    public mutating func reset() {
        self = SlidingExtremum(window: window)
    }

    private mutating func push(
        _ values: UnsafePointer<Float>, _ minima: UnsafeMutablePointer<Float>?, _ maxima: UnsafeMutablePointer<Float>?,
        _ total: Int
    ) {
        let window = window
        var (done, place, prefix) = (0, place, prefix)
        var (minimum, maximum) = (minimum, maximum)
        lows.withUnsafeMutableBufferPointer { lows in
            highs.withUnsafeMutableBufferPointer { highs in
                guard let lows = lows.baseAddress, let highs = highs.baseAddress else { return }
                while done < total {
                    prefix = (Self.lower(prefix.low, values[done]), Self.higher(prefix.high, values[done]))
                    (lows[place], highs[place]) = (values[done], values[done])
                    place += 1
                    minimum = Self.lower(prefix.low, lows[place])
                    maximum = Self.higher(prefix.high, highs[place])
                    if let minima { minima[done] = minimum }
                    if let maxima { maxima[done] = maximum }
                    done += 1
                    if place == window {
                        Self.turn(lows, highs, window)
                        (place, prefix) = (0, (.nan, .nan))
                    }
                }
            }
        }
        (self.place, self.prefix, self.minimum, self.maximum) = (place, prefix, minimum, maximum)
    }

    /// The block is full: the extremes from each place to its end take its place.
    private static func turn(
        _ lows: UnsafeMutablePointer<Float>, _ highs: UnsafeMutablePointer<Float>, _ window: Int
    ) {
        var (low, high) = (Float.nan, Float.nan)
        for index in stride(from: window - 1, through: 0, by: -1) {
            low = lower(low, lows[index])
            high = higher(high, highs[index])
            (lows[index], highs[index]) = (low, high)
        }
    }

    @inline(__always)
    private static func lower(_ a: Float, _ b: Float) -> Float { b < a || a.isNaN ? b : a }

    @inline(__always)
    private static func higher(_ a: Float, _ b: Float) -> Float { b > a || a.isNaN ? b : a }
}
