import Foundation
import Signals

/// Finds the pulses of one contiguous run at the working rate.
struct PulseSearch {
    /// A pulse, in working samples from the run's start.
    struct Found {
        var upstroke: Double
        var shape: PulseWave.Shape
        /// The running mean time from upstroke to peak.
        var crest: Double
        var confidence: Float
        /// Whether something lies between the pulse before and this one that an interval may not span.
        var followsBreak: Bool
    }

    /// Working samples per second.
    let rate: Double
    /// Working samples after which the decision on a candidate falls.
    let delay: Int
    private let parameters: BVPParameters
    private let proposalDelay: Int
    /// Working samples in 0.5 s, the time after which scales and polarity are looked at anew.
    private let binLength: Int
    private var slopes: SlopeFilter
    private var wave: PulseWave
    private var rising = PulseScale()
    private var falling = PulseScale()
    private var polarity: PulsePolarity
    private var path: PulsePath
    private var confidence: PulseConfidence
    private var motion: PulseMotion?
    private var newest = -1
    private var isSettled = false
    /// The running mean time from upstroke to peak, and how many pulses it rests on, the first of which counts for five.
    private var crest: Double?
    private var crestWeight = 0.0
    private var isBroken = true
    /// The last candidate's place in working samples, and the level of the wave there in signal units.
    private var measured: (place: Int, level: Float)?
    /// Where, in working samples, the signal stood still, as far as the pulses after it are not decided.
    private var stills: [Range<Double>] = []
    private var stillStart = 0.0
    /// Where the last of those before ended.
    private var lastStill = -Double.infinity
    /// How many bins in a row are missing for the most part.
    private var emptyBins = 0

    /// The most working samples that `push` takes at once.
    static let largestBatch = 256
    /// The time of standing still, in seconds, after which a new contact of the sensor begins.
    private static let contactLost = 3.0
    /// The scale of a run's first pulses is this share at least of the scale that is typical of its first seconds.
    private static let minimumShare: Float = 0.35

    /// Working samples of the run that wait for the polarity, and how much of each is missing.
    private var waiting: [(sample: Float, missing: Float)] = []
    private var scratch = [Float](repeating: 0, count: PulseSearch.largestBatch)
    /// Working samples of the run so far, those that wait among them.
    private var taken = 0
    private var isEnding = false
    private var onset: Seconds = 0
    private var spacing: Seconds = 0

    /// A search in samples at `rate` Hz.
    init(rate: Double, parameters: BVPParameters, expecting source: PulseSource) {
        self.rate = rate
        self.parameters = parameters
        proposalDelay = Int((1.5 * rate).rounded())
        delay = Int((2.8 * rate).rounded())
        binLength = max(1, Int((0.5 * rate).rounded()))
        slopes = SlopeFilter(rate: rate, batch: Self.largestBatch)
        wave = PulseWave(rate: rate, seconds: 4.5, batch: Self.largestBatch)
        polarity = PulsePolarity(parameters.polarity, expecting: source, rate: rate)
        path = PulsePath(
            rate: rate, shortest: parameters.shortestInterval, longest: parameters.longestInterval)
        confidence = PulseConfidence(rate: rate)
    }

    /// Begins a run whose working sample k is at `onset` + k `spacing`; what is known of the polarity stays.
    mutating func reset(onset: Seconds, spacing: Seconds) {
        motion?.reset(onset: onset, spacing: spacing)
        polarity.beginRun()
        waiting.removeAll(keepingCapacity: true)
        wave.reset()
        path.reset()
        confidence.reset()
        (newest, taken, isSettled, crest, isBroken) = (-1, 0, false, nil, true)
        measured = nil
        (self.onset, self.spacing, isEnding) = (onset, spacing, false)
        stills.removeAll(keepingCapacity: true)
        (lastStill, emptyBins) = (-.infinity, 0)
    }

