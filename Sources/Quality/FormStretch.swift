/// A stretch of signal around one step, worked out: its level, the signal in which beats stand out, and the beats of
/// the second detector.
struct FormStretch: Sendable {
    private let profile: SignalProfile
    private let rate: Double
    private let smoothing: Int
    private let sharpness: Int
    private let event: Int
    private let cycle: Int
    private let levelLength: Int
    /// Samples before and after the step that are worked out too.
    let margin: Int
    /// Index, in the run, of the first sample worked out.
    private(set) var start = 0
    private var raw: [Float] = []
    private var sums: [Double] = []
    /// The smoothed signal, and the one in which beats stand out.
    private(set) var smooth: [Float] = []
    private(set) var sharp: [Float] = []
    private var powerSums: [Float] = []
    private var bins: [Float] = []
    /// Beats of the second detector, as indices in the run.
    private(set) var beats: [Int] = []

    init(_ profile: SignalProfile, rate: Double) {
        self.profile = profile
        self.rate = rate
        func half(_ seconds: Double) -> Int { Int((seconds * rate / 2).rounded()) }
        smoothing = half(profile.smoothing)
        sharpness = max(1, Int((profile.sharpness * rate).rounded()))
        event = max(1, half(profile.event))
        cycle = max(2, half(profile.cycle))
        levelLength = max(1, Int((0.2 * rate).rounded()))
        margin = Int((Self.reach(profile) * rate).rounded(.up)) + 10
    }

    /// Seconds before and after a step that are worked out too: a beat's form, a mean over a beat and a whole wave.
    static func reach(_ profile: SignalProfile) -> Double {
        max(max(profile.before, profile.after) + 0.1, profile.cycle / 2 + profile.event + 0.05)
    }

    /// Works out the stretch around `step`, a range of the run.
    mutating func prepare(_ signal: FormSignal, step: Range<Int>, meanPower: Float) {
        let padding = sharpness + smoothing
        start = step.lowerBound - margin
        signal.copy(start - padding..<step.upperBound + margin + padding, into: &raw)
        sums.removeAll(keepingCapacity: true)
        // Relative to the first sample, so that a large offset costs no digits.
        let origin = raw.first ?? 0
        var sum = 0.0
        sums.append(0)
        for value in raw {
            sum += Double(value - origin)
            sums.append(sum)
        }
        smoothen(origin)
        sharpen()
        findBeats(meanPower)
    }

    private func mean(_ lower: Int, _ upper: Int) -> Double { (sums[upper] - sums[lower]) / Double(upper - lower) }

    private mutating func smoothen(_ origin: Float) {
        let length = 2 * smoothing + 1
        let scale = 1 / Double(length)
        Self.resize(&smooth, to: raw.count - 2 * smoothing)
        smooth.withUnsafeMutableBufferPointer { smooth in
            sums.withUnsafeBufferPointer { sums in
                for place in smooth.indices {
                    smooth[place] = Float((sums[place + length] - sums[place]) * scale) + origin
                }
            }
        }
    }

    private static func resize(_ samples: inout [Float], to count: Int) {
        if samples.count > count { samples.removeLast(samples.count - count) }
        if samples.count < count { samples.append(contentsOf: repeatElement(0, count: count - samples.count)) }
    }

    /// `smooth` begins `sharpness` samples before `start`, `sharp` at `start`.
    private mutating func sharpen() {
        let count = smooth.count - 2 * sharpness
        let (sharpness, smoothing) = (sharpness, smoothing)
        let origin = raw.first ?? 0
        let scale = 1 / Double(2 * sharpness + 1)
        let isUpright = profile.isUpright
        Self.resize(&sharp, to: count)
        sharp.withUnsafeMutableBufferPointer { sharp in
            smooth.withUnsafeBufferPointer { smooth in
                sums.withUnsafeBufferPointer { sums in
                    for place in 0..<count {
                        if isUpright {
                            // What stands above the mean over a beat and more; troughs are no beats.
                            let first = place + smoothing
                            let level = Float((sums[first + 2 * sharpness + 1] - sums[first]) * scale)
                            sharp[place] = max(0, smooth[place + sharpness] - level - origin)
                        } else {
                            let around = smooth[place] + smooth[place + 2 * sharpness]
                            sharp[place] = smooth[place + sharpness] - around * 0.5
                        }
                    }
                }
            }
        }
        powerSums.removeAll(keepingCapacity: true)
        powerSums.append(0)
        var sum: Float = 0
        for value in sharp {
            sum += value * value
            powerSums.append(sum)
        }
    }

