import Kernels

/// Carries one channel over samples that are missing, so that a filter can go on: the last value is held, and what
/// follows is moved to join it. The level that adds up is taken out by the high-pass behind; the samples themselves
/// stay missing.
struct MissingBridge: Sendable {
    private var shift: Float = 0
    private var last: Float = 0
    private var hasBegun = false
    private var isBridging = false

    /// The same for the samples at `range`, if none of them is missing and none was before: then there is little to do.
    /// - Returns: whether that is so; if not, nothing has been done.
    mutating func passes(_ samples: inout [Float], _ range: Range<Int>) -> Bool {
        guard !isBridging, let end = range.last, Scans.largestMagnitude(samples.span.extracting(range)).isFinite
        else { return false }
        if !hasBegun { shift = -samples[range.lowerBound] }
        hasBegun = true
        Scans.add(shift, to: &samples, range)
        last = samples[end]
        return true
    }

    /// The value that stands for `sample`: 0 for the run's first one that is there.
    @inline(__always)
    mutating func next(_ sample: Float) -> Float {
        guard sample.isFinite else {
            isBridging = hasBegun
            return last
        }
        if !hasBegun || isBridging {
            shift = last - sample
            (hasBegun, isBridging) = (true, false)
        }
        last = sample + shift
        return last
    }
}
