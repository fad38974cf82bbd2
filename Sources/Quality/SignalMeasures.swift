/// What a window's steps and beats say, as plain numbers; quality is judged from these.
struct SignalMeasures: Sendable {
    /// Share of the samples that are there.
    var coverage = 0.0
    /// Share of the samples that lie in runs of one value of 1 s or longer.
    var flat = 0.0
    /// The same for runs of 0.1 s or longer.
    var still = 0.0
    /// Share of the samples that lie at the range's end.
    var clipped = 0.0
    /// Number of beats, and of those of the second detector.
    var beats = 0
    var secondBeats = 0
    /// Share of both detectors' beats that the other one found too; 1 where neither found any.
    var agreement = 1.0
    /// Share of the beats that resemble at least a fifth of the others, and at least one.
    var alike = 0.0
    /// Middle height of the beats over the background in the same band.
    var prominence = 0.0
    /// Fast noise, mains, drift and the largest jump, as shares of the middle size of a beat.
    var fast = 0.0
    var mains = 0.0
    var drift = 0.0
    var jump = 0.0
    /// The same of the largest jump in a typical step.
    var restless = 0.0
    /// Longest time without a beat and shortest interval, in seconds; nil where there are no beats.
    var longestInterval: Double?
    var shortIntervals = 0.0
    /// Longest time without a beat over the middle interval; 0 where there are less than four beats.
    var pause = 0.0
    /// Middle size of the beats, in the signal's unit.
    var size: Float = 0
    /// The middle size over what it was in the good windows of the last minute; 1 where there were none.
    var perfusion = 1.0
    /// Spread of the sizes: middle distance from their middle over their middle.
    var sizeSpread = 0.0

    /// The measures of the window that these steps make up.
    init(
        _ cells: ArraySlice<SignalCell>, onset: Double, step: Double, forms: BeatForms, shortest: Double,
        usualSize: Float
    ) {
        let expected = cells.reduce(0) { $0 + $1.expected }
        let present = cells.reduce(0) { $0 + $1.present }
        coverage = expected > 0 ? min(1, Double(present) / expected) : 0
        guard present > 0 else { return }
        flat = min(1, Double(cells.reduce(0) { $0 + $1.flat }) / Double(present))
        still = min(1, Double(cells.reduce(0) { $0 + $1.still }) / Double(present))
        clipped = Self.clippedShare(cells, present)
        let entries = forms.entries
        beats = entries.count
        secondBeats = cells.reduce(0) { $0 + $1.second }
        let shared = cells.reduce(0) { $0 + $1.shared } + entries.count { $0.isShared }
        if beats + secondBeats > 0 { agreement = Double(shared) / Double(beats + secondBeats) }
        var sizes = entries.map(\.size)
        size = sizes.middle()
        if usualSize > 0, beats > 0 { perfusion = Double(size / usualSize) }
        var deviations = sizes.map { abs($0 - size) }
        sizeSpread = size > 0 ? Double(deviations.middle() / size) : 0
        measureForms(forms)
        measureNoise(cells, entries)
        measureIntervals(entries, onset: onset, end: onset + step * Double(cells.count), shortest: shortest)
    }

    private mutating func measureForms(_ forms: BeatForms) {
        guard beats > 1 else { return }
        let needed = max(1, Int((Double(beats - 1) * 0.2).rounded(.up)))
        alike = Double(forms.resemblances().count { $0 >= needed }) / Double(beats)
    }

    private mutating func measureNoise(_ cells: ArraySlice<SignalCell>, _ entries: [BeatForms.Entry]) {
        var values: [Float] = []
        values.reserveCapacity(max(cells.count, entries.count))
        func middle(_ value: (SignalCell) -> Float) -> Float {
            values.removeAll(keepingCapacity: true)
            for place in cells.indices where cells[place].present > 0 { values.append(value(cells[place])) }
            return values.middle()
        }
        let background = Double(middle { $0.background }).squareRoot()
        let fastPower = Double(middle { $0.fast })
        let mainsPower = Double(middle { $0.mains })
        let typicalJump = Double(middle { $0.jump })
        values.removeAll(keepingCapacity: true)
        for entry in entries { values.append(entry.height) }
        let height = Double(values.middle())
        prominence = height > 0 ? min(1_000, height / max(background, height * 1e-3)) : 0
        var whole = SignalCell()
        for place in cells.indices { whole.widen(to: cells[place]) }
        // Where there are no beats, the signal's own range stands for their size.
        let reference = size > 0 ? Double(size) : max(Double(whole.highest - whole.lowest), 1e-30)
        // The second difference of white noise has six times its power.
        fast = (fastPower / 6).squareRoot() / reference
        mains = mainsPower.squareRoot() / reference
        restless = typicalJump / reference
        jump = Double(whole.jump) / reference
        if whole.lowestLevel <= whole.highestLevel {
            drift = Double(whole.highestLevel - whole.lowestLevel) / reference
        }
    }

    private mutating func measureIntervals(
        _ entries: [BeatForms.Entry], onset: Double, end: Double, shortest: Double
    ) {
        guard let first = entries.first, let last = entries.last else { return }
        var longest = max(first.onset - onset, end - last.onset)
        var short = 0
        var intervals: [Float] = []
        for (earlier, later) in zip(entries, entries.dropFirst()) where !later.followsBreak {
            longest = max(longest, later.onset - earlier.onset)
            intervals.append(Float(later.onset - earlier.onset))
            if later.onset - earlier.onset < shortest { short += 1 }
        }
        longestInterval = longest
        if intervals.count > 2 { pause = longest / Double(max(intervals.middle(), 0.01)) }
        shortIntervals = entries.count > 1 ? Double(short) / Double(entries.count - 1) : 0
    }

    /// Plateaus count where they lie at the window's extreme and are come to steeply, as a beat or a jump does, not
    /// the rounded tops and flat feet of a finely sampled signal.
    private static func clippedShare(_ cells: ArraySlice<SignalCell>, _ present: Int) -> Double {
        let lowest = cells.map(\.lowest).min() ?? 0
        let highest = cells.map(\.highest).max() ?? 0
        let range = highest - lowest
        guard range > 0, range.isFinite else { return 0 }
        var clipped = 0
        for cell in cells {
            let isHigh = cell.top.value >= highest - 0.005 * range && cell.top.steepness >= 10 * range
            let isLow = cell.bottom.value <= lowest + 0.005 * range && cell.bottom.steepness >= 10 * range
            if cell.top.samples > 0, isHigh { clipped += cell.top.samples }
            if cell.bottom.samples > 0, isLow { clipped += cell.bottom.samples }
        }
        return min(1, Double(clipped) / Double(present))
    }
}
