/// The values of a window's indexes in the order of `HRVIndex.list`; nil where an index has none.
///
/// Ten days have thirty thousand windows of a hundred indexes: a value is kept as a bare number.
public struct HRVValues: RandomAccessCollection, Hashable, Sendable {
    /// Not a number where there is no value, which always is one.
    private var numbers: [Double] = []

    init(capacity: Int) { numbers.reserveCapacity(capacity) }

    mutating func append(_ value: Double?) { numbers.append(value ?? .nan) }

    /// 0.
    public var startIndex: Int { 0 }
    /// How many indexes there are.
    public var endIndex: Int { numbers.count }

    /// The value of the index at a place.
    public subscript(position: Int) -> Double? {
        let number = numbers[position]
        return number.isNaN ? nil : number
    }

    /// Whether the same indexes have the same values.
    public static func == (left: HRVValues, right: HRVValues) -> Bool { left.elementsEqual(right) }

    /// Mixes in the values.
    public func hash(into hasher: inout Hasher) {
        for value in self { hasher.combine(value) }
    }
}

/// Why indexes of a window have no value, in the order of `HRVIndex.list`; nil where an index has one.
///
/// Few have none, or all for one reason: only stretches of indexes without a value are kept.
public struct HRVReasons: RandomAccessCollection, Hashable, Sendable {
    /// Neighbours that have no value for the same reason.
    private struct Stretch: Hashable {
        var first: UInt16
        var last: UInt16
        var reason: HRVMissing
    }

    private var stretches: [Stretch] = []
    /// How many indexes there are.
    public private(set) var endIndex = 0

    mutating func append(_ reason: HRVMissing?) {
        let place = UInt16(endIndex)
        endIndex += 1
        guard let reason else { return }
        if let latest = stretches.indices.last, stretches[latest].reason == reason, stretches[latest].last + 1 == place
        {
            stretches[latest].last = place
        } else {
            stretches.append(Stretch(first: place, last: place, reason: reason))
        }
    }

    /// 0.
    public var startIndex: Int { 0 }

    /// Why the index at a place has no value.
    public subscript(position: Int) -> HRVMissing? {
        precondition(indices.contains(position), "a place of an index")
        return stretches.first { $0.last >= position }.flatMap { $0.first <= position ? $0.reason : nil }
    }
}
