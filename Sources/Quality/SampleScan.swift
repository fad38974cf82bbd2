import CVectors

/// Looks at the samples of one step at their full rate: presence, plateaus, fast noise, mains.
struct SampleScan: Sendable {
    private let sampleRate: Double
    /// Spacing of the second difference, about 4 ms.
    private let spacing: Int
    private let binLength: Int
    private let plateauLength: Int
    private let longPlateau: Int
    private let flatLength: Int
    private let stillLength: Int
    private let mains: [MainsTone]
    private var lines: LineWatch
    /// Samples of the run so far, and the flat lines of 1 s or longer found in the last step, as places in the run.
    private var scanned = 0
    private(set) var flatLines: [Range<Int>] = []
    /// Places in the run of the plateaus in the last step that lie furthest up and furthest down.
    private(set) var tops: [Range<Int>] = []
    private(set) var bottoms: [Range<Int>] = []
    /// The run of one value that the samples so far end with: the value, its length and the step up or down to it.
    private var last: Float = 0
    private var entry: Float = 0
    private var runLength = 0

    /// Samples before the step that `scan` needs.
    let history: Int

    init(sampleRate: Double, longestStep: Int) {
        self.sampleRate = sampleRate
        spacing = max(1, Int((0.004 * sampleRate).rounded(.down)))
        history = 2 * spacing
        // Whole vectors.
        binLength = max(4, Int((0.04 * sampleRate / 4).rounded()) * 4)
        plateauLength = max(3, Int((0.012 * sampleRate).rounded(.up)))
        longPlateau = max(plateauLength, Int(0.2 * sampleRate))
        flatLength = max(8, Int(sampleRate))
        stillLength = max(4, Int(0.1 * sampleRate))
        // The ends of a line lie between the points that are looked at.
        lines = LineWatch(sampleRate: sampleRate, shortest: flatLength * 9 / 10)
        mains = MainsTone.frequencies(seenAt: sampleRate).map {
            MainsTone.of(frequency: $0, sampleRate: sampleRate, length: longestStep)
        }
    }

    /// Looks at `count` samples, those before `first` being history; missing ones are held and marked in `present`.
    mutating func scan(_ samples: UnsafePointer<Float>, count: Int, present: Int, into cell: inout SignalCell) {
        cell.present += present
        forget()
        findPlateaus(samples, count, into: &cell)
        findLines(samples, count, into: &cell)
        scanned += count
        cell.fast = fastPower(samples, count)
        for tone in mains { cell.mains = max(cell.mains, tone.power(in: samples, count: count)) }
    }

    /// A step without a single sample.
    mutating func pass(_ count: Int) {
        forget()
        scanned += count
    }

    private mutating func forget() {
        flatLines.removeAll(keepingCapacity: true)
        tops.removeAll(keepingCapacity: true)
        bottoms.removeAll(keepingCapacity: true)
    }

    /// A straight line is flat too, whatever its slope.
    private mutating func findLines(_ samples: UnsafePointer<Float>, _ count: Int, into cell: inout SignalCell) {
        let scanned = scanned
        var (straight, found) = (0, [Range<Int>]())
        lines.take(samples, count, range: cell.highest - cell.lowest) { more, length, end in
            straight += more
            let line = scanned + end - length..<scanned + end
            if found.last?.lowerBound == line.lowerBound { found.removeLast() }
            found.append(line)
        }
        guard !found.isEmpty else { return }
        flatLines += found
        cell.flat = max(cell.flat, straight)
        cell.still = max(cell.still, straight)
    }

    private mutating func findPlateaus(
        _ samples: UnsafePointer<Float>, _ count: Int, into cell: inout SignalCell
    ) {
        findRange(samples, count, into: &cell)
        var place = 0
        while place < count, samples[place] == last { place += 1 }
        lengthen(by: place, endingAt: place, into: &cell)
        if place < count {
            endRun(at: place, into: &cell)
            var first = place
            while true {
                let next = marey_next_plateau(samples, first + plateauLength - 1, count, plateauLength)
                guard next < count else { break }
                first = takeRun(around: next, from: first, samples, count, into: &cell)
            }
            if first < count { takeRun(around: count - 1, from: first, samples, count, into: &cell) }
        }
        if runLength >= longPlateau { record(endingAt: count, into: &cell) }
    }

    /// Takes the run of one value around `place` that begins no earlier than `from`, and returns its end. A run that
    /// may go on after these samples is kept open.
    @discardableResult
    private mutating func takeRun(
        around place: Int, from: Int, _ samples: UnsafePointer<Float>, _ count: Int, into cell: inout SignalCell
    ) -> Int {
        let value = samples[place]
        var start = place
        while start > from, samples[start - 1] == value { start -= 1 }
        var end = place + 1
        while end < count, samples[end] == value { end += 1 }
        entry = abs(value - samples[start - 1])
        last = value
        lengthen(by: end - start, endingAt: end, into: &cell)
        if end < count { endRun(at: end, into: &cell) }
        return end
    }

    /// The run goes on for `count` samples.
    private mutating func lengthen(by count: Int, endingAt end: Int, into cell: inout SignalCell) {
        let length = runLength + count
        if length >= flatLength, count > 0 { flatLines.append(scanned + end - length..<scanned + end) }
        if length >= stillLength { cell.still += runLength >= stillLength ? count : length }
        if length >= flatLength { cell.flat += runLength >= flatLength ? count : length }
        runLength = length
    }

    private mutating func endRun(at end: Int, into cell: inout SignalCell) {
        if runLength >= plateauLength { record(endingAt: end, into: &cell) }
        runLength = 0
    }

    private func findRange(_ samples: UnsafePointer<Float>, _ count: Int, into cell: inout SignalCell) {
        var (lowest, highest) = (samples[0], samples[0])
        marey_extend(samples, count, &lowest, &highest)
        cell.lowest = min(cell.lowest, lowest)
        cell.highest = max(cell.highest, highest)
    }

    private mutating func record(endingAt end: Int, into cell: inout SignalCell) {
        let place = scanned + end - runLength..<scanned + end
        if cell.top.samples == 0 || last > cell.top.value { tops.removeAll(keepingCapacity: true) }
        if cell.top.samples == 0 || last >= cell.top.value { tops.append(place) }
        if cell.bottom.samples == 0 || last < cell.bottom.value { bottoms.removeAll(keepingCapacity: true) }
        if cell.bottom.samples == 0 || last <= cell.bottom.value { bottoms.append(place) }
        let steepness = runLength >= longPlateau ? Float.infinity : entry * Float(sampleRate)
        let plateau = Plateau(value: last, samples: runLength, steepness: steepness.isNaN ? 0 : steepness)
        cell.top.merge(plateau) { $0 > $1 }
        cell.bottom.merge(plateau) { $0 < $1 }
    }

    /// Mean square of the second difference in a typical bin.
    private func fastPower(_ samples: UnsafePointer<Float>, _ count: Int) -> Float {
        let length = binLength
        let scale = 1 / Float(length)
        return MiddleValue.of(count / length) { marey_bends(samples + $0 * length, spacing, length) * scale }
    }
}
