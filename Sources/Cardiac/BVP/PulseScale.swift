/// How steep the upstrokes are around the present: the local yardstick that makes the search blind to amplitude.
///
/// Each value is the steepest slope of 2 s, taken every 0.5 s, so that it holds one beat at least from 30 bpm on; the
/// scale is a low quantile of the last 5 s of them, which neither an artefact nor a big pulse can lift for long.
struct PulseScale {
    private let binLength: Int
    private var position = 0
    private var steepest: Float = 0
    /// The last four bins, newest first.
    private var bins = SIMD4<Float>.zero
    private var binCount = 0
    /// The last maxima, newest in the last lane.
    private var maxima = SIMD16<Float>(repeating: 0)
    private var count = 0
    /// The present scale, 0 where there is none.
    private(set) var value: Float = 0
    private static let kept = 10

    /// A scale for slopes at `rate` Hz.
    init(rate: Double) {
        binLength = max(1, Int((0.5 * rate).rounded()))
    }

    /// Forgets the run so far.
    mutating func reset() {
        (position, steepest, bins, binCount, count, value) = (0, 0, .zero, 0, 0, 0)
    }

    /// Takes the next slope; says whether the scale has been renewed.
    @discardableResult
    mutating func push(_ slope: Float) -> Bool {
        steepest = max(steepest, slope)
        position += 1
        guard position == binLength else { return false }
        bins = SIMD4(steepest, bins[0], bins[1], bins[2])
        binCount = min(4, binCount + 1)
        (position, steepest) = (0, 0)
        for k in 0..<Self.kept - 1 { maxima[k] = maxima[k + 1] }
        maxima[Self.kept - 1] = bins.max()
        count = min(Self.kept, count + 1)
        value = quantile()
        return binCount == 4
    }

    private func quantile() -> Float {
        var sorted = maxima
        let first = Self.kept - count
        for i in first + 1..<max(first + 1, Self.kept) {
            let item = sorted[i]
            var k = i
            while k > first && sorted[k - 1] > item {
                sorted[k] = sorted[k - 1]
                k -= 1
            }
            sorted[k] = item
        }
        return sorted[first + (count - 1) * 2 / 5]
    }
}
