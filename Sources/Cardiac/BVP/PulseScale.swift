/// How steep the upstrokes are around the present: the local yardstick that makes the search blind to amplitude.
///
/// Each value is the steepest slope of 2 s, taken every 0.5 s, so that it holds one beat at least from 30 bpm on; the
/// scale is a low quantile of the last 4 s of them, which neither an artefact nor a big pulse can lift for long.
struct PulseScale {
    /// The last four bins, newest first.
    private var bins = SIMD4<Float>.zero
    private var binCount = 0
    /// The last maxima, in a ring; infinite where there is none yet.
    private var maxima = SIMD8<Float>(repeating: .infinity)
    private var maximumCount = 0
    private var oldest = 0
    /// The present scale, 0 where there is none.
    private(set) var value: Float = 0

    /// Bins for which the scale is at least `floor`, and that floor.
    private var (flooredBins, floor) = (0, Float(0))

    /// Forgets the run so far.
    mutating func reset() {
        self = PulseScale()
    }

    /// Begins a run. In its first `bins` bins the scale does not fall below `floor`, so that noise before the first pulse
    /// does not set it.
    mutating func reset(floor: Float, bins: Int) {
        self = PulseScale()
        (self.floor, flooredBins) = (floor, bins)
    }

    /// Takes the steepest slope of the next 0.5 s; says whether the scale now rests on 2 s or more.
    mutating func endBin(_ steepest: Float) -> Bool {
        bins = SIMD4(steepest, bins[0], bins[1], bins[2])
        binCount = Swift.min(4, binCount + 1)
        maxima[oldest] = Swift.max(Swift.max(bins[0], bins[1]), Swift.max(bins[2], bins[3]))
        oldest = (oldest + 1) & 7
        maximumCount = Swift.min(8, maximumCount + 1)
        value = quantile()
        if flooredBins > 0 {
            flooredBins -= 1
            value = Swift.max(value, floor)
        }
        return binCount == 4
    }

    /// The smallest, second or third smallest of the maxima: the place nearest below two fifths of their number.
    private func quantile() -> Float {
        var (first, second, third) = (Float.infinity, Float.infinity, Float.infinity)
        for lane in 0..<8 {
            let value = maxima[lane]
            let next = Swift.max(first, value)
            first = Swift.min(first, value)
            let last = Swift.max(second, next)
            second = Swift.min(second, next)
            third = Swift.min(third, last)
        }
        switch (maximumCount - 1) * 2 / 5 {
        case 0: return first
        case 1: return second
        default: return third
        }
    }
}
