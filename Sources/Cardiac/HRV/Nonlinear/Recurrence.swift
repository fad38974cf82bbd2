import Kernels

/// Distances between all pairs of patterns of ten successive intervals: recurrence quantification and correlation
/// dimension.
///
/// Euclidean distances of patterns with a lag of one interval, as in Kubios HRV (Tarvainen et al. 2014). Patterns are
/// walked through along the diagonals of the recurrence plot, where each distance follows from the last one.
struct Recurrence {
    static let dimension = 10
    static let shortestLine = 2

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
        for lag in 1..<patterns { Self.walk(series, lag, patterns, limit, &lines, &histogram) }
        summarize(lines, pairs: patterns * (patterns - 1) / 2)
        correlationDimension = histogram.slope(between: 0.01, and: 0.25)
    }

    /// Walks along one diagonal, counting its lines by length.
    private static func walk(
        _ series: [Double], _ lag: Int, _ patterns: Int, _ limit: Double, _ lines: inout [Int],
        _ histogram: inout DistanceHistogram
    ) {
        func square(_ place: Int) -> Double {
            let difference = series[place] - series[place + lag]
            return difference * difference
        }
        var distance = (0..<dimension - 1).reduce(0) { $0 + square($1) }
        var line = 0
        for place in 0..<patterns - lag {
            distance += square(place + dimension - 1)
            histogram.add(distance)
            if distance <= limit {
                line += 1
            } else {
                if line > 0 { lines[line] += 1 }
                line = 0
            }
            distance = max(0, distance - square(place))
        }
        if line > 0 { lines[line] += 1 }
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
    private let scale: Double
    private var counts = [Int](repeating: 0, count: octaves * stepsPerOctave)
    private var total = 0

    /// For distances up to some sixteen times `scale`.
    init(scale: Double) {
        self.scale = scale
    }

    /// The exponent and the first bits of the fraction make the step: no logarithm is taken.
    mutating func add(_ square: Double) {
        total += 1
        let bits = Int((square / scale).bitPattern >> 47)
        counts[min(max(0, bits - Self.lowest), counts.count - 1)] += 1
    }

    private static let lowest = Int((0x1p-20).bitPattern >> 47)

    /// Slope of log C(r) over log r, by least squares over the steps at which C lies between two shares.
    func slope(between least: Double, and greatest: Double) -> Double? {
        var (places, shares): ([Double], [Double]) = ([], [])
        var below = 0
        for (step, count) in counts.enumerated().dropLast() {
            below += count
            let share = Double(below) / Double(total)
            guard share >= least, share <= greatest, count > 0 else { continue }
            let edge = Double(bitPattern: UInt64(step + 1 + Self.lowest) << 47)
            places.append(logarithm(edge) / 2)
            shares.append(logarithm(share))
        }
        guard places.count > 2 else { return nil }
        return Statistics.linearFit(x: places, y: shares).slope
    }
}
