import Foundation

/// The running mean shape of a pulse, as the slope around its upstroke.
struct PulseTemplate {
    private static let points = 24
    private static let spacing = 1.0 / 32
    private static let before = 8
    private var mean: InlineArray<3, SIMD8<Float>>
    private var latest: InlineArray<3, SIMD8<Float>>

    init() {
        mean = Self.typical
        latest = mean
    }

    /// Back to the typical shape.
    mutating func reset() {
        mean = Self.typical
    }

    /// A systolic wave with a dicrotic one at 0.3 of its height 0.28 s later, less its mean.
    private static let typical: InlineArray<3, SIMD8<Float>> = {
        func slope(_ t: Double, _ width: Double) -> Double { -t / width * exp(-0.5 * t * t / (width * width)) }
        var values = (0..<points).map { k -> Float in
            let t = Double(k - before) * spacing
            return Float(slope(t - 0.09, 0.09) + 0.3 * slope(t - 0.37, 0.12))
        }
        let norm = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        values = values.map { $0 / norm }
        return InlineArray { row in SIMD8(values[row * 8..<row * 8 + 8]) }
    }()

    /// Correlation of the pulse at `position` with the mean shape, -1…1.
    mutating func correlation(of wave: borrowing PulseWave, at position: Double, sign: Float, scale: Float) -> Float {
        let step = Self.spacing * wave.rate
        var energy = SIMD8<Float>.zero
        var agreement = SIMD8<Float>.zero
        for row in 0..<3 {
            let lanes = wave.band(at: position + Double(row * 8 - Self.before) * step, spacing: Float(step))
            let scaled = lanes * (sign * scale)
            latest[row] = scaled
            energy += scaled * scaled
            agreement += scaled * mean[row]
        }
        return normalized(energy.sum(), agreement.sum())
    }

    /// The correlation from the sums of squares and products; the latest shape gets a length of 1.
    private mutating func normalized(_ energy: Float, _ agreement: Float) -> Float {
        guard energy > 0, energy.isFinite, agreement.isFinite else {
            latest = mean
            return 0
        }
        let norm = 1 / energy.squareRoot()
        for row in 0..<3 { latest[row] *= norm }
        return agreement * norm
    }

    /// Lets the mean shape follow the pulse last compared, by `weight`.
    mutating func learn(_ weight: Float) {
        var energy: Float = 0
        for row in 0..<3 {
            mean[row] += weight * (latest[row] - mean[row])
            energy += (mean[row] * mean[row]).sum()
        }
        let norm = 1 / max(energy, 1e-12).squareRoot()
        for row in 0..<3 { mean[row] *= norm }
    }
}
