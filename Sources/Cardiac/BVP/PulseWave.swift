/// The last seconds of the pulse wave's slopes, at the working rate.
struct PulseWave {
    /// Working samples per second.
    let rate: Double
    private var plain: [Float]
    private var band: [Float]
    private var filled: [Float]
    /// The working sample that the arrays begin with.
    private var origin = 0
    private let kept: Int

    /// Room for `seconds` of slopes at `rate` Hz, and for `batch` more.
    init(rate: Double, seconds: Double, batch: Int) {
        self.rate = rate
        kept = Int((seconds * rate).rounded(.up))
        plain = [Float](repeating: 0, count: kept + 4 * batch)
        band = plain
        filled = plain
        reset()
    }

    /// Begins a run: nothing comes before its working sample 0.
    mutating func reset() {
        origin = -kept
        for k in 0..<kept { (plain[k], band[k], filled[k]) = (0, 0, 0) }
    }

    /// Makes room for `count` working samples from `first` on; the oldest may be forgotten.
    mutating func reserve(_ count: Int, from first: Int) {
        guard first + count - origin > plain.count else { return }
        let shift = first - kept - origin
        Self.shift(&plain, by: shift)
        Self.shift(&band, by: shift)
        Self.shift(&filled, by: shift)
        origin += shift
    }

    private static func shift(_ values: inout [Float], by count: Int) {
        values.withUnsafeMutableBufferPointer { values in
            guard let base = values.baseAddress else { return }
            base.update(from: base + count, count: values.count - count)
        }
    }

    /// Puts the slopes of the working samples from `first` on; those before the run's start are left out.
    mutating func put(plain slopes: [Float], band others: [Float], count: Int, from first: Int) {
        let skipped = min(count, max(0, -first))
        let place = first + skipped - origin
        Self.put(slopes, skipped, count - skipped, in: &plain, at: place)
        Self.put(others, skipped, count - skipped, in: &band, at: place)
    }

    private static func put(
        _ source: [Float], _ first: Int, _ count: Int, in target: inout [Float], at place: Int
    ) {
        precondition(place >= 0 && place + count <= target.count && first + count <= source.count)
        source.withUnsafeBufferPointer { source in
            target.withUnsafeMutableBufferPointer { target in
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                (to + place).update(from: from + first, count: count)
            }
        }
    }

    /// Says how much of each of `count` working samples from `first` on was missing, 0…1.
    mutating func put(missing share: Float, count: Int, from first: Int) {
        let place = first - origin
        precondition(place >= 0 && place + count <= filled.count)
        filled.withUnsafeMutableBufferPointer { filled in
            for k in place..<place + count { filled[k] = share }
        }
    }

    /// How much of the signal between two positions was missing, 0…1.
    func missing(from first: Double, to last: Double) -> Float {
        let range = Int(first.rounded(.down))...max(Int(first.rounded(.down)), Int(last.rounded(.up)))
        return range.reduce(0) { $0 + filled[place($1)] } / Float(range.count)
    }

    /// The place of a working sample in the arrays.
    @inline(__always)
    private func place(_ index: Int) -> Int { min(max(index - origin, 0), plain.count - 1) }

    /// The slope less the slow slope around it.
    @inline(__always)
    func band(_ index: Int) -> Float { band[place(index)] }

    /// Takes `slope` away from both slopes at a working sample.
    mutating func subtract(_ slope: Float, at index: Int) {
        plain[place(index)] -= slope
        band[place(index)] -= slope
    }

    /// The steepest rise and fall of the slope less the slow one, in `count` working samples from `first` on.
    func extremes(from first: Int, count: Int) -> (rise: Float, fall: Float) {
        let start = place(first)
        return band.withUnsafeBufferPointer { band in
            var (rise, fall) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
            var k = start
            guard let base = band.baseAddress else { return (0, 0) }
            while k + 8 <= start + count {
                let lanes = UnsafeRawPointer(base + k).loadUnaligned(as: SIMD8<Float>.self)
                rise.replace(with: lanes, where: lanes .> rise)
                fall.replace(with: lanes, where: lanes .< fall)
                k += 8
            }
            var (highest, lowest) = (Float(0), Float(0))
            for lane in 0..<8 {
                highest = Swift.max(highest, rise[lane])
                lowest = Swift.min(lowest, fall[lane])
            }
            while k < start + count {
                highest = Swift.max(highest, band[k])
                lowest = Swift.min(lowest, band[k])
                k += 1
            }
            return (highest, -lowest)
        }
    }

