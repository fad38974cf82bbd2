import CVectors

/// A stretch of signal around one step, worked out: its level, the signal in which beats stand out, and the beats of
/// the second detector.
struct FormStretch: Sendable {
    private let profile: SignalProfile
    private let rate: Double
    private let smoothing: Int
    private let sharpness: Int
    private let quarter: Int
    /// Samples before and after the step that are worked out too.
    let margin: Int
    /// Index, in the run, of the first sample worked out, and how many are.
    private(set) var start = 0
    private var count = 0
    /// The signal relative to `origin`, its first sample, so that a large offset costs no digits.
    private var raw: [Float] = []
    private var origin: Float = 0
    /// The smoothed signal, the one in which beats stand out, and its square; in whole vectors.
    private(set) var smooth: [Float] = []
    private var sharp: [Float] = []
    private var power: [Float] = []
    /// The smoothed signal without its mean over a beat and more, where beats are upright: slow wander is taken out of it.
    private(set) var bare: [Float] = []
    private var parts: [Float] = []
    private var detector: SecondDetector

    init(_ profile: SignalProfile, rate: Double) {
        self.profile = profile
        self.rate = rate
        smoothing = Int((profile.smoothing * rate / 2).rounded())
        sharpness = max(1, Int((profile.sharpness * rate).rounded()))
        quarter = max(1, Int((0.05 * rate).rounded()))
        margin = Int((Self.reach(profile) * rate).rounded(.up)) + 10
        detector = SecondDetector(profile, rate: rate)
    }

    /// Seconds before and after a step that are worked out too: a beat's form, a mean over a beat and a whole wave.
    static func reach(_ profile: SignalProfile) -> Double {
        max(max(profile.before, profile.after) + 0.1, profile.cycle / 2 + profile.event + 0.05)
    }

    /// Beats of the second detector, as indices in the run.
    var beats: [Int] { detector.beats }

    /// Works out the stretch around `step`, a range of the run with known beats at `places`: pulses that point down are
    /// turned over.
    mutating func prepare(_ signal: FormSignal, step: Range<Int>, beats places: [Int], meanPower: Float) {
        start = step.lowerBound - margin
        count = step.count + 2 * margin
        Self.resize(&sharp, to: Self.wholeVectors(count))
        Self.resize(&power, to: sharp.count)
        if profile.isUpright { Self.resize(&bare, to: sharp.count) }
        Self.resize(&smooth, to: Self.wholeVectors(sharp.count + 2 * sharpness))
        let first = start - sharpness - smoothing
        signal.copy(first..<first + smooth.count + 2 * smoothing, into: &raw)
        origin = raw.first ?? 0
        let origin = origin
        raw.withUnsafeMutableBufferPointer { raw in
            for place in raw.indices { raw[place] -= origin }
        }
        smoothen()
        if profile.isUpright, pointDown(places) {
            for place in smooth.indices { smooth[place] = -smooth[place] }
        }
        sharpen()
        detector.find(in: sharp, power: power, count: count, start: start, meanPower: meanPower)
    }

    /// Whether the signal is low where most of these beats have their peaks, against what is around them.
    private func pointDown(_ beats: [Int]) -> Bool {
        var votes = 0
        for beat in beats {
            let middle = smoothPlace(of: beat)
            let around = (middle - sharpness..<middle + sharpness + 1).clamped(to: smooth.indices)
            guard smooth.indices.contains(middle), !around.isEmpty else { continue }
            var sum: Float = 0
            for place in around { sum += smooth[place] }
            votes += smooth[middle] * Float(around.count) < sum ? 1 : -1
        }
        return votes > 0
    }

    private static func wholeVectors(_ count: Int) -> Int { (count + 7) / 8 * 8 }

    static func resize(_ samples: inout [Float], to count: Int) {
        if samples.count > count { samples.removeLast(samples.count - count) }
        if samples.count < count { samples.append(contentsOf: repeatElement(0, count: count - samples.count)) }
    }

    /// `smooth` begins `sharpness` samples before `start`, and `raw` another `smoothing`.
    private mutating func smoothen() {
        let length = 2 * smoothing + 1
        let scale = 1 / Float(length)
        raw.withUnsafeBufferPointer { raw in
            smooth.withUnsafeMutableBufferPointer { smooth in
                guard let source = raw.baseAddress, let target = smooth.baseAddress else { return }
                marey_means(source, length, scale, target, smooth.count)
            }
        }
    }

