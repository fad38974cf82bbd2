import Cardiac
import Kernels
import Signals

extension CardiacResult {
    /// What whoever uses the variability should know where several intervals in a row are twice as long as those before
    /// and after them: hearts seldom do that, detectors that miss every other beat do, and correction takes what lasts for
    /// a rhythm of its own. Nil where there are none.
    public var doubledRemark: String? {
        let runs = DoubledIntervals.runs(of: nn)
        guard let first = runs.first else { return nil }
        let count = runs.reduce(0) { $0 + $1.count }
        let place = runs.count == 1 ? "from" : "in \(runs.count) places, the first from"
        let onset = (nn[first.lowerBound].onset * 10).rounded() / 10
        return """
            \(count) intervals \(place) \(onset) s on are twice as long as those before and after them, as where beats are \
            missed, and count as they are\(source.kind == .ibi ? "" : " (--edits adds beats that a person sees)")
            """
    }
}

/// Looks for intervals that are suddenly twice as long, and suddenly as before again.
enum DoubledIntervals {
    /// Fewer in a row are corrected, more are a rate of their own.
    private static let lengths = 3...60
    /// How many intervals before tell the usual length, at the least and at the most.
    private static let (fewest, most) = (4, 9)
    /// Multiples of the usual length that are as of a missed beat or two.
    private static let multiples = 1.6...3.4

    /// Places in `series`, in order.
    static func runs(of series: [NN]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var place = 1
        var start = 0
        while place < series.count {
            if !series[place].isContiguous { start = place }
            guard place - start >= fewest, series[place].duration >= multiples.lowerBound * series[place - 1].duration
            else {
                place += 1
                continue
            }
            let usual = Statistics.median(series[max(start, place - most)..<place].map(\.duration))
            var end = place
            while end < series.count, end == place || series[end].isContiguous,
                multiples.contains(series[end].duration / usual)
            {
                end += 1
            }
            if end < series.count, series[end].isContiguous, lengths.contains(end - place),
                series[end].duration * multiples.lowerBound <= series[end - 1].duration,
                series[end].duration > usual / multiples.lowerBound
            {
                runs.append(place..<end)
            }
            place = max(end, place + 1)
        }
        return runs
    }
}
