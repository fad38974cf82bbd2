import Kernels
import Signals

/// The band-passed differences between electrodes at 40 to 120 Hz, and the tops and steps in them.
struct EyeTrace: Sendable {
    /// An event, its place and width in samples of the trace.
    struct Found {
        var kind: EyeEvent.Kind
        var place: Double
        var width: Double
        var amplitude: Double
    }

    /// Seconds that must follow an event before it is judged.
    static let ahead = 1.5
    /// Seconds before it over which the usual spread is told.
    private static let past = 8.0
    /// Seconds of those that must show something: as many as there are where a run begins.
    private static let least = ahead
    /// The least height of a blink above the level between blinks, and the least step of a saccade, in µV.
    private static let (leastBlink, leastSaccade) = (25.0, 20.0)

    private let rate: Double
    private let hasBoth: Bool
    private let hasAcross: Bool
    private var left: [Float] = []
    private var right: [Float] = []
    private var across: [Float] = []
    /// Place of the first value held, and of the next to be judged.
    private var first = 0
    private(set) var settled = 0
    private var lastBlink = -1_000_000.0
    private var lastSaccade = -1_000_000.0
    /// The spread of each trace, renewed every quarter of a second.
    private var spread = (left: 0.0, right: 0.0, both: 0.0, speed: 0.0)
    /// Whether a side has less than a tenth of the other's spread.
    private var isDead = (left: false, right: false)
    /// Where both sides are between blinks: below zero where there are many, as the band-pass has taken the mean out.
    private var level: Float = 0
    private var spreadUntil = 0
    /// Whether no hole hides anything of what is usual up to there.
    private var isWhole = true
    /// Whether up to there a blink, or a saccade, is large enough at all.
    private var mayHold = (blink: true, saccade: true)
    private var ranks = FloatRanks()

    init(_ derivation: EyeDerivation, rate: Double) {
        self.rate = rate
        hasBoth = derivation.left != nil && derivation.right != nil
        hasAcross = derivation.across != nil
    }

    /// The next values of each difference.
    mutating func push(_ block: SampleBlock) {
        left += block.samples[block.range(ofChannel: 0)]
        right += block.samples[block.range(ofChannel: rightRow)]
        if hasAcross { across += block.samples[block.range(ofChannel: block.channelCount - 1)] }
    }

    private func samples(_ seconds: Double) -> Int { Int((seconds * rate).rounded()) }

    /// Judges all places that enough follows.
    mutating func advance(isEnd: Bool, _ holes: EyeHoles, into found: inout [Found]) {
        let end = first + left.count - (isEnd ? 0 : samples(Self.ahead) + 1)
        while settled < end {
            if settled >= spreadUntil { lookAhead(holes) }
            guard mayHold.blink || mayHold.saccade else {
                settled = min(spreadUntil, end)
                continue
            }
            if mayHold.blink { judgeBlink(holes, into: &found) }
            if mayHold.saccade { judgeSaccade(holes, into: &found) }
            settled += 1
        }
        let unneeded = settled - samples(Self.past) - samples(1) - first
        guard unneeded > samples(2) else { return }
        left.removeFirst(unneeded)
        right.removeFirst(unneeded)
        if hasAcross { across.removeFirst(unneeded) }
        first += unneeded
    }

    /// The places that the usual spread is taken from, in what is held.
    private var around: Range<Int> {
        max(0, settled - first - samples(Self.past))..<min(left.count, settled - first + samples(Self.ahead) + 1)
    }

    /// Prepares for the next quarter of a second. Most of them rise too little for either event, whatever the spread.
    private mutating func lookAhead(_ holes: EyeHoles) {
        spreadUntil = settled + max(1, samples(0.25))
        let quarter = settled - first..<min(spreadUntil - first, left.count)
        let window = around.lowerBound + first..<around.upperBound + first
        isWhole = holes.isOpen(window)
        mayHold = (!isWhole || mayBlink(quarter), hasAcross && maySaccade(quarter))
        guard mayHold.blink || mayHold.saccade else { return }
        if isWhole { renewSpread() } else { renewSpread(window, beside: holes) }
    }

    /// Whether a place stands by the least height of a blink above the lowest level there may be.
    private func mayBlink(_ quarter: Range<Int>) -> Bool {
        var top = -Float.infinity
        for place in quarter { top = max(top, max(left[place], right[place])) }
        // A microvolt, or a millionth, is more than rounding does.
        let floor = top - Float(Self.leastBlink) + max(1, abs(top) * 1e-6)
        let around = around
        let higher = Scans.count(left.span.extracting(around), right.span.extracting(around), above: floor)
        return 2 * higher <= around.count + 1
    }

