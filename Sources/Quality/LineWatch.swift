import CVectors

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
    /// The latest points that later ones are compared with, `known` of them; then room.
    private var points: [Float] = []
    private var known = 0
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
        let old = known
        append(samples, count)
        let points = points
        points.withUnsafeBufferPointer { points in
            guard let base = points.baseAddress, known > old else { return }
            let first = max(0, old - 1)
            // Mostly no step is finer than those before, and points can be looked at together.
            let isFiner = marey_smallest_step(base + first, known - first) < quantum
            let most = isFiner ? 1 : 8
            var rules = rules
            var place = old
            while place < known {
                let length = min(most, known - place)
                if isFiner, place > 0, refine(abs(base[place] - base[place - 1])) { rules = self.rules }
                if place < 2 * lag {
                    // Nothing is known of what comes so early.
                    straight = 0
                    place += min(length, 2 * lag - place)
                    continue
                }
                let bits = marey_on_line(base + place, Int32(length), rules)
                if bits == 0 {
                    straight = 0
                } else {
                    for lane in 0..<length {
                        straight = bits >> UInt32(lane) & 1 == 1 ? straight + 1 : 0
                        tell(skipped + (place + lane - old) * spacing, found)
                    }
                }
                place += length
            }
        }
        skipped += (known - old) * spacing - count
        forget()
    }

    /// The rules as they are now.
    private var rules: marey_line_rules {
        let isFine = quantum <= Self.coarsest * usualRange
        return marey_line_rules(lag: lag, digits: Self.digits, least: usualRange / 5, step: isFine ? quantum : 0)
    }

    private mutating func refine(_ step: Float) -> Bool {
        guard step > 0, step < quantum else { return false }
        quantum = step
        return true
    }

    /// Tells of the line that the latest point is on, where it is long enough.
    private func tell(_ end: Int, _ found: (_ more: Int, _ length: Int, _ end: Int) -> Void) {
        let length = (straight - 1 + 2 * lag) * spacing
        guard straight > 0, length >= shortest else { return }
        let isLonger = straight > 1 && length - spacing >= shortest
        found(isLonger ? spacing : length, length, end)
    }

    /// Puts the points among these samples behind those that are known.
    private mutating func append(_ samples: UnsafePointer<Float>, _ count: Int) {
        guard skipped < count else { return }
        let old = known
        known += (count - 1 - skipped) / spacing + 1
        // Points are looked at eight at a time.
        if points.count < known + 7 { FormStretch.resize(&points, to: known + 7) }
        points.withUnsafeMutableBufferPointer { points in
            var place = skipped
            for index in old..<known {
                points[index] = samples[place]
                place += spacing
            }
        }
    }

    /// Forgets the points that no later one is compared with.
    private mutating func forget() {
        let old = known - 2 * lag
        guard old > 0 else { return }
        points.withUnsafeMutableBufferPointer { points in
            for index in 0..<2 * lag { points[index] = points[index + old] }
        }
        known = 2 * lag
    }
}