    /// The first local maximum of `sign` times the slope that is above `floor`, among the working samples
    /// `first..<end`; nil if there is none.
    func maximum(from first: Int, to end: Int, sign: Float, above floor: Float) -> Int? {
        guard first < end else { return nil }
        let (start, stop) = (place(first), place(end))
        return band.withUnsafeBufferPointer { band in
            var before = sign * band[start - 1]
            var here = sign * band[start]
            for k in start..<stop {
                let after = sign * band[k + 1]
                if here > floor, here > before, here >= after { return k + origin }
                (before, here) = (here, after)
            }
            return nil
        }
    }

    /// The slope less the slow slope at 8 positions, `spacing` working samples apart.
    @inline(__always)
    func band(at position: Double, spacing: Float) -> SIMD8<Float> {
        let base = position.rounded(.down)
        let places = SIMD8<Float>(0, 1, 2, 3, 4, 5, 6, 7) * spacing + Float(position - base)
        let whole = places.rounded(.down)
        let part = places - whole
        let first = Int(base) - origin
        guard first >= 0, first + Int(whole[7]) + 1 < band.count else { return .zero }
        return band.withUnsafeBufferPointer { band in
            var (left, right) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
            for lane in 0..<8 {
                let index = first + Int(whole[lane])
                left[lane] = band[index]
                right[lane] = band[index + 1]
            }
            return left + (right - left) * part
        }
    }

    /// The change of the smoothed wave from one working sample to a later one, in signal units.
    func change(from first: Int, to last: Int) -> Float {
        guard first < last else { return 0 }
        var sum: Float = 0
        for index in first + 1...last { sum += plain[place(index)] }
        return sum / Float(rate)
    }

    /// The heights of the crest after the upstroke at a working sample and of the foot before it, from the level there, in
    /// signal units; both within 0.3 s.
    func crestAndFoot(around middle: Int, sign: Float) -> (crest: Float, foot: Float) {
        var heights: (crest: Float, foot: Float) = (0, 0)
        let reach = Int(0.3 * rate)
        for index in 1...max(1, reach) {
            let slope = sign * plain[place(middle + index)]
            guard slope > 0 else { break }
            heights.crest += slope
        }
        for index in 0..<max(1, reach) {
            let slope = sign * plain[place(middle - index)]
            guard slope > 0 else { break }
            heights.foot -= slope
        }
        return (heights.crest / Float(rate), heights.foot / Float(rate))
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
        let steepest = sign * plain[place(middle)]
        let here = steepest * Float(position - Double(middle))
        let foot = position - Double((valley.sum + 0.5 * steepest + here) / max(steepest, 1e-37))
        return Shape(
            foot: steepest > 0 ? min(position, max(valley.position, foot)) : valley.position, peak: peak.position,
            amplitude: (valley.sum + steepest + peak.sum) / Float(rate))
    }

    /// The first zero from `middle` on of the slope without drift, and the sum of the plain slopes up to there.
    private func zero(from middle: Int, step: Int, sign: Float, reach: Double) -> (position: Double, sum: Float) {
        var (index, sum) = (middle, Float(0))
        var here = sign * band[place(middle)]
        for _ in 0..<Int(reach * rate) {
            let next = sign * band[place(index + step)]
            if next <= 0 { return (Double(index) + Double(step) * Double(max(0, here) / max(here - next, 1e-37)), sum) }
            index += step
            here = next
            sum += sign * plain[place(index)]
        }
        return (Double(index), sum)
    }
}
