import CVectors

/// The shapes the beats of late had, so that a candidate can be compared with them.
///
/// A shape is 16 successive slopes of the low-rate signal around the peak, scaled to unit length. There are a few,
/// since beats of more than one origin follow each other.
struct QRSShapes {
    /// How well a place fits a shape.
    struct Fit {
        /// Correlation of the slopes, -1…1.
        var likeness: Float
        /// Low-rate samples from the candidate to where it fits best.
        var shift: Int
        /// Which shape.
        var shape: Int
        /// How long the slopes are along the shape.
        var length: Float
    }

    /// What a candidate has in common with the beats of a shape.
    struct Resemblance {
        /// Binary logarithm of its size compared with theirs.
        var octaves: Double
        /// Correlation of the slopes, -1…1.
        var likeness: Float

        /// From 0, something else, to 1, as good as the same.
        var familiarity: Double {
            min(max(10 * Double(likeness) - 8, 0), 1) * min(max(1.5 - 2 * abs(octaves), 0), 1)
        }
    }

    private static let capacity = 3
    private static let reach = 3
    /// Low-rate samples needed to each side of a candidate.
    static let lowReach = 8 + reach + 3
    /// With less likeness it is another shape.
    private static let leastLikeness: Float = 0.7
    /// Shapes with less trust are no measure.
    private static let leastTrust: Float = 1

    private var slopes: InlineArray<3, SIMD16<Float>> = .init(repeating: .zero)
    /// How long the slopes of the beats that made each shape were along it.
    private var lengths: InlineArray<3, Float> = .init(repeating: 0)
    /// How many beats made each shape, up to ten; falls while others are seen.
    private var trust: InlineArray<3, Float> = .init(repeating: 0)
    /// Where beats of each shape have their R peak.
    var habits: InlineArray<3, RPeakHabit> = .init(repeating: .init())

    /// Forgets all shapes.
    mutating func reset() {
        for shape in trust.indices { trust[shape] = 0 }
    }

    /// How the candidate at `center` compares with the shape it fits best; nil before the first beat.
    @inline(__always)
    mutating func resemblance(_ low: UnsafePointer<Float>, at center: Int) -> Resemblance? {
        best(low, at: center, leastTrust: Self.leastTrust).map {
            Resemblance(octaves: octaves(max($0.length / lengths[$0.shape], 0.01)), likeness: $0.likeness)
        }
    }

    @inline(__always)
    private func slopes(_ low: UnsafePointer<Float>, at center: Int) -> SIMD16<Float> {
        let first = UnsafeRawPointer(low + center - 8)
        return first.advanced(by: 4).loadUnaligned(as: SIMD16<Float>.self)
            - first.advanced(by: -4).loadUnaligned(as: SIMD16<Float>.self)
    }

    @inline(__always)
    private mutating func best(_ low: UnsafePointer<Float>, at center: Int, leastTrust: Float) -> Fit? {
        var used: UInt32 = 0
        for shape in 0..<Self.capacity where trust[shape] >= leastTrust { used |= 1 << UInt32(shape) }
        guard used != 0 else { return nil }
        let match = withUnsafeMutableBytes(of: &slopes) {
            marey_likest(
                low + (center - 8 - Self.reach), $0.assumingMemoryBound(to: Float.self).baseAddress, used,
                Int32(2 * Self.reach + 1))
        }
        guard match.likeness > -2 else { return nil }
        return Fit(
            likeness: match.likeness, shift: Int(match.place) - Self.reach, shape: Int(match.pattern),
            length: match.product)
    }

    /// A beat was settled.
    /// - Returns: its shape, where that lies, and how alike it is.
    mutating func note(_ low: UnsafePointer<Float>, at center: Int) -> (shape: Int, place: Int, likeness: Float) {
        for shape in trust.indices { trust[shape] *= 0.98 }
        if let fit = best(low, at: center, leastTrust: 0.1), fit.likeness > Self.leastLikeness {
            mix(slopes(low, at: center + fit.shift), fit)
            return (fit.shape, center + fit.shift, fit.likeness)
        }
        var weakest = 0
        for shape in trust.indices where trust[shape] < trust[weakest] { weakest = shape }
        habits[weakest] = .init()
        let here = slopes(low, at: center)
        let size = marey_sum_in_order(here * here).squareRoot()
        if size > 0 {
            slopes[weakest] = here / size
            lengths[weakest] = size
            trust[weakest] = 1
        }
        return (weakest, center, 1)
    }

    @inline(__always)
    private mutating func mix(_ here: SIMD16<Float>, _ fit: Fit) {
        let shape = fit.shape
        let share = max(1 / (trust[shape] + 1), 0.1)
        let scale = fit.likeness / fit.length
        slopes[shape] = marey_unit(marey_mixed(slopes[shape], 1 - share, here, share * scale))
        let length = min(max(fit.length, lengths[shape] / 2), lengths[shape] * 2)
        lengths[shape] += (length - lengths[shape]) * share
        trust[shape] = min(trust[shape] + 1, 10)
    }
}
