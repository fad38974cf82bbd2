import Kernels

/// Carries one channel over samples that are missing, so that a filter can go on: the last value is held, and what
/// follows is moved to join it. The level that adds up is taken out by the high-pass behind; the samples themselves
/// stay missing.
struct MissingBridge: Sendable {
    private var shift: Float = 0
    private var last: Float = 0
    private var hasBegun = false
    private var isBridging = false

    /// The same for `count` samples times `factor`, if none of them is missing and none was before: then there is little to do.
    /// - Parameter target: where they go; it may be where they are.
    /// - Returns: whether that is so; if not, nothing has been done.
    mutating func passes(
        _ samples: UnsafePointer<Float>, count: Int, times factor: Float = 1, to target: UnsafeMutablePointer<Float>
    ) -> Bool {
        let largest = Scans.largestMagnitude(Span(_unsafeStart: samples, count: count))
        guard !isBridging, count > 0, (largest * factor).isFinite else { return false }
        if !hasBegun { shift = -(samples[0] * factor) }
        hasBegun = true
        Scans.move(samples, count: count, times: factor, by: shift, to: target)
        last = target[count - 1]
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
