/// The values of a sliding window in rising order.
struct SortedWindow {
    private(set) var values: [Double] = []

    init(capacity: Int) {
        values.reserveCapacity(capacity + 1)
    }

    mutating func insert(_ value: Double) {
        values.insert(value, at: place(of: value))
    }

    /// Removes one value equal to `value`, which must be there.
    mutating func remove(_ value: Double) {
        values.remove(at: min(place(of: value), values.count - 1))
    }

    /// Removes one value equal to `old`, which must be there, and inserts `new`: what lies between moves by one place.
    mutating func replace(_ old: Double, with new: Double) {
        guard !values.isEmpty else { return values.append(new) }
        var hole = min(place(of: old), values.count - 1)
        values.withUnsafeMutableBufferPointer { values in
            while hole + 1 < values.count, values[hole + 1] < new {
                values[hole] = values[hole + 1]
                hole += 1
            }
            while hole > 0, values[hole - 1] > new {
                values[hole] = values[hole - 1]
                hole -= 1
            }
            values[hole] = new
        }
    }

    mutating func removeAll() {
        values.removeAll(keepingCapacity: true)
    }

    /// The quartile deviation of a normal distribution as wide as these sizes (absolute values) are; 0 for none.
    ///
    /// There are two estimates: the median of the sizes, which for a symmetric distribution is the quartile deviation
    /// itself, and their upper quartile, scaled. The first bears more artefacts, the second tells a regular oscillation
    /// from a wide spread; the smaller counts. Of a wave without artefacts it is the larger: one that repeats after three
    /// or four values takes so few of them that the median may be next to nothing.
    func quartileDeviation(isWave: Bool) -> Double {
        guard !values.isEmpty else { return 0 }
        let (median, upper) = (median, Self.upperQuartileScale * sortedQuantile(values, 0.75))
        return isWave ? max(median, upper) : min(median, upper)
    }

    /// Ratio of the 75th to the 87.5th percentile of the standard normal distribution.
    private static let upperQuartileScale = 0.674_489_750 / 1.150_349_380

    var median: Double { sortedQuantile(values, 0.5) }

    /// Index of the first value that is not below `value`.
    private func place(of value: Double) -> Int {
        var (low, high) = (0, values.count)
        while low < high {
            let middle = (low + high) / 2
            if values[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
