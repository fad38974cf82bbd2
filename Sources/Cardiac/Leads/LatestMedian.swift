/// The median of the latest values.
struct LatestMedian {
    private var values = SIMD16<Double>.zero
    private var next = 0
    /// How many values there are, 16 at most.
    private(set) var count = 0

    mutating func note(_ value: Double) {
        values[next % 16] = value
        next = (next + 1) % 16
        count = min(count + 1, 16)
    }

    /// Of an even number, the lower middle one; 0 before the first.
    var median: Double {
        for index in 0..<count {
            var below = 0
            var atMost = 0
            for other in 0..<count {
                if values[other] < values[index] { below += 1 }
                if values[other] <= values[index] { atMost += 1 }
            }
            if below <= (count - 1) / 2, atMost > (count - 1) / 2 { return values[index] }
        }
        return 0
    }

    /// The median where at least half of sixteen values are within `reach` of it: what is usual. Else 0.
    func usual(within reach: Double) -> Double {
        guard count == 16 else { return 0 }
        let median = median
        var near = 0
        for index in 0..<16 where abs(values[index] - median) <= reach { near += 1 }
        return near >= 8 ? median : 0
    }
}
