import Signals

/// A straight line from values to places in a picture.
struct Scale {
    /// The values at the two ends; `upper` > `lower`.
    var lower: Double
    var upper: Double
    /// The places at the two ends.
    var from: Double
    var to: Double

    /// The scale over `lower`…`upper`, widened where the two are equal or not finite.
    init(_ lower: Double, _ upper: Double, from: Double, to: Double) {
        let sound = lower.isFinite && upper.isFinite
        self.lower = sound ? min(lower, upper) : 0
        self.upper = sound ? max(lower, upper) : 1
        if self.upper - self.lower <= self.upper.magnitude * 1e-9 {
            let margin = Self.margin(around: self.upper)
            self.lower -= margin
            self.upper += margin
        }
        self.from = from
        self.to = to
    }

    /// How far an axis reaches to either side of the one value that there is.
    static func margin(around value: Double) -> Double {
        value.magnitude < 1e-300 ? 0.5 : value.magnitude * 0.05
    }

    /// Where `value` lies.
    func callAsFunction(_ value: Double) -> Double {
        from + (value - lower) / (upper - lower) * (to - from)
    }

    /// Where `value` lies, no farther than the ends.
    func clamped(_ value: Double) -> Double {
        self(min(max(value, lower), upper))
    }

    func contains(_ value: Double) -> Bool {
        value >= lower && value <= upper
    }
}

/// The labelled places of an axis.
struct Ticks {
    var labels: [(value: Double, text: String)]

    /// About `count` round numbers (1, 2 or 5 times a power of ten) within the range.
    static func linear(_ lower: Double, _ upper: Double, count: Int) -> Ticks {
        guard upper > lower, count > 0 else { return Ticks(labels: []) }
        let rough = (upper - lower) / Double(count)
        let exponent = NumberText.exponentOfTen(rough)
        let power = NumberText.powerOfTen(exponent)
        let factor = rough / power
        let step = (factor <= 1 ? 1.0 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10) * power
        // A step of 10 × 10ⁿ needs one decimal less.
        let decimals = max(0, factor > 5 ? -exponent - 1 : -exponent)
        return Ticks(
            labels: multiples(of: step, lower, upper).map { value in
                let isLong = decimals > 7 || value.magnitude >= 1e6
                let text = isLong ? NumberText.significant(value, 3) : NumberText.fixed(value, decimals)
                return (value, text.hasPrefix("-") ? "\u{2212}" + text.dropFirst() : text)
            })
    }

    /// As `linear`, with more where there would be fewer than two: one number alone tells no scale.
    static func atLeastTwo(_ lower: Double, _ upper: Double, count: Int) -> Ticks {
        for more in count..<count + 4 {
            let ticks = linear(lower, upper, count: more)
            if ticks.labels.count > 1 { return ticks }
        }
        return linear(lower, upper, count: count)
    }

    /// About `count` round times within the range, in seconds.
    static func time(_ lower: Seconds, _ upper: Seconds, count: Int) -> Ticks {
        guard upper > lower, count > 0 else { return Ticks(labels: []) }
        let rough = (upper - lower) / Double(count)
        let step = timeSteps.first { $0 >= rough } ?? (rough / 86_400).rounded(.up) * 86_400
        let decimals = step < 0.1 ? 2 : step < 1 ? 1 : 0
        return Ticks(
            labels: multiples(of: step, lower, upper).map { value in
                (value, step >= 60 && upper >= 3_600 ? hours(value) : NumberText.clock(value, decimals: decimals))
            })
    }

    /// What the labels of `time` mean.
    static func timeUnit(upTo upper: Seconds) -> String {
        upper >= 3_600 ? "h:min" : "min:s"
    }

    private static func hours(_ seconds: Seconds) -> String {
        let minutes = Int((seconds / 60).rounded())
        return "\(minutes / 60):\(NumberText.padded(minutes % 60, 2))"
    }

    private static func multiples(of step: Double, _ lower: Double, _ upper: Double) -> [Double] {
        guard step > 0, (upper - lower) / step < 1_000 else { return [] }
        let first = (lower / step - 1e-9).rounded(.up)
        let last = (upper / step + 1e-9).rounded(.down)
        return stride(from: first, through: last, by: 1).map { $0 * step }
    }

    private static let timeSteps: [Seconds] = [
        0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600,
        43_200, 86_400,
    ]
}
