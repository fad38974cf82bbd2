import Foundation

/// Slopes of the pulse wave at the working rate: one smoothed just enough to follow the systolic upstroke, and the
/// same less the slow slope of respiration and drift around it.
///
/// Both are derivatives of Gaussians of standard deviation 50 ms and 300 ms, scaled so that a ramp of 1 per second
/// reads 1.
struct SlopeFilter {
    /// Working samples from the newest input back to the one the slopes belong to.
    let delay: Int
    /// The weights of the differences of the samples 1, 2, … after and before the one in the middle.
    private let plainTaps: [Float]
    private let bandTaps: [Float]
    /// The samples that the next slopes rest on, oldest first, and room for a batch and its last lanes.
    private var history: [Float]
    /// The slopes of the last batch.
    private(set) var plain: [Float]
    /// The slopes of the last batch, less the slow ones.
    private(set) var band: [Float]

    /// A filter for samples at `rate` Hz that come in batches of `batch` at most; `deviation` is that of the narrow
    /// Gaussian, in seconds.
    init(rate: Double, batch: Int, deviation: Double = 0.05) {
        delay = Int((0.6 * rate).rounded())
        let short = Self.taps(deviation: deviation, reach: min(delay, Int((0.18 * rate).rounded(.up))), rate: rate)
        var long = Self.taps(deviation: 0.3, reach: delay, rate: rate).map { -$0 }
        for k in short.indices { long[k] += short[k] }
        (plainTaps, bandTaps) = (short, long)
        history = [Float](repeating: 0, count: 2 * delay + batch + 16)
        plain = [Float](repeating: 0, count: batch + 16)
        band = plain
    }

    private static func taps(deviation: Double, reach: Int, rate: Double) -> [Float] {
        let offsets = (1...max(1, reach)).map { Double($0) / rate }
        let gaussian = offsets.map { exp(-0.5 * ($0 / deviation) * ($0 / deviation)) }
        let norm = zip(offsets, gaussian).reduce(0) { $0 + 2 * $1.0 * $1.0 * $1.1 }
        return zip(offsets, gaussian).map { Float($0 * $1 / norm) }
    }

    /// Begins a run as though its first sample had always been there.
    mutating func reset(to sample: Float) {
        for k in 0..<2 * delay { history[k] = sample }
    }

    /// Takes the first `count` of `samples`; leaves the slopes `delay` samples before each in `plain` and `band`.
    mutating func push(_ samples: [Float], count: Int) {
        let kept = 2 * delay
        precondition(count <= samples.count && kept + count <= history.count)
        samples.withUnsafeBufferPointer { samples in
            history.withUnsafeMutableBufferPointer { history in
                for k in 0..<count { history[kept + k] = samples[k] }
            }
        }
        slope(count)
        history.withUnsafeMutableBufferPointer { history in
            guard let base = history.baseAddress else { return }
            base.update(from: base + count, count: kept)
        }
    }

    /// Every slope is the same sum in the same order, whatever its place in the batch; the lanes beyond the last are
    /// of old samples.
    private mutating func slope(_ count: Int) {
        let (delay, plainTaps, bandTaps) = (delay, plainTaps, bandTaps)
        history.withUnsafeBufferPointer { history in
            plain.withUnsafeMutableBufferPointer { plain in
                band.withUnsafeMutableBufferPointer { band in
                    guard let input = history.baseAddress, let first = plain.baseAddress, let second = band.baseAddress
                    else { return }
                    for start in stride(from: 0, to: count, by: 16) {
                        Self.slope(
                            at: input + start + delay, plainTaps, bandTaps, first + start, second + start)
                    }
                }
            }
        }
    }

    /// Sixteen slopes at once.
    @inline(__always)
    private static func slope(
        at center: UnsafePointer<Float>, _ plainTaps: [Float], _ bandTaps: [Float],
        _ plain: UnsafeMutablePointer<Float>, _ band: UnsafeMutablePointer<Float>
    ) {
        typealias Lanes = SIMD8<Float>
        var (short0, short1, long0, long1) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
        @inline(__always) func difference(_ k: Int) -> (Lanes, Lanes) {
            let (after, before) = (UnsafeRawPointer(center + k), UnsafeRawPointer(center - k))
            return (
                after.loadUnaligned(as: Lanes.self) - before.loadUnaligned(as: Lanes.self),
                after.loadUnaligned(fromByteOffset: 32, as: Lanes.self)
                    - before.loadUnaligned(fromByteOffset: 32, as: Lanes.self)
            )
        }
        plainTaps.withUnsafeBufferPointer { taps in
            bandTaps.withUnsafeBufferPointer { others in
                for k in taps.indices {
                    let (first, second) = difference(k + 1)
                    short0 += taps[k] * first
                    short1 += taps[k] * second
                    long0 += others[k] * first
                    long1 += others[k] * second
                }
                for k in taps.count..<others.count {
                    let (first, second) = difference(k + 1)
                    long0 += others[k] * first
                    long1 += others[k] * second
                }
            }
        }
        UnsafeMutableRawPointer(plain).storeBytes(of: short0, as: Lanes.self)
        UnsafeMutableRawPointer(plain + 8).storeBytes(of: short1, as: Lanes.self)
        UnsafeMutableRawPointer(band).storeBytes(of: long0, as: Lanes.self)
        UnsafeMutableRawPointer(band + 8).storeBytes(of: long1, as: Lanes.self)
    }
}
