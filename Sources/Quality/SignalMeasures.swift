/// What a window's steps and beats say, as plain numbers; quality is judged from these.
struct SignalMeasures: Sendable {
    /// Share of the samples that are there.
    var coverage = 0.0
    /// Share of the samples that lie in runs of one value of 1 s or longer.
    var flat = 0.0
    /// The same for runs of 0.1 s or longer.
    var still = 0.0
    /// Share of the samples that are clipped and harm the beats. A few clipped beats among others cost only their intervals.
    var clipped = 0.0
    /// The same in seconds for each beat: a slow heart has few tops to cut off.
    var clippedPerBeat = 0.0
    /// Number of beats, and of those of the second detector.
    var beats = 0
    var secondBeats = 0
    /// Share of both detectors' beats that the other one found too; 1 where neither found any.
    var agreement = 1.0
    /// Share of the beats that resemble at least a fifth of the others, and at least one.
    var alike = 0.0
    /// Middle height of the beats over the background in the same band.
    var prominence = 0.0
    /// The largest beat that both detectors found, as a share of the middle size.
    var tallest = 1.0
    /// Fast noise, background, mains, drift, the largest jump and the largest that no beat accounts for, as shares of the
    /// middle size of a beat.
    var fast = 0.0
    var background = 0.0
    var mains = 0.0
    var drift = 0.0
    /// The drift of a pulse without slow wander.
    var sway = 0.0
    var jump = 0.0
    var pop = 0.0
    /// The same of the largest jump in a typical step.
    var restless = 0.0
    /// Longest time without a beat and shortest interval, in seconds; nil where there are no beats.
    var longestInterval: Double?
    var shortIntervals = 0.0
    /// Longest time without a beat over the middle interval; 0 where there are less than four beats.
    var pause = 0.0
    /// Mains, and how far the level moves, within the longest time without a beat, as shares of the usual size of a
    /// beat; 0 where that time holds less than two whole steps.
    var silentMains = 0.0
    var silentDrift = 0.0
    /// Middle size of the beats, in the signal's unit.
    var size: Float = 0
    /// The middle size over what it was in the good windows of the last minute; 1 where there were none.
    var perfusion = 1.0
    /// Spread of the sizes: middle distance from their middle over their middle.
    var sizeSpread = 0.0

    /// The measures of the window that these steps make up.
    init(
        _ cells: ArraySlice<SignalCell>, onset: Double, step: Double, entries: [BeatForms.Entry], shortest: Double,
        usualSize: Float, hasTwoForms: Bool
    ) {
        var whole = SignalCell()
        var filled = 0
        for place in cells.indices {
            whole.add(cells[place])
            if cells[place].present > 0 { filled += 1 }
        }
        coverage = whole.expected > 0 ? min(1, Double(whole.present) / whole.expected) : 0
        guard whole.present > 0 else { return }
        measureSamples(cells, whole, entries)
        measureBeats(entries, whole, usualSize: usualSize, hasTwoForms: hasTwoForms)
        clippedPerBeat = clipped * coverage * step * Double(cells.count) / Double(max(1, beats))
        if filled == cells.count {
            measureNoise(cells, whole, entries, usualSize: usualSize)
        } else {
            measureNoise(cells.filter { $0.present > 0 }[...], whole, entries, usualSize: usualSize)
        }
        let silence = measureIntervals(
            entries, onset: onset, end: onset + step * Double(cells.count), shortest: shortest)
        let first = cells.startIndex + max(0, Int(((silence.lowerBound - onset) / step).rounded(.up)))
        let end = cells.startIndex + min(cells.count, Int(((silence.upperBound - onset) / step).rounded(.down)))
        if end - first >= 2 { measureSilence(cells[first..<end], usualSize: usualSize > 0 ? usualSize : size) }
    }

    private mutating func measureSamples(
        _ cells: ArraySlice<SignalCell>, _ whole: SignalCell, _ entries: [BeatForms.Entry]
    ) {
        let present = Double(whole.present)
        flat = min(1, Double(whole.flat) / present)
        still = min(1, Double(whole.still) / present)
        let range = whole.highest - whole.lowest
        guard range > 0, range.isFinite else { return }
        guard cells.contains(where: { $0.top.samples > 0 || $0.bottom.samples > 0 }) else { return }
        let areMostCut = 2 * entries.count { $0.isCut } >= entries.count
        let samples = cells.reduce(0) { sum, cell in
            let clipped = cell.clipped(lowest: whole.lowest, highest: whole.highest)
            return sum + clipped.long + (areMostCut ? clipped.timing : 0)
        }
        clipped = min(1, Double(samples) / present)
    }

    private mutating func measureBeats(
        _ entries: [BeatForms.Entry], _ whole: SignalCell, usualSize: Float, hasTwoForms: Bool
    ) {
        beats = entries.count
        secondBeats = whole.second
        guard beats + secondBeats > 0 else { return }
        let needed = max(1, Int((Double(beats - 1) * 0.2).rounded(.up)))
        var shared = whole.shared
        var resembling = 0
        var largest: Float = 0
        for place in entries.indices {
            if entries[place].isShared {
                shared += 1
                largest = max(largest, entries[place].size)
            }
            if entries[place].resembled(at: place) >= needed { resembling += 1 }
        }
        agreement = Double(shared) / Double(beats + secondBeats)
        guard beats > 0 else { return }
        alike = Double(resembling) / Double(beats)
        let middle = MiddleValue.of(beats) { entries[$0].size }
        size = middle
        if middle > 0 { tallest = max(1, Double(largest / middle)) }
        if usualSize > 0 { perfusion = Double(middle / usualSize) }
        if middle > 0 { sizeSpread = Double(MiddleValue.of(beats) { abs(entries[$0].size - middle) } / middle) }
        if hasTwoForms, sizeSpread > 0.1, let spread = TwoForms.sizeSpread(entries) {
            sizeSpread = min(sizeSpread, spread)
        }
    }

