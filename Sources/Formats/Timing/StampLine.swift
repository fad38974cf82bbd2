import Signals

/// How the stamps of a run lie about even time, summed up as they come.
struct StampLine {
    /// The first stamp and the latest.
    let first: Seconds
    private(set) var last: Seconds
    private(set) var count = 0
    /// The rate in Hz from which the sums tell deviations.
    private let rate: Double
    // Sums of the deviations from the rate, of their product with the place in the run, and of their squares.
    private var sum = 0.0
    private var product = 0.0
    private var squares = 0.0

    /// A run whose samples come at about `rate` Hz.
    init(first: Seconds, rate: Double) {
        self.first = first
        self.rate = rate
        last = first
    }

    @inline(__always)
    mutating func add(_ stamp: Seconds) {
        let place = Double(count)
        let deviation = stamp - first - place / rate
        sum += deviation
        product += deviation * place
        squares += deviation * deviation
        last = stamp
        count += 1
    }

    /// The least-squares line through the stamps: the first sample's time, Hz, and how far the stamps stray from it, root
    /// mean square.
    var fit: (onset: Seconds, rate: Double, residual: Seconds) {
        let n = Double(count)
        let middle = (n - 1) / 2
        let spread = n * (n * n - 1) / 12
        let slope = count > 1 ? (product - middle * sum) / spread : 0
        let step = 1 / rate + slope
        let isUsable = Plausible.sampleRates.contains(1 / step)
        let onset = isUsable ? first + sum / n - slope * middle : first
        let variance = (squares - sum * sum / n - slope * slope * spread) / n
        return (onset, isUsable && count > 1 ? 1 / step : rate, max(0, variance).squareRoot())
    }

    /// How far the stamps stray, root mean square, from even times between the first of them and `end`.
    func residual(until end: Seconds) -> Seconds {
        guard count > 1 else { return 0 }
        let n = Double(count)
        let slope = (end - first) / (n - 1) - 1 / rate
        let places = (n - 1) * n * (2 * n - 1) / 6
        return max(0, (squares - 2 * slope * product + slope * slope * places) / n).squareRoot()
    }

    /// What a user should know where stamps stray so far from even time; nil where that is usual.
    /// - Parameters:
    ///   - stamps: what they are called, such as `eeg: its stamps`.
    ///   - samples: what they stamp.
    static func note(_ stamps: String, of samples: String, straying residual: Seconds, rate: Double) -> String? {
        guard residual > max(0.1, 4 / rate) else { return nil }
        return
            "\(stamps) stray from even time by \(Double((residual * 1000).rounded() / 1000)) s (root mean square), so "
            + "\(samples) are not timed more finely, and \(samples) may be missing where no gap is told"
    }
}