    /// The smoothed sample at index `index` of the run, counted from the stretch's first sample.
    func smoothPlace(of index: Int) -> Int { index - start + sharpness }

    private func places(around index: Int, reach: Int) -> Range<Int> {
        (index - start - reach..<index - start + reach + 1).clamped(to: sharp.indices)
    }

    /// How far the signal in which beats stand out goes near `index`, an index in the run.
    func height(around index: Int, reach: Int) -> Float {
        var height: Float = 0
        for place in places(around: index, reach: reach) { height = max(height, abs(sharp[place])) }
        return height
    }

    /// The middle of the power near `index`, an index in the run.
    func middle(around index: Int, reach: Int) -> Int {
        var middle = index
        for _ in 0..<2 {
            var sum: Float = 0
            var moment: Float = 0
            for place in places(around: middle, reach: reach) {
                let power = sharp[place] * sharp[place]
                sum += power
                moment += power * Float(place + start - middle)
            }
            guard sum > 0, moment.isFinite, abs(moment) <= sum * Float(reach) else { return middle }
            middle += Int((moment / sum).rounded())
        }
        return middle
    }

    /// Beats after Elgendi's two moving averages (PLoS ONE 8:e76585, 2013; for ECG Elgendi et al. 2010): where the mean
    /// power over a beat's main wave is above that over a whole beat and a share of the overall mean, there is a beat,
    /// at the highest sample.
    private mutating func findBeats(_ meanPower: Float) {
        beats.removeAll(keepingCapacity: true)
        let first = cycle
        let last = sharp.count - cycle - 1
        guard first < last else { return }
        let eventScale = 1 / Float(2 * event + 1)
        let cycleScale = 1 / Float(2 * cycle + 1)
        let shortest = max(1, Int((profile.shortest * rate).rounded()))
        var blockStart = -1
        for place in first...last {
            let wave = (powerSums[place + event + 1] - powerSums[place - event]) * eventScale
            let whole = (powerSums[place + cycle + 1] - powerSums[place - cycle]) * cycleScale
            let isBeat = wave > whole + 0.08 * meanPower && place < last
            if isBeat {
                if blockStart < 0 { blockStart = place }
            } else if blockStart >= 0 {
                if place - blockStart >= event { addBlock(blockStart..<place, shortest) }
                blockStart = -1
            }
        }
    }

    private mutating func addBlock(_ block: Range<Int>, _ shortest: Int) {
        var best = block.lowerBound
        for place in block where abs(sharp[place]) > abs(sharp[best]) { best = place }
        let index = start + best
        if let previous = beats.last, index - previous < shortest {
            if abs(sharp[previous - start]) < abs(sharp[best]) { beats[beats.count - 1] = index }
        } else {
            beats.append(index)
        }
    }

    /// Adds to `cell` what is seen of the signal within `step`.
    mutating func measure(_ step: Range<Int>, into cell: inout SignalCell) {
        let offset = step.lowerBound - start
        let binLength = max(2, Int((0.04 * rate).rounded()))
        bins.removeAll(keepingCapacity: true)
        var place = offset
        while place + binLength <= offset + step.count {
            bins.append(power(place..<place + binLength))
            place += binLength
        }
        cell.background = bins.middle()
        cell.form = step.isEmpty ? 0 : power(offset..<offset + step.count)
        measureLevels(offset + sharpness + smoothing, step.count, into: &cell)
    }

    private func power(_ places: Range<Int>) -> Float {
        var sum: Float = 0
        for place in places { sum += sharp[place] * sharp[place] }
        return sum / Float(places.count)
    }

    private func measureLevels(_ offset: Int, _ count: Int, into cell: inout SignalCell) {
        let origin = Double(raw.first ?? 0)
        let gap = max(1, levelLength / 3)
        var place = offset
        while place < offset + count {
            let after = Float(mean(place + gap, place + gap + levelLength))
            let before = Float(mean(place - gap - levelLength, place - gap))
            cell.jump = max(cell.jump, abs(after - before))
            cell.lowestLevel = min(cell.lowestLevel, Float(origin) + after)
            cell.highestLevel = max(cell.highestLevel, Float(origin) + after)
            place += max(1, levelLength / 4)
        }
    }
}
