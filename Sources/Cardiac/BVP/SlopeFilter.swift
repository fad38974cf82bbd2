import Foundation

/// Slopes of the pulse wave at the working rate: one smoothed just enough to follow the systolic upstroke, and the
/// same less the slow slope of respiration and drift around it.
///
/// Both are derivatives of Gaussians of standard deviation 50 ms and 300 ms, scaled so that a ramp of 1 per second
/// reads 1.
struct SlopeFilter {
    /// Working samples from the newest input back to the one the slopes belong to.
    let delay: Int
    private let shortDelay: Int
    private let shortTaps: [SIMD8<Float>]
    private let bandTaps: [SIMD8<Float>]
    private var history: [Float]
    private var end: Int
    private let span: Int

    /// A filter for samples at `rate` Hz.
    init(rate: Double) {
        delay = Int((0.6 * rate).rounded())
        shortDelay = min(delay, Int((0.18 * rate).rounded(.up)))
        let short = Self.taps(deviation: 0.05, reach: shortDelay, rate: rate)
        let long = Self.taps(deviation: 0.3, reach: delay, rate: rate)
        var band = long.map { -$0 }
        for k in short.indices { band[k + delay - shortDelay] += short[k] }
        shortTaps = Self.packed(short)
        bandTaps = Self.packed(band)
        span = bandTaps.count * 8
        history = [Float](repeating: 0, count: span * 16)
        end = 0
    }

    private static func taps(deviation: Double, reach: Int, rate: Double) -> [Float] {
        let offsets = (-reach...reach).map { Double($0) / rate }
        let gaussian = offsets.map { exp(-0.5 * ($0 / deviation) * ($0 / deviation)) }
        let norm = zip(offsets, gaussian).reduce(0) { $0 + $1.0 * $1.0 * $1.1 }
        return zip(offsets, gaussian).map { Float($0 * $1 / norm) }
    }

    private static func packed(_ taps: [Float]) -> [SIMD8<Float>] {
        stride(from: 0, to: (taps.count + 15) / 16 * 16, by: 8).map { first in
            var lane = SIMD8<Float>.zero
            for k in 0..<max(0, min(8, taps.count - first)) { lane[k] = taps[first + k] }
            return lane
        }
    }

    /// Begins a run as though its first sample had always been there.
    mutating func reset(to sample: Float) {
        end = span
        for k in 0..<span { history[k] = sample }
    }

    /// Takes the next sample; returns the slopes `delay` samples before it.
    mutating func push(_ sample: Float) -> (plain: Float, band: Float) {
        if end + 16 >= history.count {
            for k in 0..<span { history[k] = history[end - span + k] }
            end = span
        }
        history[end] = sample
        end += 1
        let first = end - 2 * delay - 1
        return history.withUnsafeBufferPointer { samples in
            (
                Self.dot(shortTaps, samples, first + delay - shortDelay),
                Self.dot(bandTaps, samples, first)
            )
        }
    }

    /// The lanes beyond a kernel's end have zero taps; what they read is finite, if old.
    @inline(__always)
    private static func dot(_ taps: [SIMD8<Float>], _ samples: UnsafeBufferPointer<Float>, _ first: Int) -> Float {
        guard let base = samples.baseAddress else { return 0 }
        let from = UnsafeRawPointer(base + first)
        // Separate sums, so that one addition need not wait for the last.
        var (even, odd) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
        for k in stride(from: 0, to: taps.count, by: 2) {
            even += taps[k] * from.loadUnaligned(fromByteOffset: 32 * k, as: SIMD8<Float>.self)
            odd += taps[k + 1] * from.loadUnaligned(fromByteOffset: 32 * k + 32, as: SIMD8<Float>.self)
        }
        let eight = even + odd
        let four = eight.lowHalf + eight.highHalf
        let two = four.lowHalf + four.highHalf
        return two[0] + two[1]
    }
}
