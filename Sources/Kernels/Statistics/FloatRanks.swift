/// Order statistics of a window of values or of their magnitudes, several from one pass, exact: the bits of numbers are
/// in the order of the numbers, but for the sign, so counting by their first bits leaves only a few of them to be sorted
/// (radix selection; Knuth, The Art of Computer Programming 3, 5.2.5). For some hundred to some hundred thousand values.
public struct FloatRanks: Sendable {
    /// Sign, exponent and three bits of the fraction tell the bin.
    private static let shift: UInt32 = 20
    private static let bins = 4_096
    private static let sign: UInt32 = 0x8000_0000

    private var counts = [UInt32](repeating: 0, count: Self.bins)
    /// Whole numbers in the order of the values.
    private var keys: [UInt32] = []
    private var near: [UInt32] = []
    /// The bins that hold values.
    private var used = 0..<0
    private var areNumbers = true

    /// Room for values.
    public init() {}

    /// Takes `values` in place of those it held.
    public mutating func load(_ values: Span<Float>) {
        load(values) { $0 & Self.sign == 0 ? $0 | Self.sign : ~$0 }
    }

    /// Takes the magnitudes of `values` in place of what it held.
    public mutating func load(magnitudesOf values: Span<Float>) {
        load(values) { $0 | Self.sign }
    }

    @inline(__always)
    private mutating func load(_ values: Span<Float>, _ key: (UInt32) -> UInt32) {
        if keys.count != values.count { keys = Array(repeating: 0, count: values.count) }
        var areNumbers = true
        var (least, most) = (UInt32.max, UInt32.min)
        values.withUnsafeBufferPointer { values in
            keys.withUnsafeMutableBufferPointer { keys in
                for index in values.indices {
                    areNumbers = areNumbers && values[index] == values[index]
                    let key = key(values[index].bitPattern)
                    (least, most) = (min(least, key), max(most, key))
                    keys[index] = key
                }
            }
        }
        self.areNumbers = areNumbers
        count(values.isEmpty ? 0..<0 : Int(least >> Self.shift)..<Int(most >> Self.shift) + 1)
    }

    private mutating func count(_ held: Range<Int>) {
        let (keys, before) = (keys, used)
        used = held
        counts.withUnsafeMutableBufferPointer { counts in
            for bin in before { counts[bin] = 0 }
            keys.withUnsafeBufferPointer { keys in
                for key in keys { counts[Int(key >> Self.shift)] &+= 1 }
            }
        }
    }

    private static func value(_ key: UInt32) -> Float {
        Float(bitPattern: key & sign == 0 ? ~key : key ^ sign)
    }

    /// The largest; not a number where there is none or one of them is not a number.
    public var largest: Float {
        guard areNumbers, let key = keys.max() else { return .nan }
        return Self.value(key)
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
    /// - Precondition: a probability of 0…1.
    public mutating func quantile(_ probability: Double) -> Double {
        precondition(probability >= 0 && probability <= 1, "a probability")
        guard areNumbers, !keys.isEmpty else { return .nan }
        let place = probability * Double(keys.count - 1)
        let index = Int(place)
        let (bin, before) = bin(of: index)
        gather(bin)
        let low = Double(Self.value(near[index - before]))
        guard index + 1 < keys.count else { return low }
        let next = index + 1 - before
        let high = Double(next < near.count ? Self.value(near[next]) : value(at: index + 1))
        return high == low ? low : low + (high - low) * (place - Double(index))
    }

    /// The bin that holds a rank, and how many values lie in those before it.
    private func bin(of rank: Int) -> (bin: Int, before: Int) {
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
        for key in keys where Int(key >> Self.shift) == bin { near.append(key) }
        near.sort()
    }
}
