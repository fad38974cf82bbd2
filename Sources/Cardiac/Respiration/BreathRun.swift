import Foundation
import Kernels
import Signals

/// A breath and its form.
struct FormedBreath {
    var breath: Breath
    /// The signal at 16 even places from the previous breath's peak to this one's, less its mean, of unit length; zero
    /// for the first breath of a run.
    var form: SIMD16<Float>
}

/// Looks for breaths in one run of evenly spaced samples, second by second.
struct BreathRun {
    private static let smoothing: Seconds = 0.2
    private static let trend: Seconds = 15
    private static let around: Seconds = 15
    /// The slowest breath rises in so long; what lies before, as where breathing stopped, is none of it.
    private static let longestRise: Seconds = 20
    /// Breaths farther apart, from peak to peak, do not follow each other.
    private static let longestBreath: Seconds = 30
    /// Largest share of an interval between breaths that holes may be: one that hides a breath lasts for more than two
    /// fifths of it, and so for more than a fifth of the interval over two that comes of it.
    private static let largestShareOfHoles = 0.2
    /// Share of the usual swing that a turning point must be followed by.
    private static let hysteresis = 0.33
    /// And multiple of the standard deviation that noise has once it is smoothed: white noise alone has four swings as
    /// large as this in a quarter of an hour.
    private static let noiseFactor = 6.0

    private let onset: Seconds
    private let rate: Double
    /// Half a sample of the source, whose samples each stand for the time up to the next.
    private let halfSample: Seconds
    private let kernel: [Double]
    /// What smoothing leaves of the standard deviation of white noise.
    private let noiseGain: Double
    private var raw = PlacedValues()
    private var smooth = PlacedValues()
    private var level = PlacedValues()
    private var isClosed = false
    private var ticks = 0
    private var search = TurningPoints()
    /// The last breath.
    private var lastPeak: Int?
    private var lastOnset = 0.0
    private var breaths: [FormedBreath] = []
    /// Where values stand on a line over missing ones.
    private var holes: [Range<Int>] = []
    private var decided = 0
    private var reported = 0

    init(onset: Seconds, rate: Double, halfSample: Seconds) {
        self.onset = onset
        self.rate = rate
        self.halfSample = halfSample
        let half = Int((3 * Self.smoothing * rate).rounded(.up))
        kernel = (-half...half).map {
            exp(-0.5 * (Double($0) / rate / Self.smoothing) * (Double($0) / rate / Self.smoothing))
        }
        noiseGain = kernel.reduce(0) { $0 + $1 * $1 }.squareRoot() / kernel.reduce(0, +)
    }

    /// - Parameter isMissing: whether the value stands on the line over a hole.
    mutating func append(_ value: Double, isMissing: Bool = false) {
        if isMissing {
            let isNext = holes.last?.upperBound == raw.end
            let start = isNext ? holes.removeLast().lowerBound : raw.end
            holes.append(start..<raw.end + 1)
        }
        raw.append(value)
        advance()
    }

    mutating func close() {
        isClosed = true
        advance()
    }

    /// Whether more of the run is decided than was taken.
    var hasNews: Bool { decided > reported }

    /// What was decided since the last time: breaths, and the stretch.
    mutating func takeNews() -> BreathCore.News {
        defer {
            breaths.removeAll(keepingCapacity: true)
            reported = decided
        }
        let bridged = holes.map { $0.clamped(to: reported..<decided) }.filter { !$0.isEmpty }
        return .init(
            breaths: breaths, stretch: .init(start: edge(reported), end: edge(decided)),
            holes: bridged.map { .init(start: edge($0.lowerBound), end: edge($0.upperBound)) })
    }

    /// Where the time that a value stands for begins.
    private func edge(_ place: Int) -> Seconds { time(Double(place) - 0.5) + halfSample }

    private func time(_ place: Double) -> Seconds { onset + place / rate }

    private mutating func advance() {
        extendSmooth()
        extendLevel()
        let reach = Int(Self.around * rate)
        let perTick = max(1, Int(rate.rounded()))
        while true {
            let (from, to) = (ticks * perTick, min((ticks + 1) * perTick, isClosed ? raw.end : .max))
            guard to > from, isClosed ? from < raw.end : to + reach <= level.end else { break }
            let near = max(0, from - reach)..<min(to + reach, level.end)
            let threshold = max(Self.hysteresis * usualSwing(near), Self.noiseFactor * noiseGain * noise(near))
            for place in from..<to { look(at: place, threshold: threshold) }
            ticks += 1
            // A turning point may take a slow breath to show.
            decided = isClosed ? raw.end : max(decided, to - reach)
            forget(before: from - 3 * reach)
        }
        if isClosed { decided = raw.end }
    }

    /// The kernel is cut at the ends of the run.
    private mutating func extendSmooth() {
        let half = kernel.count / 2
        while smooth.end < raw.end, isClosed || smooth.end + half < raw.end {
            let place = smooth.end
            var (sum, weights) = (0.0, 0.0)
            for other in max(0, place - half)...min(raw.end - 1, place + half) {
                let weight = kernel[other - place + half]
                sum += weight * raw[other]
                weights += weight
            }
            smooth.append(sum / weights)
        }
    }