    /// From the steps that have samples.
    private mutating func measureNoise(
        _ cells: ArraySlice<SignalCell>, _ whole: SignalCell, _ entries: [BeatForms.Entry], usualSize: Float
    ) {
        let middles = Self.middles(cells)
        let level = Double(middles.background).squareRoot()
        let height = Double(MiddleValue.of(entries.count) { entries[$0].height })
        prominence = height > 0 ? min(1_000, height / max(level, height * 1e-3)) : 0
        // Where there are no beats, those before stand for them, or else the signal's own range: the line between two beats
        // that lie far apart is no noise.
        let range = max(Double(whole.highest - whole.lowest), 1e-30)
        let reference = size > 0 ? Double(size) : max(range, Double(usualSize))
        background = level / reference
        // The second difference of white noise has six times its power.
        fast = (Double(middles.fast) / 6).squareRoot() / reference
        mains = Double(middles.mains).squareRoot() / reference
        restless = Double(middles.jump) / reference
        jump = Double(whole.jump) / reference
        pop = Double(whole.pop) / reference
        if whole.lowestBare <= whole.highestBare { sway = Double(whole.highestBare - whole.lowestBare) / reference }
        if whole.lowestLevel <= whole.highestLevel { drift = Double(Self.movement(cells, whole)) / reference }
    }

    /// What is so in a typical step.
    private static func middles(
        _ cells: ArraySlice<SignalCell>
    ) -> (background: Float, fast: Float, mains: Float, jump: Float) {
        cells.withUnsafeBufferPointer { cells in
            (
                MiddleValue.of(cells.count) { cells[$0].background }, MiddleValue.of(cells.count) { cells[$0].fast },
                MiddleValue.of(cells.count) { cells[$0].mains }, MiddleValue.of(cells.count) { cells[$0].jump }
            )
        }
    }

    /// How far the level moves. Of one that goes steadily one way, as under a sensor that settles, counts what departs from
    /// its line, where that is less than half of it: beats ride on it unharmed.
    private static func movement(_ cells: ArraySlice<SignalCell>, _ whole: SignalCell) -> Float {
        let range = whole.highestLevel - whole.lowestLevel
        guard cells.count > 2, let first = cells.first, let last = cells.last else { return range }
        let way = (last.lowestLevel + last.highestLevel - first.lowestLevel - first.highestLevel) / 2
        guard way.magnitude > range / 2 else { return range }
        let slope = way / Float(cells.count - 1)
        var (lowest, highest) = (Float.infinity, -Float.infinity)
        for (place, cell) in cells.enumerated() {
            lowest = min(lowest, cell.lowestLevel - slope * Float(place))
            highest = max(highest, cell.highestLevel - slope * Float(place))
        }
        return highest - lowest < range / 2 ? highest - lowest : range
    }

    private mutating func measureSilence(_ cells: ArraySlice<SignalCell>, usualSize: Float) {
        // Across a gap the level says nothing.
        guard usualSize > 0, cells.allSatisfy({ $0.present > 0 }) else { return }
        let (count, first) = (cells.count, cells.startIndex)
        silentMains = Double((MiddleValue.of(count) { cells[first + $0].mains }).squareRoot() / usualSize)
        var whole = SignalCell()
        for cell in cells { whole.add(cell) }
        if whole.lowestLevel <= whole.highestLevel {
            silentDrift = Double((whole.highestLevel - whole.lowestLevel) / usualSize)
        }
    }

    /// The longest time without a beat.
    private mutating func measureIntervals(
        _ entries: [BeatForms.Entry], onset: Double, end: Double, shortest: Double
    ) -> Range<Double> {
        guard let first = entries.first, let last = entries.last else { return onset..<end }
        var silence =
            first.onset - onset > end - last.onset ? onset..<max(onset, first.onset) : min(last.onset, end)..<end
        var short = 0
        var counted = 0
        for place in 1..<max(1, entries.count) where !entries[place].followsBreak {
            let interval = entries[place].onset - entries[place - 1].onset
            if interval > silence.upperBound - silence.lowerBound {
                silence = entries[place - 1].onset..<entries[place].onset
            }
            if interval < shortest { short += 1 }
            counted += 1
        }
        let longest = silence.upperBound - silence.lowerBound
        longestInterval = longest
        shortIntervals = entries.count > 1 ? Double(short) / Double(entries.count - 1) : 0
        guard counted > 2 else { return silence }
        // Those not counted are sorted to the end.
        let middle = MiddleValue.of(entries.count - 1, outOf: counted) { place in
            let (earlier, later) = (entries[place], entries[place + 1])
            return later.followsBreak ? .infinity : Float(later.onset - earlier.onset)
        }
        pause = longest / Double(max(middle, 0.01))
        return silence
    }
}
