/// The bell e^(−z²/2) along an even grid, four places at a time: each vector of it is the one before times a ratio, which in
/// turn falls by one factor. Within 1e-12 of its value over a hundred vectors.
struct Bell {
    /// The bell where it stands now.
    private(set) var value: SIMD4<Double>
    private var place: SIMD4<Double>
    private var ratio: SIMD4<Double>
    private let factor: SIMD4<Double>
    private let step: Double
    /// Above that many widths a step a vector is computed by itself: ratios would leave the range of numbers.
    private static let widest = 8.0

    /// The bell at four places, in widths from its centre, and every `step` widths, above 0, from there.
    @inline(__always)
    init(at place: SIMD4<Double>, step: Double) {
        (self.place, self.step) = (place, step)
        value = Self.exponential(place * place * -0.5)
        let isEven = step <= Self.widest
        ratio = isEven ? Self.exponential((place + 0.5 * step) * -step) : .zero
        factor = isEven ? Self.exponential(SIMD4(repeating: -step * step)) : .zero
    }

    /// Goes on by a step.
    @inline(__always)
    mutating func advance() {
        guard step <= Self.widest else {
            place += step
            value = Self.exponential(place * place * -0.5)
            return
        }
        value *= ratio
        ratio *= factor
    }

    /// e to the power of `exponent`, which is below 700, within 1e-14 of its value; below −700 as there.
    @inline(__always)
    private static func exponential(_ exponent: SIMD4<Double>) -> SIMD4<Double> {
        let x = exponent.replacing(with: -700, where: exponent .< -700)
        // Adding 1.5·2⁵² leaves the nearest whole number in the last bits (Cody & Waite 1980).
        let shifted = x * 1.442_695_040_888_963_4 + 6_755_399_441_055_744.0
        let whole = shifted - 6_755_399_441_055_744.0
        let r = (x - whole * 0.693_147_180_369_123_8) - whole * 1.908_214_929_270_587_7e-10
        let bits =
            unsafeBitCast(power(r), to: SIMD4<UInt64>.self) &+ (unsafeBitCast(shifted, to: SIMD4<UInt64>.self) &<< 52)
        return unsafeBitCast(bits, to: SIMD4<Double>.self)
    }

    /// e^r for |r| up to ln 2 / 2 by its series.
    @inline(__always)
    private static func power(_ r: SIMD4<Double>) -> SIMD4<Double> {
        var sum = SIMD4<Double>(repeating: 1.0 / 39_916_800)
        sum = sum * r + 1.0 / 3_628_800
        sum = sum * r + 1.0 / 362_880
        sum = sum * r + 1.0 / 40_320
        sum = sum * r + 1.0 / 5_040
        sum = sum * r + 1.0 / 720
        sum = sum * r + 1.0 / 120
        sum = sum * r + 1.0 / 24
        sum = sum * r + 1.0 / 6
        sum = sum * r + 0.5
        sum = sum * r + 1.0
        return sum * r + 1.0
    }
}
