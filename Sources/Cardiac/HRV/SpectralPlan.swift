import Kernels
import Signals

/// What the spectra of all windows share: the Fourier transform, long enough for the longest segment four times over,
/// so that the frequencies lie close together. Where segments may be longer than any recording is, it is long enough for what
/// there is.
struct SpectralPlan: Sendable {
    let rate: Double
    let transform: RealFFT<Double>

    /// The plan for intervals that last `span` seconds from the first to the last.
    init(_ parameters: HRVParameters, span: Seconds = 0) {
        rate = parameters.resamplingRate
        transform = RealFFT(length: Self.transformLength(parameters, span: span))
    }

    /// The plan for intervals that last `span` seconds from the first to the last: this one, where it suits them.
    func reaching(_ span: Seconds, _ parameters: HRVParameters) -> SpectralPlan {
        Self.transformLength(parameters, span: span) == transform.length ? self : SpectralPlan(parameters, span: span)
    }

    /// A transform no longer than this is the same for all data, so that all spectra have the same frequencies.
    static let usualLength = 1 << 21

    /// How many samples a segment is made of once zeros are put after it, where intervals last `span` seconds.
    static func transformLength(_ parameters: HRVParameters, span: Seconds = .infinity) -> Int {
        let longest = min(parameters.window ?? .infinity, parameters.welchSegment)
        let asked = length(for: longest, parameters.resamplingRate)
        guard asked > usualLength, span.isFinite else { return asked }
        return min(asked, max(usualLength, length(for: span, parameters.resamplingRate)))
    }

    private static func length(for duration: Seconds, _ rate: Double) -> Int {
        let samples = 4 * duration * rate
        // Definitions are told of parameters without a meaning as well.
        return fastLength(atLeast: (samples.isFinite ? Int(min(samples, 1e9).rounded(.up)) : 0) + 4)
    }

    /// Hz between the frequencies of the transform.
    var spacing: Double { rate / Double(transform.length) }

    /// The least product of a power of two and 4, 5 or 6 that is not below `count`.
    private static func fastLength(atLeast count: Int) -> Int {
        var scale = 1
        while scale * 6 < count { scale *= 2 }
        return [4, 5, 6].map { $0 * scale }.first { $0 >= count } ?? 8 * scale
    }

    /// Welch's method over stretches of samples: Hann segments of `length`, each without its own `trend`, a mean or a
    /// line, half overlapping, the last one flush with the end of its stretch, averaged.
    func welch(_ stretches: [[Double]], segment length: Int, without trend: HRVDetrending) -> IntervalSpectrum? {
        guard length > 1, length <= transform.length else { return nil }
        let window = Window.hann.periodic(length)
        let scale = 2 / (rate * window.reduce(0) { $0 + $1 * $1 })
        var sum = [Double](repeating: 0, count: transform.bins)
        var segments = 0
        var padded = [Double](repeating: 0, count: transform.length)
        for stretch in stretches where stretch.count >= length {
            for start in Self.starts(stretch.count, length) {
                let segment = trend.removed(from: Array(stretch[start..<start + length]), smoothness: .infinity)
                for place in 0..<length { padded[place] = segment[place] * window[place] }
                let spectrum = transform.forward(padded)
                for bin in sum.indices {
                    let (real, imaginary) = (spectrum.real[bin], spectrum.imaginary[bin])
                    sum[bin] += real * real + imaginary * imaginary
                }
                segments += 1
            }
        }
        guard segments > 0 else { return nil }
        return IntervalSpectrum(spacing: spacing, density: sum.map { $0 * scale / Double(segments) })
    }

    private static func starts(_ count: Int, _ length: Int) -> [Int] {
        let spare = count - length
        let steps = Int((Double(spare) / Double((length + 1) / 2)).rounded(.up))
        return steps == 0 ? [0] : (0...steps).map { $0 * spare / steps }
    }
}
