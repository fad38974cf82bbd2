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
        histogram.count { counter in
            var lag = 1
            while lag + 4 < patterns {
                Self.walkFour(series, lag, patterns, limit, &lines, counter)
                lag += 4
            }
            while lag < patterns {
                Self.walk(series, lag, patterns, limit, &lines, counter)
                lag += 1
            }
        }
        summarize(lines, pairs: patterns * (patterns - 1) / 2)
        correlationDimension = histogram.slope(between: 0.01, and: 0.25)
    }

    /// Walks along four neighbouring diagonals at once, as far as the shortest goes, and then on along each.
    private static func walkFour(
        _ series: [Double], _ lag: Int, _ patterns: Int, _ limit: Double, _ lines: inout [Int],
        _ counter: DistanceHistogram.Counter
    ) {
        let shared = patterns - lag - 3
        var (distances, run) = (SIMD4<Double>.zero, SIMD4<Int64>.zero)
        series.withUnsafeBufferPointer { series in
            func squares(_ place: Int) -> SIMD4<Double> {
                let later = UnsafeRawPointer(series.baseAddress! + place + lag).loadUnaligned(as: SIMD4<Double>.self)
                let difference = SIMD4(repeating: series[place]) - later
                return difference * difference
            }
            for place in 0..<dimension - 1 { distances += squares(place) }
            let limits = SIMD4(repeating: limit)
            for place in 0..<shared {
                distances += squares(place + dimension - 1)
                counter.add(distances)
                // A mask's lane is all ones where it holds.
                let near = unsafeBitCast(distances .<= limits, to: SIMD4<Int64>.self)
                let ended = run & ~near
                if ended.x | ended.y | ended.z | ended.w != 0 {
                    for lane in 0..<4 where ended[lane] > 0 { lines[Int(ended[lane])] += 1 }
                }
                run = (run &+ 1) & near
                distances -= squares(place)
                distances = SIMD4.zero.replacing(with: distances, where: distances .> 0)
            }
        }
        for lane in 0..<4 {
            walk(
                series, lag + lane, patterns, limit, &lines, counter, from: shared, distance: distances[lane],
                line: Int(run[lane]))
        }
    }

    /// Walks along one diagonal, counting its lines by length.
    private static func walk(
        _ series: [Double], _ lag: Int, _ patterns: Int, _ limit: Double, _ lines: inout [Int],
        _ counter: DistanceHistogram.Counter
    ) {
        let distance = (0..<dimension - 1).reduce(0) { $0 + square(series, $1, lag) }
        walk(series, lag, patterns, limit, &lines, counter, from: 0, distance: distance, line: 0)
    }

    /// The same from `start` on, where the pattern's first nine values are `distance` apart and a line is `line` long.
    private static func walk(
        _ series: [Double], _ lag: Int, _ patterns: Int, _ limit: Double, _ lines: inout [Int],
        _ counter: DistanceHistogram.Counter, from start: Int, distance: Double, line: Int
    ) {
        var (distance, line) = (distance, line)
        for place in start..<patterns - lag {
            distance += square(series, place + dimension - 1, lag)
            counter.add(distance)
            if distance <= limit {
                line += 1
            } else {
                if line > 0 { lines[line] += 1 }
                line = 0
            }
            distance = max(0, distance - square(series, place, lag))
        }
        if line > 0 { lines[line] += 1 }
    }

    private static func square(_ series: [Double], _ place: Int, _ lag: Int) -> Double {
        let difference = series[place] - series[place + lag]
        return difference * difference
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
    mutating func count(_ work: (Counter) -> Void) {
        let scale = scale
        counts.withUnsafeMutableBufferPointer { counts in
            guard let base = counts.baseAddress else { return }
            work(Counter(counts: base, scale: scale))
        }
    }

    /// Counts distances. The exponent and the first bits of the fraction make the step: no logarithm is taken.
    struct Counter {
        fileprivate let counts: UnsafeMutablePointer<Int>
        fileprivate let scale: Double

        @inline(__always)
        func add(_ squares: SIMD4<Double>) {
            let scaled = unsafeBitCast(squares / SIMD4(repeating: scale), to: SIMD4<UInt64>.self) &>> 47
            var step = unsafeBitCast(scaled, to: SIMD4<Int64>.self) &- lowest
            step = step.replacing(with: 0, where: step .< 0)
            let last = SIMD4(repeating: Int64(steps - 1))
            step = step.replacing(with: last, where: step .> last)
            counts[Int(step.x)] &+= 1
            counts[Int(step.y) &+ steps] &+= 1
            counts[Int(step.z) &+ 2 &* steps] &+= 1
            counts[Int(step.w) &+ 3 &* steps] &+= 1
        }

        func add(_ square: Double) {
            let step = Int64((square / scale).bitPattern >> 47) - lowest
            counts[Int(min(max(0, step), Int64(steps - 1)))] += 1
        }
    }

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
