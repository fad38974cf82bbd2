/// The sum of the last `window` values of a signal, in constant time per value.
///
/// The signal is seen in blocks of the window's length: a window is the end of one block and the start of the next, so
/// its sum is one suffix sum plus one prefix sum, both of original values. Nothing is ever subtracted: no drift, and a
/// value that is not finite is forgotten with its window. van Herk 1992 did so for minima.
public struct SlidingSum: Sendable {
    /// How many values the window holds.
    public let window: Int
    /// How many values the sum is of: fewer than `window` at the start of the signal.
    public private(set) var count = 0
    /// The sum of the last `count` values, 0 for none.
    public private(set) var sum = 0.0
    /// Below `place` the values of this block, above it the suffix sums of the one before.
    @usableFromInline var block: [Double]
    @usableFromInline var place = 0
    @usableFromInline var prefix = 0.0

    /// An empty window of `window` values.
    /// - Precondition: at least 1.
    public init(window: Int) {
        precondition(window > 0, "a window holds at least one value")
        self.window = window
        block = Array(repeating: 0, count: window + 1)
    }

    /// The mean of the last `count` values, not a number for none.
    @inlinable public var mean: Double { sum / Double(count) }

    /// Takes in the next value, lets the oldest go from a full window, and gives the new sum.
    @discardableResult
    public mutating func push(_ value: Double) -> Double {
        prefix += value
        block[place] = value
        place += 1
        sum = block[place] + prefix
        if count < window { count += 1 }
        if place == window { turn() }
        return sum
    }

    /// Empties the window.
    public mutating func reset() {
        self = SlidingSum(window: window)
    }

    /// The block is full: its suffix sums take its place.
    private mutating func turn() {
        var suffix = 0.0
        for index in stride(from: window - 1, through: 0, by: -1) {
            suffix += block[index]
            block[index] = suffix
        }
        (place, prefix) = (0, 0)
    }
}
