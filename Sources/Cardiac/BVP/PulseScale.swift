/// How steep the upstrokes are around the present: the local yardstick that makes the search blind to amplitude.
///
/// Each value is the steepest slope of 2 s, taken every 0.5 s, so that it holds one beat at least from 30 bpm on; the
/// scale is a low quantile of the last 4 s of them, which neither an artefact nor a big pulse can lift for long.
struct PulseScale {
    private let binLength: Int
    private var position = 0
    private var steepest: Float = 0
    /// The last four bins, newest first.
    private var bins = SIMD4<Float>.zero
    private var binCount = 0
    /// The last maxima in order of time, in a ring, and in order of size.
    private var maxima: [Float] = []
    private var sorted: [Float] = []
    private var oldest = 0
    /// The present scale, 0 where there is none.
    private(set) var value: Float = 0
    private static let kept = 8

    /// A scale for slopes at `rate` Hz.
    init(rate: Double) {
        binLength = max(1, Int((0.5 * rate).rounded()))
        maxima.reserveCapacity(Self.kept)
        sorted.reserveCapacity(Self.kept)
    }

    /// Forgets the run so far.
    mutating func reset() {
        (position, steepest, bins, binCount, oldest, value) = (0, 0, .zero, 0, 0, 0)
        maxima.removeAll(keepingCapacity: true)
        sorted.removeAll(keepingCapacity: true)
    }

    /// Takes the next slope; says whether the scale has been renewed from 2 s or more.
    @inline(__always)
    mutating func push(_ slope: Float) -> Bool {
        steepest = max(steepest, slope)
        position += 1
        guard position == binLength else { return false }
        return endBin()
    }

    private mutating func endBin() -> Bool {
        bins = SIMD4(steepest, bins[0], bins[1], bins[2])
        binCount = min(4, binCount + 1)
        (position, steepest) = (0, 0)
        keep(max(max(bins[0], bins[1]), max(bins[2], bins[3])))
        value = sorted[(sorted.count - 1) * 2 / 5]
        return binCount == 4
    }

    /// Puts the newest maximum in its place and lets the oldest go.
    private mutating func keep(_ maximum: Float) {
        if maxima.count < Self.kept {
            maxima.append(maximum)
            sorted.append(maximum)
        } else {
            var place = 0
            while sorted[place] != maxima[oldest] { place += 1 }
            for k in place..<Self.kept - 1 { sorted[k] = sorted[k + 1] }
            maxima[oldest] = maximum
            oldest = (oldest + 1) % Self.kept
        }
        var place = sorted.count - 1
        while place > 0 && sorted[place - 1] > maximum {
            sorted[place] = sorted[place - 1]
            place -= 1
        }
        sorted[place] = maximum
    }
}
