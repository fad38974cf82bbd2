/// The median of the latest intervals between beats.
struct UsualInterval {
    /// In seconds; nil before the first.
    private(set) var interval: Double?
    /// Up to eight intervals, a ring once there are so many, and the same in order of size.
    private var latest: InlineArray<8, Double> = .init(repeating: 0)
    private var ordered: InlineArray<8, Double> = .init(repeating: 0)
    private var count = 0

    /// A beat came `interval` seconds after the one before.
    mutating func note(_ interval: Double) {
        var filled = min(count, 8)
        if filled == 8 {
            // The oldest gives its place up.
            var place = 0
            while place < 7, ordered[place] != latest[count % 8] { place += 1 }
            while place < 7 {
                ordered[place] = ordered[place + 1]
                place += 1
            }
            filled = 7
        }
        var place = filled
        while place > 0, ordered[place - 1] > interval {
            ordered[place] = ordered[place - 1]
            place -= 1
        }
        ordered[place] = interval
        latest[count % 8] = interval
        count += 1
        // Of an even number the upper middle one: a false beat halves intervals.
        self.interval = ordered[(filled + 1) / 2]
    }
}
