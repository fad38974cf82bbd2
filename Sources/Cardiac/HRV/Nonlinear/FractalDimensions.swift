import Kernels

/// Fractal dimensions and complexity of a series.
enum FractalDimensions {
    /// Higuchi's dimension with lags 1 … `longest` (Higuchi 1988): the slope of log L(k) over log 1/k.
    static func higuchi(_ series: [Double], longest: Int) -> Double? {
        let count = series.count
        var places: [Double] = []
        var lengths: [Double] = []
        for lag in 1...longest {
            var sum = 0.0
            for start in 0..<lag {
                let steps = (count - 1 - start) / lag
                guard steps > 0 else { return nil }
                var length = 0.0
                for step in 1...steps {
                    length += abs(series[start + step * lag] - series[start + (step - 1) * lag])
                }
                sum += length * Double(count - 1) / Double(steps * lag) / Double(lag)
            }
            guard sum > 0 else { return nil }
            places.append(-logarithm(Double(lag)))
            lengths.append(logarithm(sum / Double(lag)))
        }
        return Statistics.linearFit(x: places, y: lengths).slope
    }

    /// Katz's dimension (Katz 1988), of the values alone: log n / (log n + log(d / L)), n the number of steps, d the
    /// greatest distance from the first value, L the sum of all steps.
    static func katz(_ series: [Double]) -> Double? {
        let steps = Double(series.count - 1)
        var (length, furthest) = (0.0, 0.0)
        for place in series.indices.dropFirst() {
            length += abs(series[place] - series[place - 1])
            furthest = max(furthest, abs(series[place] - series[0]))
        }
        guard furthest > 0 else { return nil }
        return logarithm(steps) / (logarithm(steps) + logarithm(furthest / length))
    }

    /// Lempel-Ziv complexity of the series as above or below its median: the number of new patterns times log2(n)/n
    /// (Lempel & Ziv 1976; counted after Kaspar & Schuster 1987).
    static func lempelZiv(_ series: [Double]) -> Double {
        let middle = Statistics.median(series)
        let patterns = max(1, SubstringAutomaton.patterns(series.map { $0 > middle }))
        let count = series.count
        return Double(patterns) * logarithm(Double(count)) / logarithm(2) / Double(count)
    }
}
