import CVectors

/// Order statistics of a window of values or of their magnitudes, several from one pass, exact: the bits of numbers are
/// in the order of the numbers, but for the sign, so counting by their first bits leaves only a few of them to be sorted
/// (radix selection; Knuth, The Art of Computer Programming 3, 5.2.5). For some hundred to some hundred thousand values.
public struct FloatRanks: Sendable {
    /// Sign, exponent and three bits of the fraction tell the bin.
    private static let shift: UInt32 = 20
    private static let bins = 4_096
    private static let size: Int32 = 0x7fff_ffff
    private static let infinity: Int32 = 0x7f80_0000

    /// Whole numbers in the order of the values.
    private var keys: [Int32] = []
    private var near: [Int32] = []
    private var areNumbers = true
    private var counts = [UInt32](repeating: 0, count: Self.bins)
    private var isCounted = false
    /// The bins that hold values.
    private var used = 0..<0

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
        if keys.count != values.count { keys = Array(repeating: 0, count: values.count) }
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
        isCounted = false
    }

    private static func bin(_ key: Int32) -> Int { Int((UInt32(bitPattern: key) ^ 0x8000_0000) >> shift) }

    private mutating func count() {
        guard !isCounted else { return }
        isCounted = true
        let (keys, before) = (keys, used)
        let (least, most) = (keys.min(), keys.max())
        used = if let least, let most { Self.bin(least)..<Self.bin(most) + 1 } else { 0..<0 }
        counts.withUnsafeMutableBufferPointer { counts in
            for bin in before { counts[bin] = 0 }
            keys.withUnsafeBufferPointer { keys in
                for key in keys { counts[Self.bin(key)] &+= 1 }
            }
        }
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
        let (bin, before) = bin(of: rank)
        gather(bin)
        return Self.value(near[rank - before])
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
        let (low, high) = expected.flatMap { neighbours(index, within: $0) } ?? neighbours(index)
        return high == low ? low : low + (high - low) * (place - Double(index))
    }

    /// The values of a rank and of the next, if there is one.
    private mutating func neighbours(_ index: Int) -> (Double, Double) {
        let (bin, before) = bin(of: index)
        gather(bin)
        let low = Double(Self.value(near[index - before]))
        guard index + 1 < keys.count else { return (low, low) }
        let next = index + 1 - before
        return (low, Double(next < near.count ? Self.value(near[next]) : value(at: index + 1)))
    }

    /// The same, if both lie in `range`.
    private mutating func neighbours(_ index: Int, within range: ClosedRange<Float>) -> (Double, Double)? {
        let below = gather(from: Self.key(range.lowerBound), to: Self.key(range.upperBound))
        let next = min(index + 1, keys.count - 1)
        guard below <= index, next < below + near.count, near.count <= max(16, keys.count / 4) else { return nil }
        near.sort()
        return (Double(Self.value(near[index - below])), Double(Self.value(near[next - below])))
    }

    /// Gathers the values whose keys lie from `low` to `high`.
    /// - Returns: how many lie below.
    private mutating func gather(from low: Int32, to high: Int32) -> Int {
        let keys = keys
        var below: Int32 = 0
        near = Array(unsafeUninitializedCapacity: keys.count) { near, count in
            keys.withUnsafeBufferPointer { keys in
                guard let from = keys.baseAddress, let to = near.baseAddress else { return }
                count = Int(marey_gather(from, Int32(keys.count), low, high, to, &below))
            }
        }
        return Int(below)
    }

    /// The bin that holds a rank, and how many values lie in those before it.
    private mutating func bin(of rank: Int) -> (bin: Int, before: Int) {
        count()
        let used = used
        var before = 0
        return counts.withUnsafeBufferPointer { counts in
            for bin in used {
                let next = before + Int(counts[bin])
                if rank < next { return (bin, before) }
                before = next
            }
            return (used.upperBound - 1, before)
        }
    }

    /// Sorts the values of a bin.
    private mutating func gather(_ bin: Int) {
        near.removeAll(keepingCapacity: true)
        near.reserveCapacity(Int(counts[bin]))
        for key in keys where Self.bin(key) == bin { near.append(key) }
        near.sort()
    }
}
