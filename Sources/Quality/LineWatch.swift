/// Tells where a signal goes along a straight line, as where a converter filled a dropout: no sensor does.
///
/// It looks at every fiftieth of a second. A line's second difference over that time and over a quarter of a second is
/// nothing but rounding: at most two steps of the values.
struct LineWatch: Sendable {
    /// Of the usual range, the steps up to which rounding can be told from a heart between two beats.
    private static let coarsest: Float = 0.01
    /// What numbers of six digits, or single precision in a few sums, leave of a value; one near 0 counts as a fifth of the
    /// usual range.
    private static let digits: Float = 5e-6

    private let spacing: Int
    private let lag: Int
    private let shortest: Int
    /// The latest points; a ring.
    private var points: [Float]
    private var count = 0
    /// Samples before the next point.
    private var skipped = 0
    /// How many points in a row lie on one line with those before.
    private var straight = 0
    /// The smallest difference of two points in a row but 0.
    private var quantum = Float.infinity
    /// How far the signal usually goes from its lowest to its highest.
    private var usualRange: Float = 0
    private let sampleRate: Double

    init(sampleRate: Double, shortest: Int) {
        self.sampleRate = sampleRate
        self.shortest = shortest
        spacing = max(1, Int((0.02 * sampleRate).rounded()))
        lag = max(2, Int((0.24 * sampleRate / Double(spacing)).rounded()))
        points = [Float](repeating: 0, count: 2 * lag + 1)
    }

    /// Looks at the next samples, which have this range.
    /// - Parameter found: called with how many samples more are found to lie on a line that is long enough, how long it is by
    ///   now, and before which of the samples it ends.
    mutating func take(
        _ samples: UnsafePointer<Float>, _ count: Int, range: Float,
        found: (_ more: Int, _ length: Int, _ end: Int) -> Void
    ) {
        let fading = straight > 0 ? 1 : 1 - 0.05 * Float(min(1, Double(count) / sampleRate))
        usualRange = max(range, usualRange * fading)
        while skipped < count {
            take(samples[skipped])
            let length = (straight - 1 + 2 * lag) * spacing
            if straight > 0, length >= shortest {
                let isLonger = straight > 1 && length - spacing >= shortest
                found(isLonger ? spacing : length, length, skipped)
            }
            skipped += spacing
        }
        skipped -= count
    }

    private mutating func take(_ point: Float) {
        let step = count > 0 ? abs(point - points[count % points.count]) : 0
        if step > 0, step < quantum { quantum = step }
        count += 1
        points[count % points.count] = point
        straight = count > 2 * lag && isStraight(point) ? straight + 1 : 0
    }

    /// Whether the latest point lies on a line with those before it.
    private func isStraight(_ point: Float) -> Bool {
        func earlier(_ back: Int) -> Float { points[(count - back) % points.count] }
        let rounding = Self.digits * max(abs(point), abs(earlier(2 * lag)), usualRange / 5)
        let isFine = quantum <= Self.coarsest * usualRange
        // Steps as coarse as parts of a beat are level between beats, and never straight elsewhere.
        if !isFine, abs(point - earlier(2 * lag)) <= rounding { return false }
        let tolerance = 2.2 * max(rounding, isFine ? quantum : 0)
        return abs(point - 2 * earlier(1) + earlier(2)) <= tolerance
            && abs(point - 2 * earlier(lag) + earlier(2 * lag)) <= tolerance
    }
}