    private mutating func extendLevel() {
        let half = Int(Self.trend / 2 * rate)
        while level.end < smooth.end, isClosed || level.end + half < smooth.end {
            let place = level.end
            let (from, to) = (max(0, place - half), min(smooth.end - 1, place + half))
            level.append(smooth[place] - smooth.sum(from...to) / Double(to - from + 1))
        }
    }

    /// From the tenth to the ninetieth centile.
    private func usualSwing(_ places: Range<Int>) -> Double {
        let values = stride(from: places.lowerBound, to: places.upperBound, by: 2).map { level[$0] }.sorted()
        return sortedQuantile(values, 0.9) - sortedQuantile(values, 0.1)
    }

    /// Standard deviation of white noise whose samples lie as far from the middle of their neighbours. At less than 8 Hz
    /// fast breathing is as rough as noise, and none is told.
    private func noise(_ places: Range<Int>) -> Double {
        guard rate >= 8 else { return 0 }
        let distances = places.dropFirst().dropLast().map { abs(raw[$0] - (raw[$0 - 1] + raw[$0 + 1]) / 2) }.sorted()
        return distances.isEmpty ? 0 : sortedQuantile(distances, 0.5) / 0.826
    }

    private mutating func look(at place: Int, threshold: Double) {
        guard let peak = search.push(level[place], at: place, threshold: threshold), let lowest = search.trough else {
            return
        }
        let first = max(0, peak - Int(Self.longestRise * rate))
        let isLate = lowest < first
        guard (isLate ? first : lowest) >= max(smooth.start, level.start) else {
            // Too long ago to be known.
            lastPeak = nil
            return
        }
        let trough =
            isLate ? foot(of: peak, after: first) : deepest(from: search.crest ?? 0, to: peak, near: lowest)
        let (start, top) = (vertex(trough), vertex(peak))
        let isBroken = hasLargeHoles(from: lastOnset, to: start.place)
        let before = lastPeak.flatMap { isBroken || Double(peak - $0) > Self.longestBreath * rate ? nil : $0 }
        let breath = Breath(
            onset: time(start.place), peak: time(top.place), amplitude: smooth[peak] - smooth[trough],
            followsBreak: before == nil)
        breaths.append(FormedBreath(breath: breath, form: before.map { form($0...peak) } ?? .zero))
        (lastPeak, lastOnset) = (peak, start.place)
    }

    /// Whether too much of the interval from `onset` to `next` is missing.
    private func hasLargeHoles(from onset: Double, to next: Double) -> Bool {
        let within = holes.filter { Double($0.upperBound) > onset && Double($0.lowerBound) < next }
        let missing = within.reduce(0) { $0 + $1.count }
        return Double(missing) > Self.largestShareOfHoles * (next - onset)
    }

    /// The lowest place between two peaks, of which `trough` is the lowest less the trend. In a pause of breath the trend
    /// tilts the signal, and near the ends of a run, where half of it is unknown, by something else than within: taken
    /// from there, the interval after or before a gap would be wrong by up to the pause.
    private func deepest(from crest: Int, to peak: Int, near trough: Int) -> Int {
        let first = max(crest, peak - Int(Self.longestRise * rate), smooth.start)
        let place = (first..<peak).reduce(trough) { smooth[$1] < smooth[$0] ? $1 : $0 }
        // Where the signal rises from the first place on, none is a trough.
        return place == first ? trough : place
    }

    /// Where the rise to a peak begins that nothing came before: the last place within a tenth of its height.
    private func foot(of peak: Int, after first: Int) -> Int {
        let lowest = (first..<peak).reduce(level[peak]) { min($0, level[$1]) }
        let low = lowest + 0.1 * (level[peak] - lowest)
        return (first..<peak).last { level[$0] <= low } ?? first
    }

    private func vertex(_ place: Int) -> (place: Double, value: Double) {
        guard place > smooth.start, place + 1 < smooth.end else { return (Double(place), smooth[place]) }
        let (a, b, c) = (smooth[place - 1], smooth[place], smooth[place + 1])
        let bend = a - 2 * b + c
        guard bend != 0 else { return (Double(place), b) }
        let shift = max(-0.5, min(0.5, 0.5 * (a - c) / bend))
        return (Double(place) + shift, b - 0.25 * (a - c) * shift)
    }

    private func form(_ places: ClosedRange<Int>) -> SIMD16<Float> {
        // A pause longer than memory has no form.
        guard places.lowerBound >= level.start else { return .zero }
        var form = SIMD16<Float>()
        for index in 0..<16 {
            let place = Double(places.lowerBound) + Double(places.count - 1) * Double(index) / 15
            let below = min(Int(place), places.upperBound - 1)
            let share = place - Double(below)
            form[index] = Float(level[below] * (1 - share) + level[below + 1] * share)
        }
        form -= form.sum() / 16
        let length = (form * form).sum().squareRoot()
        return length > 0 ? form / length : .zero
    }

    private mutating func forget(before place: Int) {
        raw.forget(before: place)
        smooth.forget(before: place)
        level.forget(before: place)
        holes.removeFirst(holes.firstIndex { $0.upperBound >= level.start } ?? holes.count)
    }
}
