/// The median of the latest intervals between beats.
struct UsualInterval {
    /// In seconds; nil before the first.
    private(set) var interval: Double?
    /// Up to eight intervals, a ring once there are so many.
    private var latest = SIMD8<Double>.zero
    private var count = 0

    /// A beat came `interval` seconds after the one before.
    mutating func note(_ interval: Double) {
        latest[count % 8] = interval
        count += 1
        self.interval = median
    }

    /// By counting ranks; of an even number, the upper middle one: a false beat halves intervals.
    private var median: Double {
        let filled = min(count, 8)
        for index in 0..<filled {
            var below = 0
            var atMost = 0
            for other in 0..<filled {
                if latest[other] < latest[index] { below += 1 }
                if latest[other] <= latest[index] { atMost += 1 }
            }
            if below <= filled / 2, atMost > filled / 2 { return latest[index] }
        }
        return latest[0]
    }
}