    /// The signal stands still from the next working sample on.
    mutating func beginStill() { stillStart = Double(taken) }

    /// It does so no more; where that is `breaking`, no interval may span it.
    mutating func endStill(breaking: Bool) {
        if breaking { stills.append(stillStart..<Double(taken)) }
        if Double(taken) - stillStart >= Self.contactLost * rate { polarity.beginContact() }
    }

    /// From now on, listens to the movement that `hear` tells of.
    mutating func hear(_ change: (inout MotionTrace) -> Void) {
        if motion == nil { motion = PulseMotion() }
        if var heard = motion.take() {
            change(&heard.trace)
            motion = heard
        }
    }

    /// The run ends; acceleration is known up to `heard` at least.
    mutating func endMotion(heard: Seconds) {
        if var heeded = motion.take() {
            heeded.end(heard: heard)
            motion = heeded
        }
    }

    /// How many working samples must follow a run's last for all its pulses to be decided.
    var tail: Int { delay + slopes.delay + 2 }

    /// Takes the first `count` of `samples`, at most `largestBatch`, of each of which the share `missing` is filled in,
    /// and appends the pulses that can be decided on by then. What is found does not depend on how many come at once.
    mutating func push(_ samples: [Float], count: Int, missing: Float, into found: inout [Found]) {
        var first = 0
        while first < count, polarity.isOpen, !isEnding {
            let part = min(count - first, polarity.room)
            for k in 0..<part { scratch[k] = samples[first + k] }
            first += part
            taken += part
            weigh(part, missing, into: &found)
        }
        guard first < count else { return }
        guard first > 0 else {
            taken += count
            return search(samples, count, missing, into: &found)
        }
        for k in first..<count { scratch[k - first] = samples[k] }
        taken += count - first
        search(scratch, count - first, missing, into: &found)
    }

    /// Takes the first `count` working samples of `scratch` while the polarity is open.
    private mutating func weigh(_ count: Int, _ missing: Float, into found: inout [Found]) {
        let (before, wasWaiting) = (polarity.sign, polarity.isWaiting)
        // What is decided now was found with the polarity so far.
        if !wasWaiting { search(scratch, count, missing, into: &found) }
        var heard = motion.take()
        polarity.take(
            scratch, count: count, missing: missing, onset: onset + Double(taken) * spacing,
            isMoving: { heard?.isMoving(at: $0) ?? false })
        motion = heard
        guard wasWaiting else {
            if polarity.sign != before { turn() }
            return
        }
        for k in 0..<count { waiting.append((scratch[k], missing)) }
        if !polarity.isWaiting { release(into: &found) }
    }

    /// The run ends: no pulse waits any longer, and what is pushed after it is no yardstick.
    mutating func settle(into found: inout [Found]) {
        isEnding = true
        guard polarity.isWaiting else { return }
        polarity.settle()
        release(into: &found)
    }

    /// Searches the working samples that waited.
    private mutating func release(into found: inout [Found]) {
        setScales()
        var first = 0
        while first < waiting.count {
            var count = 0
            let missing = waiting[first].missing
            while count < Self.largestBatch, first + count < waiting.count, waiting[first + count].missing == missing {
                scratch[count] = waiting[first + count].sample
                count += 1
            }
            first += count
            search(scratch, count, missing, into: &found)
        }
        waiting.removeAll(keepingCapacity: true)
    }

    /// Learns the scale from all working samples that waited, so that what comes before a late first pulse is no
    /// yardstick for it.
    private mutating func setScales() {
        rising.reset()
        falling.reset()
        guard let start = waiting.first?.sample else { return }
        var filter = SlopeFilter(rate: rate, batch: binLength)
        filter.reset(to: start)
        var (bin, rises, falls) = ([Float](repeating: 0, count: binLength), [Float](), [Float]())
        for first in stride(from: 0, through: waiting.count - binLength, by: binLength) {
            for k in 0..<binLength { bin[k] = waiting[first + k].sample }
            filter.push(bin, count: binLength)
            rises.append(filter.band[..<binLength].max() ?? 0)
            falls.append(-(filter.band[..<binLength].min() ?? 0))
        }
        let bins = rises.count
        rising.reset(floor: Self.minimumShare * Self.typical(rises), bins: bins)
        falling.reset(floor: Self.minimumShare * Self.typical(falls), bins: bins)
    }