    /// `sharp` begins at `start`.
    private mutating func sharpen() {
        let sharpness = sharpness
        // Means next to one another make up the mean over a beat and more.
        let spacing = 2 * smoothing + 1
        let side = profile.isUpright ? sharpness / spacing : 0
        let scale = 1 / Float(2 * side + 1)
        if side > 0 {
            for place in bare.indices {
                var sum = smooth[place + sharpness]
                for tap in 1...side {
                    sum += smooth[place + sharpness - tap * spacing] + smooth[place + sharpness + tap * spacing]
                }
                bare[place] = smooth[place + sharpness] - sum * scale
            }
        } else if profile.isUpright {
            for place in bare.indices { bare[place] = smooth[place + sharpness] }
        }
        smooth.withUnsafeBytes { smooth in
            func load(_ place: Int) -> SIMD8<Float> {
                smooth.loadUnaligned(fromByteOffset: place &* 4, as: SIMD8<Float>.self)
            }
            sharp.withUnsafeMutableBytes { sharp in
                power.withUnsafeMutableBytes { power in
                    for vector in 0..<sharp.count / 32 {
                        let place = vector &* 8
                        let middle = place &+ sharpness
                        var result = load(middle)
                        if side > 0 {
                            // What stands above the mean; troughs are no beats.
                            var sum = result
                            for tap in 1...side {
                                sum += load(middle &- tap &* spacing) + load(middle &+ tap &* spacing)
                            }
                            result = (result - sum * scale).positive
                        } else {
                            result -= (load(place) + load(middle &+ sharpness)) * 0.5
                        }
                        sharp.storeBytes(of: result, toByteOffset: vector &* 32, as: SIMD8<Float>.self)
                        power.storeBytes(of: result * result, toByteOffset: vector &* 32, as: SIMD8<Float>.self)
                    }
                }
            }
        }
    }

    /// The smoothed sample at index `index` of the run, counted from the stretch's first sample.
    func smoothPlace(of index: Int) -> Int { index - start + sharpness }

    /// The square of the signal in which beats stand out, in `range` of the run.
    func powers(in range: Range<Int>) -> ArraySlice<Float> {
        power[range.lowerBound - start..<range.upperBound - start]
    }

    private func places(around index: Int, reach: Int) -> Range<Int> {
        (index - start - reach..<index - start + reach + 1).clamped(to: 0..<count)
    }

    /// How far the signal in which beats stand out goes near `index`, an index in the run.
    func height(around index: Int, reach: Int) -> Float {
        var highest: Float = 0
        for place in places(around: index, reach: reach) { highest = max(highest, power[place]) }
        return highest.squareRoot()
    }

    /// The middle of the power near `index`, an index in the run.
    func middle(around index: Int, reach: Int) -> Int {
        var middle = index
        for _ in 0..<2 {
            var sum: Float = 0
            var moment: Float = 0
            for place in places(around: middle, reach: reach) {
                sum += power[place]
                moment += power[place] * Float(place + start - middle)
            }
            guard sum > 0, moment.isFinite, abs(moment) <= sum * Float(reach) else { return middle }
            let shift = Int((moment / sum).rounded())
            guard shift != 0 else { return middle }
            middle += shift
        }
        return middle
    }

    /// The range of the smoothed signal about a beat's main wave, at an index in the run; 0 where the level does not come back
    /// after it, as at a step that looks like a beat, and nil where it is not worked out.
    func wave(around index: Int) -> Float? {
        let reach = Int((0.08 * rate).rounded())
        let (near, far) = (Int((0.12 * rate).rounded()), Int((0.18 * rate).rounded()))
        let middle = smoothPlace(of: index)
        guard middle - far >= 0, middle + far < smooth.count else { return nil }
        var (lowest, highest) = (smooth[middle], smooth[middle])
        for place in middle - reach...middle + reach {
            lowest = min(lowest, smooth[place])
            highest = max(highest, smooth[place])
        }
        var change: Float = 0
        for distance in near...far { change += smooth[middle + distance] - smooth[middle - distance] }
        let isStep = abs(change) > Float(far - near + 1) * (highest - lowest) / 2
        return isStep ? 0 : highest - lowest
    }

