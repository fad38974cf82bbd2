import CVectors

/// Order statistics of a window of values or of their magnitudes, exact: the bits of numbers are in the order of the numbers,
/// but for the sign, so a rank is found by halving the bits that it may have, with a count of the values at each step, until
/// few are left to be compared with one another. For some hundred to some hundred thousand values.
public struct FloatRanks: Sendable {
    private static let size: Int32 = 0x7fff_ffff
    private static let infinity: Int32 = 0x7f80_0000

    /// Whole numbers in the order of the values.
    private var keys: [Int32] = []
    private var near: [Int32] = []
    private var areNumbers = true

    /// Room for values.
    public init() {}

    /// Takes `values` in place of those it held.
    public mutating func load(_ values: Span<Float>) {
        load(values) { $0 ^ ($0 >> 31 & Self.size) }
    }

    /// Takes the magnitudes of `values` in place of what it held.
    public mutating func load(magnitudesOf values: Span<Float>) {
        load(values) { $0 & Self.size }
    }

    @inline(__always)
    private mutating func load(_ values: Span<Float>, _ key: (Int32) -> Int32) {
        if keys.count != values.count {
            keys = Array(repeating: 0, count: values.count)
            near = keys
        }
        var most: Int32 = 0
        values.withUnsafeBufferPointer { values in
            keys.withUnsafeMutableBufferPointer { keys in
                for index in values.indices {
                    let bits = Int32(bitPattern: values[index].bitPattern)
                    most = max(most, bits & Self.size)
                    keys[index] = key(bits)
                }
            }
        }
        areNumbers = most <= Self.infinity
    }

    private static func value(_ key: Int32) -> Float { Float(bitPattern: UInt32(bitPattern: key ^ (key >> 31 & size))) }

    private static func key(_ value: Float) -> Int32 {
        let bits = Int32(bitPattern: value.bitPattern)
        return bits ^ (bits >> 31 & size)
    }

    /// The value of rank `rank`, from 0 for the smallest; what is not a number is beyond all numbers of its sign.
    /// - Precondition: a rank below the count.
    public mutating func value(at rank: Int) -> Float {
        precondition(keys.indices.contains(rank), "a rank below the count")
        return Self.value(Self.selected(keys, keys.count, rank, .min, .max).0)
    }

    /// The `probability` quantile with linear interpolation, as `Statistics.quantile` has it; not a number where there
    /// are no values or one of them is not a number.
    /// - Parameter expected: where it probably lies. It is found there faster, and elsewhere as well.
    /// - Precondition: a probability of 0…1.
    public mutating func quantile(_ probability: Double, expected: ClosedRange<Float>? = nil) -> Double {
        precondition(probability >= 0 && probability <= 1, "a probability")
        guard areNumbers, !keys.isEmpty else { return .nan }
        let place = probability * Double(keys.count - 1)
        let index = Int(place)
        let found =
            expected.flatMap { neighbours(index, within: $0) } ?? Self.selected(keys, keys.count, index, .min, .max)
        let (low, high) = (Double(Self.value(found.0)), Double(Self.value(found.1)))
        return high == low ? low : low + (high - low) * (place - Double(index))
    }

    /// The keys of a rank and of the next, if there is one, if both lie in `range`.
    private mutating func neighbours(_ index: Int, within range: ClosedRange<Float>) -> (Int32, Int32)? {
        let (low, high) = (Self.key(range.lowerBound), Self.key(range.upperBound))
        let (below, gathered) = gather(from: low, to: high)
        guard below <= index, min(index + 1, keys.count - 1) < below + gathered else { return nil }
        return Self.selected(near, gathered, index - below, low, high)
    }

    /// Gathers the keys from `low` to `high`.
    /// - Returns: how many lie below, and how many those are.
    private mutating func gather(from low: Int32, to high: Int32) -> (below: Int, gathered: Int) {
        let keys = keys
        var below: Int32 = 0
        let gathered = near.withUnsafeMutableBufferPointer { near in
            keys.withUnsafeBufferPointer { keys in
                guard let from = keys.baseAddress, let to = near.baseAddress else { return Int32(0) }
                return marey_gather(from, Int32(keys.count), low, high, to, &below)
            }
        }
        return (Int(below), Int(gathered))
    }

    /// Of the first `count` keys, which lie from `low` to `high`, that of a rank and that of the next, if there is one.
    private static func selected(
        _ keys: [Int32], _ count: Int, _ rank: Int, _ low: Int32, _ high: Int32
    ) -> (Int32, Int32) {
        keys.withUnsafeBufferPointer { keys in
            guard let keys = keys.baseAddress else { return (0, 0) }
            var next: Int32 = 0
            let found = marey_selected(keys, Int32(count), Int32(rank), low, high, &next)
            return (found, next)
        }
    }
}
