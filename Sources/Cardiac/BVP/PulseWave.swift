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

    /// Follows the plain slope from the upstroke at `position` down to its zeros on both sides, at most `reach`
    /// seconds away. `sign` is -1 for inverted pulses.
    func shape(at position: Double, sign: Float, reach: Double) -> Shape {
        let middle = Int(position.rounded())
        let (valley, before) = zero(from: middle, step: -1, sign: sign, reach: reach)
        let (peak, after) = zero(from: middle, step: 1, sign: sign, reach: reach)
        let slope = sign * plain[middle & mask]
        let here = Float(position - Double(middle)) * slope
        let rise = (before + after + slope) / Float(rate)
        let toUpstroke = before + 0.5 * slope + here
        let foot = slope > 0 ? position - Double(toUpstroke / slope) : valley
        return Shape(foot: max(valley, foot), peak: peak, amplitude: rise)
    }

    /// The first zero of the plain slope from `middle` on, and the sum of the slopes between.
    private func zero(from middle: Int, step: Int, sign: Float, reach: Double) -> (position: Double, sum: Float) {
        var (index, sum) = (middle, Float(0))
        for _ in 0..<Int(reach * rate) {
            let (here, next) = (sign * plain[index & mask], sign * plain[(index + step) & mask])
            if next <= 0 { return (Double(index) + Double(step) * Double(max(0, here) / max(here - next, 1e-37)), sum) }
            sum += next
            index += step
        }
        return (Double(index), sum)
    }
}
