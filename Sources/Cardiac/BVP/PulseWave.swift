/// The last seconds of the pulse wave's slopes, at the working rate.
struct PulseWave {
    /// Working samples per second.
    let rate: Double
    private var plain: [Float]
    private var band: [Float]
    private var filled: [Float]
    private let mask: Int

    /// Room for `seconds` of slopes at `rate` Hz.
    init(rate: Double, seconds: Double) {
        self.rate = rate
        var capacity = 16
        while Double(capacity) < seconds * rate { capacity *= 2 }
        mask = capacity - 1
        plain = [Float](repeating: 0, count: capacity)
        band = plain
        filled = plain
    }

    /// Puts the slopes at the working sample `index`.
    mutating func put(plain slope: Float, band other: Float, at index: Int) {
        plain[index & mask] = slope
        band[index & mask] = other
    }

    /// Says how much of the working sample `index` was missing, 0…1.
    mutating func put(missing share: Float, at index: Int) {
        filled[index & mask] = share
    }

    /// How much of the signal between two positions was missing, 0…1.
    func missing(from first: Double, to last: Double) -> Float {
        let range = Int(first.rounded(.down))...max(Int(first.rounded(.down)), Int(last.rounded(.up)))
        return range.reduce(0) { $0 + filled[$1 & mask] } / Float(range.count)
    }

    /// The slope less the slow slope around it.
    @inline(__always)
    func band(_ index: Int) -> Float { band[index & mask] }

    /// The same between two working samples.
    func band(at position: Double) -> Float {
        let index = Int(position.rounded(.down))
        let part = Float(position - Double(index))
        return band[index & mask] * (1 - part) + band[(index + 1) & mask] * part
    }

    /// What the plain slope around an upstroke tells of its pulse.
    struct Shape {
        /// Working samples from the run's start.
        var foot: Double
        var peak: Double
        /// Signal units.
        var amplitude: Float
    }

    /// Follows the slope from the upstroke at `position` down to its zeros on both sides, at most `reach` seconds
    /// away. `sign` is -1 for inverted pulses.
    func shape(at position: Double, sign: Float, reach: Double) -> Shape {
        let middle = Int(position.rounded())
        let valley = zero(from: middle, step: -1, sign: sign, reach: reach)
        let peak = zero(from: middle, step: 1, sign: sign, reach: reach)
        let steepest = sign * plain[middle & mask]
        let here = steepest * Float(position - Double(middle))
        let foot = position - Double((valley.sum + 0.5 * steepest + here) / max(steepest, 1e-37))
        return Shape(
            foot: steepest > 0 ? min(position, max(valley.position, foot)) : valley.position, peak: peak.position,
            amplitude: (valley.sum + steepest + peak.sum) / Float(rate))
    }

    /// The first zero from `middle` on of the slope without drift, and the sum of the plain slopes up to there.
    private func zero(from middle: Int, step: Int, sign: Float, reach: Double) -> (position: Double, sum: Float) {
        var (index, sum) = (middle, Float(0))
        for _ in 0..<Int(reach * rate) {
            let (here, next) = (sign * band[index & mask], sign * band[(index + step) & mask])
            if next <= 0 { return (Double(index) + Double(step) * Double(max(0, here) / max(here - next, 1e-37)), sum) }
            index += step
            sum += sign * plain[index & mask]
        }
        return (Double(index), sum)
    }
}
