import CVectors
import Kernels

/// Distances between all pairs of patterns of ten successive intervals: recurrence quantification and correlation
/// dimension.
///
/// Euclidean distances of patterns with a lag of one interval, as in Kubios HRV (Tarvainen et al. 2014). Patterns are
/// walked through along the diagonals of the recurrence plot, where each distance follows from the last one.
struct Recurrence {
    static let dimension = 10
    static let shortestLine = 2
    /// How many diagonals are walked along side by side.
    private static let abreast = 8

    /// Percentage of pairs that lie within √10 standard deviations of each other.
    private(set) var rate = 0.0
    /// Percentage of those pairs that lie on diagonal lines.
    private(set) var determinism: Double?
    /// Mean length of these lines.
    private(set) var meanLine: Double?
    /// Greatest length of these lines.
    private(set) var longestLine: Double?
    /// Shannon entropy of the lengths of these lines, in nats.
    private(set) var lineEntropy: Double?
    /// Correlation dimension (Grassberger & Procaccia 1983): the slope of log C(r) over log r where C is 1 to 25 %.
    private(set) var correlationDimension: Double?

    init?(_ series: [Double]) {
        let patterns = series.count - Self.dimension + 1
        let deviation = Statistics.standardDeviation(series)
        guard patterns > 1, deviation > 0 else { return nil }
        let limit = Double(Self.dimension) * deviation * deviation
        var histogram = DistanceHistogram(scale: limit)
        var lines = [Int](repeating: 0, count: patterns + 1)
        let padded = series + [Double](repeating: .infinity, count: Self.abreast - 1)
        padded.withUnsafeBufferPointer { series in
            lines.withUnsafeMutableBufferPointer { lines in
                histogram.count { histogram in
                    guard let series = series.baseAddress, let lines = lines.baseAddress else { return }
                    for lag in stride(from: 1, to: patterns, by: Self.abreast) {
                        let length = patterns - lag
                        marey_walk_diagonals(series, lag, length, Int32(Self.dimension), limit, lines, histogram)
                    }
                }
            }
        }
        // What lies beyond a diagonal's end was counted as infinitely far.
        for lag in stride(from: 1, to: patterns, by: Self.abreast) {
            for lane in 1..<Self.abreast { histogram.forget(infinite: min(lane, patterns - lag)) }
        }
        summarize(lines, pairs: patterns * (patterns - 1) / 2)
        correlationDimension = histogram.slope(between: 0.01, and: 0.25)
    }

    private mutating func summarize(_ lines: [Int], pairs: Int) {
        let recurrent = lines.enumerated().reduce(0) { $0 + $1.offset * $1.element }
        rate = 100 * Double(recurrent) / Double(pairs)
        let long = lines.enumerated().dropFirst(Self.shortestLine).filter { $0.element > 0 }
        let count = long.reduce(0) { $0 + $1.element }
        guard count > 0 else { return }
        let onLines = long.reduce(0) { $0 + $1.offset * $1.element }
        determinism = 100 * Double(onLines) / Double(recurrent)
        meanLine = Double(onLines) / Double(count)
        longestLine = long.last.map { Double($0.offset) }
        lineEntropy = PatternEntropies.shannon(long.map { Double($0.element) }) * logarithm(2)
    }
}

/// How many squared distances lie below each of a row of steps, 32 to every factor of two.
struct DistanceHistogram {
    private static let octaves = 24
    private static let stepsPerOctave = 32
    private static let steps = octaves * stepsPerOctave
    private static let lowest = Int64((0x1p-20).bitPattern >> 47)
    private let scale: Double
    /// Four histograms one after another, so that neighbours in a vector need not wait for each other.
    private var counts = [Int](repeating: 0, count: 4 * steps)

    /// For distances up to some sixteen times `scale`.
    init(scale: Double) {
        self.scale = scale
    }

    /// Runs `work` with what counts into this histogram; it may not be kept.
    mutating func count(_ work: (marey_histogram) -> Void) {
        let scale = scale
        counts.withUnsafeMutableBufferPointer { counts in
            guard let base = counts.baseAddress else { return }
            work(
                marey_histogram(counts: base, scale: scale, steps: Int32(Self.steps), lowest: Int32(Self.lowest)))
        }
    }

    /// Takes back infinite distances.
    mutating func forget(infinite count: Int) { counts[Self.steps - 1] -= count }

    /// Slope of log C(r) over log r, by least squares over the steps at which C lies between two shares.
    func slope(between least: Double, and greatest: Double) -> Double? {
        var (places, shares): ([Double], [Double]) = ([], [])
        var below = 0
        let total = counts.reduce(0, +)
        for step in 0..<Self.steps - 1 {
            let count = (0..<4).reduce(0) { $0 + counts[$1 * Self.steps + step] }
            below += count
            let share = Double(below) / Double(total)
            guard share >= least, share <= greatest, count > 0 else { continue }
            let edge = Double(bitPattern: UInt64(Int64(step + 1) + Self.lowest) << 47)
            places.append(logarithm(edge) / 2)
            shares.append(logarithm(share))
        }
        guard places.count > 2 else { return nil }
        return Statistics.linearFit(x: places, y: shares).slope
    }
}
