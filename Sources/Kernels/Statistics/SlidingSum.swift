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
    private var block: [Double]
    private var place = 0
    private var prefix = 0.0

    /// An empty window of `window` values.
    /// - Precondition: at least 1.
    public init(window: Int) {
        precondition(window > 0, "a window holds at least one value")
        self.window = window
        block = Array(repeating: 0, count: window + 1)
    }

    /// The mean of the last `count` values, not a number for none.
    public var mean: Double { sum / Double(count) }

    /// Takes in the next value, lets the oldest go from a full window, and gives the new sum.
    @discardableResult
    public mutating func push(_ value: Double) -> Double {
        withUnsafePointer(to: value) { push($0, nil, 1) { $0 } }
        return sum
    }

    /// Takes in `values` and gives the sum after each: the same as one by one, several times faster.
    /// - Precondition: as many sums as values.
    public mutating func push(_ values: Span<Double>, sums: inout MutableSpan<Double>) {
        precondition(values.count == sums.count, "a sum for each value")
        values.withUnsafeBufferPointer { values in
            sums.withUnsafeMutableBufferPointer { sums in
                guard let from = values.baseAddress else { return }
                push(from, sums.baseAddress, values.count) { $0 }
            }
        }
    }

    /// As for doubles; the sums are of doubles still.
    /// - Precondition: as many sums as values.
    public mutating func push(_ values: Span<Float>, sums: inout MutableSpan<Double>) {
        precondition(values.count == sums.count, "a sum for each value")
        values.withUnsafeBufferPointer { values in
            sums.withUnsafeMutableBufferPointer { sums in
                guard let from = values.baseAddress else { return }
                push(from, sums.baseAddress, values.count) { Double($0) }
            }
        }
    }

    /// Empties the window.
    public mutating func reset() {
        self = SlidingSum(window: window)
    }

    @inline(__always)
    private mutating func push<Value>(
        _ values: UnsafePointer<Value>, _ sums: UnsafeMutablePointer<Double>?, _ total: Int,
        _ double: (Value) -> Double
    ) {
        let window = window
        var (done, place, prefix, sum) = (0, place, prefix, sum)
        block.withUnsafeMutableBufferPointer { block in
            guard let block = block.baseAddress else { return }
            while done < total {
                let size = min(window - place, total - done)
                for index in 0..<size {
                    let value = double(values[done + index])
                    prefix += value
                    block[place + index] = value
                    sum = block[place + index + 1] + prefix
                    if let sums { sums[done + index] = sum }
                }
                place += size
                done += size
                if place == window {
                    Self.turn(block, window)
                    (place, prefix) = (0, 0)
                }
            }
        }
        (self.place, self.prefix, self.sum) = (place, prefix, sum)
        count = min(window, count + total)
    }

    /// The block is full: its suffix sums take its place.
    private static func turn(_ block: UnsafeMutablePointer<Double>, _ window: Int) {
        var suffix = 0.0
        for index in stride(from: window - 1, through: 0, by: -1) {
            suffix += block[index]
            block[index] = suffix
        }
    }
}