    /// Adds to `cell` what is seen of the signal within `step`.
    /// - Parameter waves: the beats near it, as indices in the run, and the ranges of their waves.
    mutating func measure(
        _ step: Range<Int>, waves: [(place: Int, size: Float)], into cell: inout SignalCell
    ) {
        let offset = step.lowerBound - start
        let length = max(2, Int((0.04 * rate).rounded()))
        var sum: Float = 0
        let bins = step.count / length
        Self.resize(&parts, to: max(bins, 1))
        power.withUnsafeBufferPointer { power in
            parts.withUnsafeMutableBufferPointer { parts in
                guard let base = power.baseAddress, let sums = parts.baseAddress else { return }
                marey_parts(base + offset, length, bins, sums)
                for bin in 0..<bins { sum += sums[bin] }
                sum += marey_part(base + offset + bins * length, step.count - bins * length)
                cell.background = MiddleValue.of(bins) { sums[$0] / Float(length) }
            }
        }
        cell.form = step.isEmpty ? 0 : sum / Float(step.count)
        measureLevels(offset + sharpness + smoothing, step.count, waves: waves, into: &cell)
    }

    /// Means over 0.2 s, before and after every twentieth of a second, 0.15 s apart so that a beat fits between them.
    private mutating func measureLevels(
        _ offset: Int, _ count: Int, waves: [(place: Int, size: Float)], into cell: inout SignalCell
    ) {
        if profile.isUpright { measureBareLevels(offset - sharpness - smoothing, count, into: &cell) }
        let first = start + offset - sharpness - smoothing
        let steps = (count + quarter - 1) / quarter
        let scale = 1 / Float(4 * quarter)
        Self.resize(&parts, to: steps + 10)
        raw.withUnsafeBufferPointer { raw in
            parts.withUnsafeMutableBufferPointer { parts in
                guard let base = raw.baseAddress, let sums = parts.baseAddress else { return }
                marey_parts(base + (offset - 6 * quarter), quarter, parts.count, sums)
            }
        }
        var (jump, pop, lowest, highest) = (Float(0), Float(0), Float.infinity, -Float.infinity)
        parts.withUnsafeBufferPointer { parts in
            func level(_ place: Int) -> Float {
                (parts[place] + parts[place + 1] + (parts[place + 2] + parts[place + 3])) * scale
            }
            for place in 0..<steps {
                let after = level(place + 7)
                let step = abs(after - level(place))
                jump = max(jump, step)
                if step > pop, !isOfBeat(step, at: first + (2 * place - 1) * quarter / 2, waves) { pop = step }
                lowest = min(lowest, after)
                highest = max(highest, after)
            }
        }
        cell.jump = max(cell.jump, jump)
        cell.pop = max(cell.pop, pop)
        cell.lowestLevel = min(cell.lowestLevel, origin + lowest)
        cell.highestLevel = max(cell.highestLevel, origin + highest)
    }

    /// The range of the level without slow wander, which may be many pulses large.
    private mutating func measureBareLevels(_ offset: Int, _ count: Int, into cell: inout SignalCell) {
        let length = 4 * quarter
        let scale = 1 / Float(length)
        for place in stride(from: offset, to: offset + count, by: quarter) {
            var sum: Float = 0
            for index in place..<place + length { sum += bare[index] }
            cell.lowestBare = min(cell.lowestBare, sum * scale)
            cell.highestBare = max(cell.highestBare, sum * scale)
        }
    }

    /// The seconds before and after a beat in which its waves move the level, and the largest such move as a share of the range
    /// of its main wave.
    private static let waveReach = (before: 0.35, after: 0.65)
    private static let waveShare: Float = 1.2

    /// Returns true where a beat nearby explains a change of the level: the wave of a detected beat is no moved electrode.
    private func isOfBeat(_ step: Float, at index: Int, _ waves: [(place: Int, size: Float)]) -> Bool {
        let (before, after) = (Int(Self.waveReach.before * rate), Int(Self.waveReach.after * rate))
        return waves.contains { wave in
            step <= Self.waveShare * wave.size && index >= wave.place - before && index <= wave.place + after
        }
    }
}