    private func maySaccade(_ quarter: Range<Int>) -> Bool {
        let first = max(quarter.lowerBound, reach)
        let end = min(quarter.upperBound, across.count - reach)
        guard first < end else { return false }
        let fastest = Scans.largestDifference(across.span, around: first..<end, reach: reach)
        return !(fastest < Float(Self.leastSaccade))
    }

    private mutating func renewSpread() {
        let held = around
        let (left, right, across) = (left, right, across)
        isDead = (false, false)
        if hasBoth { compareSides(left.span.extracting(held), right.span.extracting(held)) }
        var heights = isDead.left ? Array(right[held]) : Array(left[held])
        if !isDead.left && !isDead.right { Scans.lower(&heights, to: right.span.extracting(held)) }
        renewSpread(ofHeights: &heights)
        if mayHold.saccade {
            // Whatever is yet to come does not change these.
            let known = max(held.lowerBound, reach)..<max(held.upperBound - reach, held.lowerBound, reach)
            let speeds = Scans.differences(across.span, around: known, reach: reach)
            spread.speed = spread(of: speeds.span, before: spread.speed)
        }
    }

    private mutating func renewSpread(ofHeights heights: inout [Float]) {
        renewLevel(heights)
        for index in heights.indices { heights[index] -= level }
        spread.both = spread(of: heights.span, before: spread.both)
    }

    /// The same of what holes leave of the places of `window`; nothing is judged where that is too little.
    private mutating func renewSpread(_ window: Range<Int>, beside holes: EyeHoles) {
        func open(_ rows: [Int]) -> [Int] { holes.open(window, rows).flatMap { Array($0) } }
        func shows(_ places: [Int], _ row: Int) -> Bool {
            places.count >= samples(Self.least) && !holes.hide(settled, [row])
        }
        let (here, there) = (open([0]), open([rightRow]))
        isDead = (!shows(here, 0), !shows(there, rightRow))
        if hasBoth, !isDead.left, !isDead.right {
            let one = here.map { left[$0 - first] }
            let other = there.map { right[$0 - first] }
            compareSides(one.span, other.span)
        }
        var heights = sides.isEmpty ? [] : open(sides).map { height($0) }
        mayHold.blink = heights.count >= samples(Self.least)
        if mayHold.blink { renewSpread(ofHeights: &heights) }
        guard mayHold.saccade else { return }
        let speeds = open([acrossRow]).filter { isHeld($0 - reach) && window.contains($0 + reach) }.map { speed($0) }
        mayHold.saccade = speeds.count >= samples(Self.least) - 2 * reach
        if mayHold.saccade { spread.speed = spread(of: speeds.span, before: spread.speed) }
    }

    private var rightRow: Int { hasBoth ? 1 : 0 }
    private var acrossRow: Int { rightRow + 1 }
    /// The differences that blinks are looked for in.
    private var sides: [Int] { (isDead.left ? [] : [0]) + (isDead.right || !hasBoth ? [] : [1]) }

    /// Tells a dead side. Mostly counts tell that there is none: both spreads are within a third and three times of what
    /// they were.
    private mutating func compareSides(_ left: Span<Float>, _ right: Span<Float>) {
        let usual = Float(0.3853 * (spread.left * spread.right).squareRoot())
        if lies(spreadOf: left, about: usual) && lies(spreadOf: right, about: usual) {
            isDead = (false, false)
            return
        }
        spread.left = spread(of: left, before: spread.left)
        spread.right = spread(of: right, before: spread.right)
        isDead = (spread.left < 0.1 * spread.right, spread.right < 0.1 * spread.left)
    }

    /// Whether the quantile that `spread` takes is certainly within a third and three times of `usual`.
    private func lies(spreadOf values: Span<Float>, about usual: Float) -> Bool {
        guard usual > 0 else { return false }
        let (below, reached) = Scans.countMagnitudes(values, below: usual / 3, upTo: usual * 3)
        let rank = Int(Self.low * Double(values.count - 1))
        return below <= rank && reached >= min(rank + 2, values.count)
    }

    /// The quantile of magnitudes that tells a spread.
    private static let low = 0.3

    /// Of normal values three tenths are below 0.3853 standard deviations; frequent blinks do not reach there.
    private mutating func spread(of values: Span<Float>, before: Double) -> Double {
        let usual = Float(0.3853 * before)
        ranks.load(magnitudesOf: values)
        return ranks.quantile(Self.low, expected: Self.around(usual, 0.07 * usual)) / 0.3853
    }

