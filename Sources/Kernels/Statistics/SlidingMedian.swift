/// The median, other quantiles and the median absolute deviation of the last `window` values of a signal.
///
/// The window is kept sorted: a new value is found its place by bisection and only what lies between it and the one
/// that leaves is moved. Values that are not a number take up room in the window but are passed over.
public struct SlidingMedian: Sendable {
    /// How many values the window holds.
    public let window: Int
    /// The values in order of arrival, around a ring.
    private var ring: [Float]
    private var oldest = 0
    /// How many values the window holds now, missing ones included.
    public private(set) var count = 0
    private var sorted: SortedWindow

    /// An empty window of `window` values.
    /// - Precondition: at least 1.
    public init(window: Int) {
        precondition(window > 0, "a window holds at least one value")
        self.window = window
        ring = Array(repeating: 0, count: window)
        sorted = SortedWindow(capacity: window)
    }

    /// How many values of the window are numbers.
    public var present: Int { sorted.count }

    /// The median of the window, the mean of the middle two for an even number; not a number when it holds none.
    public var median: Float { sorted.median }

    /// The median distance from the median (unscaled), not a number when the window holds no number.
    public var medianAbsoluteDeviation: Float { sorted.medianAbsoluteDeviation }

    /// The `probability` quantile (0…1) with linear interpolation, not a number when the window holds none.
    public func quantile(_ probability: Double) -> Float { sorted.quantile(probability) }

    /// Takes in the next value, lets the oldest go from a full window, and gives the new median.
    @discardableResult
    public mutating func push(_ value: Float) -> Float {
        if count == window {
            sorted.replace(ring[oldest], with: value)
            ring[oldest] = value
            oldest = oldest + 1 == window ? 0 : oldest + 1
        } else {
            let place = oldest + count
            ring[place < window ? place : place - window] = value
            count += 1
            sorted.replace(.nan, with: value)
        }
        return median
    }

    /// Lets the oldest value go without a new one, and gives the new median: for the end of a signal.
    @discardableResult
    public mutating func removeOldest() -> Float {
        if count > 0 {
            sorted.replace(ring[oldest], with: .nan)
            oldest = oldest + 1 == window ? 0 : oldest + 1
            count -= 1
        }
        return median
    }

    /// Empties the window.
    public mutating func reset() {
        self = SlidingMedian(window: window)
    }

    /// The median around each sample, of `window` values, fewer at both ends (the window is cut there, not padded).
    /// - Precondition: an odd `window`.
    public static func centred(_ samples: [Float], window: Int) -> [Float] {
        precondition(window % 2 == 1, "an odd window")
        let half = window / 2
        var sliding = SlidingMedian(window: window)
        var medians: [Float] = []
        medians.reserveCapacity(samples.count)
        for (index, sample) in samples.enumerated() {
            let median = sliding.push(sample)
            if index >= half { medians.append(median) }
        }
        for index in medians.count..<samples.count {
            while sliding.count > samples.count - max(0, index - half) { sliding.removeOldest() }
            medians.append(sliding.median)
        }
        return medians
    }
}

/// Numbers in rising order, of which one is replaced at a time.
struct SortedWindow: Sendable {
    private var values: [Float]
    private(set) var count = 0

    init(capacity: Int) {
        values = Array(repeating: 0, count: capacity)
    }

    var median: Float {
        guard count > 0 else { return .nan }
        let (low, high) = (values[(count - 1) / 2], values[count / 2])
        return low + (high - low) / 2
    }

    /// Takes `old` away and puts `new` in; a value that is not a number stands for none.
    mutating func replace(_ old: Float, with new: Float) {
        let count = count
        let change = values.withUnsafeMutableBufferPointer { values -> Int in
            guard let base = values.baseAddress else { return 0 }
            if old.isNaN {
                if new.isNaN { return 0 }
                let place = Self.lowerBound(base, count, new)
                (base + place + 1).update(from: base + place, count: count - place)
                base[place] = new
                return 1
            }
            let leaves = Self.lowerBound(base, count, old)
            if new.isNaN {
                (base + leaves).update(from: base + leaves + 1, count: count - leaves - 1)
                return -1
            }
            let place = Self.lowerBound(base, count, new)
            if place > leaves {
                (base + leaves).update(from: base + leaves + 1, count: place - 1 - leaves)
                base[place - 1] = new
            } else {
                (base + place + 1).update(from: base + place, count: leaves - place)
                base[place] = new
            }
            return 0
        }
        self.count += change
    }

    /// How many of the sorted values are below `value`, without a branch that could be guessed wrong.
    @inline(__always)
    private static func lowerBound(_ base: UnsafeMutablePointer<Float>, _ count: Int, _ value: Float) -> Int {
        var (first, length) = (0, count)
        while length > 1 {
            let half = length / 2
            first += base[first + half - 1] < value ? half : 0
            length -= half
        }
        return first + (length == 1 && base[first] < value ? 1 : 0)
    }

    func quantile(_ probability: Double) -> Float {
        guard count > 0, probability >= 0, probability <= 1 else { return .nan }
        let place = probability * Double(count - 1)
        let low = Int(place)
        let high = min(low + 1, count - 1)
        let (a, b) = (Double(values[low]), Double(values[high]))
        return Float(a + (b - a) * (place - Double(low)))
    }

    var medianAbsoluteDeviation: Float {
        guard count > 0 else { return .nan }
        let centre = median
        let low = distance((count - 1) / 2, from: centre)
        if count % 2 == 1 { return low }
        let high = distance(count / 2, from: centre)
        return low + (high - low) / 2
    }

    /// The distance of rank `rank` from `centre`: the `rank` + 1 nearest values lie side by side, so their first is
    /// found by bisection.
    private func distance(_ rank: Int, from centre: Float) -> Float {
        var (low, high) = (0, count - 1 - rank)
        while low < high {
            let middle = (low + high) / 2
            if values[middle + rank] - centre >= centre - values[middle] { high = middle } else { low = middle + 1 }
        }
        let here = max(centre - values[low], values[low + rank] - centre)
        guard low > 0 else { return here }
        return min(here, max(centre - values[low - 1], values[low - 1 + rank] - centre))
    }
}