    /// The lower median of the steepest slopes of every 2 s, of all or of the later half, whichever is lower: a sensor
    /// that is being put on makes steeper ones at first.
    private static func typical(_ steepest: [Float]) -> Float {
        guard steepest.count >= 4 else { return 0 }
        let maxima = (3..<steepest.count).map { steepest[$0 - 3...$0].max() ?? 0 }
        let halves = [maxima[...], maxima[(maxima.count / 2)...]].map { $0.sorted() }
        return max(0, halves.map { $0[($0.count - 1) / 2] }.min() ?? 0)
    }

    private mutating func search(_ samples: [Float], _ count: Int, _ missing: Float, into found: inout [Found]) {
        if newest < 0 { slopes.reset(to: samples[0]) }
        slopes.push(samples, count: count)
        wave.reserve(count, from: newest + 1)
        wave.put(missing: missing, count: count, from: newest + 1)
        wave.put(plain: slopes.plain, band: slopes.band, count: count, from: newest + 1 - slopes.delay)
        let end = newest + count
        while newest < end {
            let next = newest + 1 - slopes.delay
            if next < 0 {
                newest = min(end, newest - next)
                continue
            }
            let inBin = next % binLength
            let step = min(end - newest, binLength - inBin)
            if inBin + step == binLength {
                search(to: newest + step - 1, into: &found)
                endBin(from: next - inBin)
            }
            search(to: next + slopes.delay - 1 + step, into: &found)
        }
    }

    /// The bin of working samples from `first` on is complete: frees it of motion and looks at its slopes.
    private mutating func endBin(from first: Int) {
        motion?.clean(&wave, from: first, count: binLength)
        emptyBins = wave.missing(from: Double(first), to: Double(first + binLength - 1)) < 0.5 ? 0 : emptyBins + 1
        // After 1 s of nothing, more of it would be taken for weak pulses.
        guard emptyBins <= 2, !isEnding else { return }
        let (rise, fall) = wave.extremes(from: first, count: binLength)
        _ = rising.endBin(rise)
        _ = falling.endBin(fall)
    }

    /// Proposes and decides on what the working samples up to `end` allow; nothing else changes meanwhile.
    private mutating func search(to end: Int, into found: inout [Found]) {
        if newest < delay {
            // The first seconds are looked through when they are all in.
            newest = min(end, delay - 1)
            guard end >= delay else { return }
        }
        if !isSettled {
            isSettled = true
            newest = delay
            propose(from: 1, to: newest - proposalDelay)
            decide(into: &found)
        }
        while newest < end {
            var stop = end
            if let first = path.candidates.first {
                stop = max(newest + 1, min(end, Int(first.position.rounded(.up)) + delay))
            }
            propose(from: newest + 1 - proposalDelay, to: stop - proposalDelay)
            newest = stop
            decide(into: &found)
        }
    }

    /// Decides on the candidates that are old enough.
    private mutating func decide(into found: inout [Found]) {
        while let first = path.candidates.first, first.position <= Double(newest - delay) {
            if let decision = path.decide(horizon: Double(newest - proposalDelay)), let pulse = accept(decision) {
                found.append(pulse)
            }
        }
    }

    /// The polarity turned over. Candidates of the other polarity are forgotten.
    private mutating func turn() {
        path.reset()
        confidence.reset()
        (crest, isBroken) = (nil, true)
        measured = nil
    }

    /// The present doubt in the polarity; nil without one.
    var doubt: PulseDoubt? { polarity.doubt }

