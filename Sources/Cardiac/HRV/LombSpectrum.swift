import Foundation
import Kernels
import Signals

/// The Lomb-Scargle periodogram of intervals at the times of their beats, as a density.
enum LombSpectrum {
    /// Above this many products of samples and frequencies, sums are taken by a fast transform instead of one by one.
    private static let mostDirect = 10_000_000

    /// The density from 0 to `highest` Hz in steps of `spacing` of values whose mean or trend is already out.
    ///
    /// It is the periodogram (Scargle 1982, eq. 10) times twice the mean spacing of the samples, so that its integral
    /// is the variance where they are even.
    static func density(
        times: [Seconds], values: [Double], spacing: Double, highest: Double, meanSpacing: Seconds
    ) -> IntervalSpectrum {
        let count = max(1, Int((highest / spacing).rounded(.up)))
        let (product, overflow) = times.count.multipliedReportingOverflow(by: count)
        let power =
            overflow || product > mostDirect
            ? fast(times, values, spacing, count)
            : LombScargle.periodogram(
                times: times, values: values, frequencies: .init(first: spacing, step: spacing, count: count))
        return IntervalSpectrum(spacing: spacing, density: [0] + power.map { 2 * meanSpacing * $0 })
    }

    /// The periodogram at 1 … `count` times `spacing`. Press & Rybicki 1989 had the idea; the transform here is exact
    /// to rounding.
    private static func fast(_ times: [Seconds], _ values: [Double], _ spacing: Double, _ count: Int) -> [Double] {
        let transform = NonuniformTransform(highest: count)
        let places = times.map { 2 * .pi * spacing * $0 }
        let sums = transform(places, values)
        let doubles = transform(places.map { 2 * $0 })
        let samples = Double(times.count)
        return (1...count).map { index in
            // Sums over cos², sin² and their product, from those over the doubled angle.
            let (cosine, sine) = (doubles.real[index] / 2, -doubles.imaginary[index] / 2)
            let shift = 0.5 * atan2(sine, cosine)
            let (c, s) = (cos(shift), sin(shift))
            let along = sums.real[index] * c - sums.imaginary[index] * s
            let across = -sums.imaginary[index] * c - sums.real[index] * s
            let size = (cosine * cosine + sine * sine).squareRoot()
            let (alongSquares, acrossSquares) = (samples / 2 + size, samples / 2 - size)
            let least = 1e-12 * samples
            return 0.5 * (along * along / alongSquares + (acrossSquares < least ? 0 : across * across / acrossSquares))
        }
    }
}
