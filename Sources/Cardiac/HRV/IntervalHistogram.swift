/// The histogram of NN intervals that the geometrical indexes are read from: bins of 1/128 s, the first edge at 0.
/// Task Force 1996, "Geometrical methods".
struct IntervalHistogram {
    /// Width of a bin in ms.
    static let binWidth = 1_000.0 / 128

    /// How many intervals fall into each bin, from the shortest interval's bin to the longest's.
    private(set) var counts: [Double]

    /// The histogram of intervals in ms, in rising order.
    init(_ sorted: [Double]) {
        let places = sorted.map { Int(min(($0 / Self.binWidth).rounded(.down), 1e6)) }
        guard let first = places.first, let last = places.last else {
            counts = []
            return
        }
        // Intervals beyond 30 s are no heart beats; their bins would only cost memory.
        let widest = 30 * 128
        counts = Array(repeating: 0, count: min(last - first, widest) + 1)
        for place in places { counts[min(place - first, widest)] += 1 }
    }

    /// Count of the highest bin.
    var height: Double { counts.max() ?? 0 }

    /// Base of the best-fitting triangle in ms.
    ///
    /// The triangle stands on bin centres: it is zero at N and beyond on the left, at M and beyond on the right, and
    /// as high as the highest bin at that bin. The two sides are fitted one by one, as their errors add up.
    var triangleBase: Double? {
        guard let peak = counts.indices.max(by: { counts[$0] < counts[$1] }), counts.count > 1 else { return nil }
        let right = Self.foot(of: Array(counts[peak...]))
        let left = Self.foot(of: Array(counts[...peak].reversed()))
        return Double(left + right) * Self.binWidth
    }

    /// How many bins from the first one (the peak) the best-fitting straight side reaches zero.
    private static func foot(of side: [Double]) -> Int {
        var best = (foot: 1, error: Double.infinity)
        for foot in 1...side.count {
            var error = 0.0
            for (bin, count) in side.enumerated() {
                let line = bin < foot ? side[0] * (1 - Double(bin) / Double(foot)) : 0
                error += (count - line) * (count - line)
            }
            if error < best.error { best = (foot, error) }
        }
        return best.foot
    }
}