    /// Begins a new contact of the sensor with the skin.
    mutating func beginContact() { polarity.beginContact() }

    /// Makes candidates of the working samples `first...last` whose slope is a local maximum that matters.
    private mutating func propose(from first: Int, to last: Int) {
        let sign = polarity.sign
        let scale = sign > 0 ? rising.value : falling.value
        guard scale > 0 else { return }
        var center = first
        var level: Float = 0
        while let found = wave.maximum(from: center, to: last + 1, sign: sign, above: 0.08 * scale) {
            let (before, here, after) = (
                sign * wave.band(found - 1), sign * wave.band(found), sign * wave.band(found + 1)
            )
            let shift = Double(0.5 * (before - after) / (before - 2 * here + after))
            // Levels beyond the samples that are kept say nothing.
            if let measured, found - measured.place < Int(3 * rate) {
                level = measured.level + sign * wave.change(from: measured.place, to: found)
            }
            measured = (found, level)
            let heights = wave.crestAndFoot(around: found, sign: sign)
            var upstroke = Upstroke(
                position: Double(found) + shift, logSlope: log(here), logRelative: log(here / scale))
            (upstroke.crest, upstroke.rise) = (level + heights.crest, heights.crest - heights.foot)
            path.push(upstroke)
            center = found + 1
        }
    }

    /// The running mean time from upstroke to peak after a pulse in which it was `own`.
    ///
    /// An odd first pulse is left behind within some beats, and slowly enough that no interval takes much of the way.
    /// Once the mean rests on 64 pulses it moves by at most 0.5 ms a pulse.
    private mutating func follow(_ own: Double) -> Double {
        guard let mean = crest else {
            (crest, crestWeight) = (own, 5)
            return own
        }
        var change = own - mean
        if crestWeight < 64 {
            crestWeight += 1
        } else {
            change = max(-0.03 * rate, min(0.03 * rate, change))
        }
        let steady = mean + change / crestWeight
        crest = steady
        return steady
    }

    /// Whether the signal stands still between two places of one pulse; what it did before them breaks the series.
    private mutating func isStill(from first: Double, to last: Double) -> Bool {
        while let still = stills.first, still.upperBound <= first {
            isBroken = true
            lastStill = still.upperBound
            stills.removeFirst()
        }
        return stills.first.map { $0.lowerBound < last } ?? false
    }

    /// Whether a wave may be the dicrotic one of a pulse that fell into what stood still: it follows within 0.5 s, and the next
    /// one is twice as steep.
    private func isLeftOver(_ decision: PulsePath.Decision) -> Bool {
        guard let next = decision.next, decision.upstroke.position - lastStill < 0.5 * rate else { return false }
        return next.logSlope - decision.upstroke.logSlope > 0.69
    }

    /// Measures a decided pulse; nil if it is too doubtful or too much of it is missing.
    private mutating func accept(_ decision: PulsePath.Decision) -> Found? {
        let position = decision.upstroke.position
        if let previous = decision.previous, position - previous.position > parameters.longestInterval * rate {
            isBroken = true
        }
        let shape = wave.shape(at: position, sign: polarity.sign, reach: 0.6)
        let doubt = motion?.doubt(at: position) ?? 0
        let confidence = confidence.judge(decision, in: wave, sign: polarity.sign, doubt: doubt)
        let own = min(0.35 * rate, shape.peak - position)
        let steady = follow(own)
        // The slope is that of 0.1 s on either side.
        let isCut = isStill(from: position - 0.1 * rate, to: position + max(0.1 * rate, steady))
        guard confidence >= parameters.leastConfidence, !isCut, !isLeftOver(decision),
            wave.missing(from: shape.foot, to: shape.peak) <= 0.25
        else {
            isBroken = true
            return nil
        }
        defer { isBroken = false }
        return Found(
            upstroke: position, shape: shape, crest: steady, confidence: confidence, followsBreak: isBroken)
    }
}