    private mutating func renewLevel(_ heights: [Float]) {
        ranks.load(heights.span)
        level = Float(ranks.quantile(0.5, expected: Self.around(level, Float(0.04 * spread.both))))
    }

    private static func around(_ middle: Float, _ reach: Float) -> ClosedRange<Float>? {
        middle.isFinite && reach > 0 && reach.isFinite ? middle - reach...middle + reach : nil
    }

    /// What both sides show; a side that is dead beside the other is not asked.
    private func height(_ place: Int) -> Float {
        let (l, r) = (left[place - first], right[place - first])
        return isDead.left ? r : isDead.right ? l : min(l, r)
    }

    private var leastHeight: Double { max(Self.leastBlink, 4.5 * spread.both) }

    private func isHeld(_ place: Int) -> Bool { place >= first && place < first + left.count }

    private mutating func judgeBlink(_ holes: EyeHoles, into found: inout [Found]) {
        let here = height(settled)
        let amplitude = here - level
        guard Double(amplitude) >= leastHeight, amplitude < 1_000, isTop(here) else { return }
        guard let before = flank(here, direction: -1), let after = flank(here, direction: 1) else { return }
        let width = before + after
        guard width >= 0.07 * rate, width <= 0.45 * rate, Double(settled) - lastBlink >= 0.12 * rate else { return }
        guard isWhole || !holes.hide(settled, sides) else { return }
        lastBlink = Double(settled)
        found.append(Found(kind: .blink, place: top(here), width: width, amplitude: Double(amplitude)))
    }

    /// Whether nothing within a tenth of a second is higher.
    private func isTop(_ here: Float) -> Bool {
        let near = max(1, samples(0.1))
        for place in settled - near...settled + near where place != settled && isHeld(place) {
            if height(place) > here || (place < settled && height(place) == here) { return false }
        }
        return true
    }

    /// How far it is to the middle between the top and the lowest place within a quarter of a second, if within 0.4 s
    /// the trace falls to four tenths of its height.
    private func flank(_ here: Float, direction: Int) -> Double? {
        let (low, near) = (level + 0.4 * (here - level), settled + direction * max(1, samples(0.25)))
        let beside = min(settled, near)...max(settled, near)
        // The band-pass digs beside a blink what it takes from under it; another blink close by digs too.
        let middle = (here + beside.reduce(here) { isHeld($1) ? min($0, height($1)) : $0 }) / 2
        var half: Double?
        for distance in 1...max(1, samples(0.4)) {
            let place = settled + direction * distance
            guard isHeld(place) else { return nil }
            let value = height(place)
            if half == nil, value <= middle {
                let last = height(place - direction)
                half = Double(distance - 1) + (last > value ? Double((last - middle) / (last - value)) : 1)
            }
            if value <= low, let half { return half }
        }
        return nil
    }

    /// The top of the parabola through the highest value and its neighbours.
    private func top(_ here: Float) -> Double {
        guard isHeld(settled - 1), isHeld(settled + 1) else { return Double(settled) }
        let (a, b, c) = (Double(height(settled - 1)), Double(here), Double(height(settled + 1)))
        let bend = a - 2 * b + c
        return bend < 0 ? Double(settled) + min(max((a - c) / (2 * bend), -0.5), 0.5) : Double(settled)
    }

    private var reach: Int { max(1, samples(0.025)) }

    /// The change between the temples over about 50 ms around a place.
    private func speed(_ place: Int) -> Float {
        guard isHeld(place - reach), isHeld(place + reach) else { return 0 }
        return across[place + reach - first] - across[place - reach - first]
    }

    private mutating func judgeSaccade(_ holes: EyeHoles, into found: inout [Found]) {
        let here = speed(settled)
        guard Double(abs(here)) >= max(Self.leastSaccade, 6 * spread.speed), abs(here) < 500 else { return }
        let near = max(1, samples(0.12))
        for place in settled - near...settled + near where place != settled && isHeld(place) {
            if abs(speed(place)) > abs(here) || (place < settled && abs(speed(place)) == abs(here)) { return }
        }
        // Lids that close move the temples too.
        let isBlink = (settled - near * 2...settled + near * 2).contains {
            isHeld($0) && Double(height($0) - level) >= leastHeight
        }
        guard !isBlink, Double(settled) - lastSaccade >= 0.15 * rate else { return }
        guard isWhole || !holes.hide(settled, [acrossRow]) else { return }
        lastSaccade = Double(settled)
        found.append(
            Found(
                kind: here > 0 ? .saccadeLeft : .saccadeRight, place: Double(settled), width: Double(2 * reach),
                amplitude: Double(abs(here))))
    }
}
