import Signals

/// Finds and mends the artefacts of one run of intervals after another, by the classes of Lipponen & Tarvainen 2019.
///
/// An interval is suspect where the differences around it form one of the paper's patterns: short-long-normal or
/// long-short-normal around one beat (ectopic), short-short-long around two (ectopic, a couplet), a jump and a jump back
/// within two intervals (long, short), or a deviation beyond three thresholds from the local median; and where what
/// differs is large or beyond half as many thresholds again (`ArtefactThresholds`). What it is, is told by sums, as in
/// the paper: with a neighbour one normal interval (extra), a small multiple of one (missed), else the pattern itself.
/// Where both neighbours could take an extra beat's interval, the sum nearest to normal wins; a pair around a displaced
/// beat is told from a missed beat by whether the two make two normal intervals or three.
struct ArtefactCorrector {
    /// Intervals after the one that is decided that may have a say in it.
    static let lookAhead = 53
    private static let mostMissed = 2
    /// A pair is none where both its intervals lie within this share of the threshold around the median.
    private static let pairDeviation = 0.5
    /// Beyond this share of the threshold above the median an interval next to a short one may be long.
    private static let longDeviation = 0.2
    /// The smallest jumps about a short interval, in thresholds, where another one follows after a normal one.
    private static let besideShort = 0.75
    /// Both short intervals of a couplet are below this share of the mean of its three, which ectopic beats, however
    /// frequent, pull less than the median.
    private static let coupletShare = 0.9

    private let c1: Double
    private let c2: Double
    private let alpha: Double
    private var run: ArtefactThresholds
    private var base = 0
    private var decided = 0

    init(_ parameters: CorrectionParameters) {
        c1 = parameters.c1
        c2 = parameters.c2
        alpha = parameters.alpha
        run = ArtefactThresholds(alpha: alpha)
    }

    /// The next interval of the run; `index` is its place in the whole series.
    mutating func append(_ ibi: IBI, index: Int, sink: inout CorrectionSink, into outputs: inout [CorrectionOutput]) {
        if run.durations.isEmpty { base = index }
        run.append(ibi.duration, endingAt: ibi.onset)
        advance(&sink, into: &outputs)
        forgetDecided()
    }

    /// The run is complete.
    mutating func end(sink: inout CorrectionSink, into outputs: inout [CorrectionOutput]) {
        run.end()
        advance(&sink, into: &outputs)
        sink.breakSeries(into: &outputs)
        run = ArtefactThresholds(alpha: alpha)
        decided = 0
    }

    private mutating func forgetDecided() {
        guard decided > 4_096 else { return }
        let count = decided - 256
        run.forget(count)
        base += count
        decided -= count
    }

    private mutating func advance(_ sink: inout CorrectionSink, into outputs: inout [CorrectionOutput]) {
        while decided < run.count, run.isEnded || decided + 3 < run.count {
            decided += decide(decided, &sink, into: &outputs)
        }
    }

    /// `dRR` over its threshold; beyond the end, what a return to the median would give.
    private func jump(_ place: Int) -> Double {
        if place < run.count { return run.differences[place] }
        guard place == run.count else { return 0 }
        let last = place - 1
        return (run.medians[last] - run.durations[last]) / run.deviationThresholds[last]
    }

    /// Decides about the interval at `place`, and the next one where they go together; returns how many that were.
    private func decide(
        _ place: Int, _ sink: inout CorrectionSink, into outputs: inout [CorrectionOutput]
    ) -> Int {
        if formsCouplet(place) { return replaceCouplet(place, &sink, into: &outputs) }
        let isPair =
            formsPair(place) && !leavesPairToNext(place) && !isNormalThenSplit(place) && !isBetweenTwoShort(place)
        let kind = isPair ? nil : suspicion(place)
        guard isPair || kind != nil else {
            sink.keep(base + place, run.onsets[place], run.durations[place], into: &outputs)
            return 1
        }
        if let merged = mergeExtra(place, &sink, into: &outputs) { return merged }
        if splitMissed(place, &sink, into: &outputs) { return 1 }
        guard let kind else { return replacePair(place, &sink, into: &outputs) }
        if kind == .shortInterval, isPaused(place) { return replacePair(place, &sink, into: &outputs) }
        if Double(Self.mostMissed) + 1.5 < run.durations[place] / run.medians[place] {
            sink.remove(
                base + place, run.onsets[place], run.durations[place], .missed, .tooLong, into: &outputs)
        } else {
            let new = estimates(place, width: 1, count: 1, sink)
            sink.estimate(
                base + place, [run.onsets[place]], new, old: run.durations[place], .longShort, kind, into: &outputs)
        }
        return 1
    }

    /// Whether the beat between this interval and the next was early or late (eq. of subspace S1).
    private func formsPair(_ place: Int) -> Bool {
        guard place + 1 < run.count else { return false }
        // Where neither interval stands out from its surroundings, a zigzag is sinus arrhythmia.
        guard max(abs(run.deviations[place]), abs(run.deviations[place + 1])) > Self.pairDeviation else { return false }
        let (before, middle, after) = (jump(place), jump(place + 1), jump(place + 2))
        let least = run.leastDifferences[place + 1]
        if middle > least { return max(before, after) < -c1 * middle - c2 }
        // Before a late beat the interval is long; a normal one and a short one are no pair.
        if middle < -least {
            return run.deviations[place] > Self.longDeviation && min(before, after) > -c1 * middle + c2
        }
        return false
    }

    /// Whether the next beat is the more displaced one, where both look displaced.
    private func leavesPairToNext(_ place: Int) -> Bool {
        abs(jump(place + 2)) > abs(jump(place + 1)) && abs(run.deviations[place]) < 1 && formsPair(place + 1)
    }

    /// True where a short pause follows this short interval, less than what makes a pair of the two. It belongs to the early
    /// beat: unchanged, it would differ from the intervals around it.
    private func isPaused(_ place: Int) -> Bool {
        guard place + 1 < run.count, isDeep(place) else { return false }
        let after = place + 2 < run.count ? run.deviations[place + 2] : 0
        return run.deviations[place + 1] > Self.longDeviation && run.deviations[place + 1] > after
    }

    /// True where an interval is as short as premature beats make it, and breathing hardly does.
    private func isDeep(_ place: Int) -> Bool { run.durations[place] < 0.8 * run.medians[place] }

    /// True where a normal interval lies between this short one and the next: two beats came early, and neither was followed
    /// by a pause. Together with the normal one this one would be a displaced beat.
    private func isBetweenTwoShort(_ place: Int) -> Bool {
        guard place + 2 < run.count else { return false }
        return run.deviations[place] < -1 && run.deviations[place + 2] < -1
            && abs(run.deviations[place + 1]) < Self.pairDeviation
    }

    /// Whether the two beats after this interval both came early: two short intervals, a long one, and a return. As in
    /// S1, the drop before and the return after must be in proportion to the jump between.
    private func formsCouplet(_ place: Int) -> Bool {
        guard place + 2 < run.count else { return false }
        let jump = jump(place + 2)
        guard jump > run.leastDifferences[place + 2], max(self.jump(place), self.jump(place + 3)) < -c1 * jump - c2
        else { return false }
        guard !isSplitThenNormal(place) else { return false }
        let short = Self.coupletShare * run.durations[place...place + 2].reduce(0, +) / 3
        return max(run.durations[place], run.durations[place + 1]) < short
            && run.deviations[place + 2] > Self.pairDeviation
    }

    /// Whether three intervals that look like two early beats and the pause after them are rather a normal one with a
    /// beat too many in it and a normal one: the pause makes nearly three of them.
    private func isSplitThenNormal(_ place: Int) -> Bool {
        // Breathing moves what is normal faster than the median follows.
        let normal = (run.medians[place] + run.durations[max(0, place - 1)]) / 2
        let (first, second, third) = (run.durations[place], run.durations[place + 1], run.durations[place + 2])
        // Where the third is much too long, and the first two are no shorter than a normal one, there was a pause.
        let (early, late) = (first + second - normal, third - normal)
        let threshold = run.deviationThresholds[place + 2]
        if late > threshold, early > 0 { return false }
        return abs(early) + abs(late) < 0.5 * abs(first + second + third - 3 * normal)
    }

    /// Whether a long interval and a short one, which look like a late beat, are rather a normal one and the beginning of
    /// one with a beat too many in it: a late beat takes from one interval what it gives to the other.
    private func isNormalThenSplit(_ place: Int) -> Bool {
        guard place + 2 < run.count, run.durations[place] > run.durations[place + 1] else { return false }
        let (first, second, third) = (run.durations[place], run.durations[place + 1], run.durations[place + 2])
        let next = place + 3 < run.count ? run.durations[place + 3] : third
        let normal = (run.medians[place] + first + next) / 3
        let split = abs(first - normal) + abs(second + third - normal)
        return split < 0.5 * (abs(first + second - 2 * normal) + abs(third - normal))
    }

    /// Whether the interval is too long or too short (subspace S2 and the deviation from the median).
    private func suspicion(_ place: Int) -> CorrectionReason? {
        let (here, next, afterNext) = (jump(place), jump(place + 1), jump(place + 2))
        let (deviation, least) = (run.deviations[place], run.leastDifferences[place])
        let (down, up) = (min(next, afterNext), max(next, afterNext))
        if here > 1, down < -1, max(here, -down) > least, deviation > 1 { return .longInterval }
        if here < -1, up > 1, max(-here, up) > least, deviation < -1 { return .shortInterval }
        if isBetweenTwoShort(place), isDeep(place) || isDeep(place + 2), here < -Self.besideShort,
            next > Self.besideShort
        {
            return .shortInterval
        }
        if isFar(place) { return deviation > 0 ? .longInterval : .shortInterval }
        return isSplit(place) ? .shortInterval : nil
    }

    /// Whether the interval is suspect whatever is beside it: three thresholds from the local median if that is a large
    /// deviation, half as many again if not.
    private func isFar(_ place: Int) -> Bool {
        let share = abs(run.durations[place] / run.medians[place] - 1)
        return abs(run.deviations[place]) > 3 * (share > ArtefactThresholds.large ? 1 : ArtefactThresholds.certain)
    }

    /// Whether this interval and the next are both too short and together as long as a normal one, as those around
    /// them are: however irregular the rhythm, a beat between them is one too many.
    private func isSplit(_ place: Int) -> Bool {
        guard place > 0, place + 2 < run.count else { return false }
        let normal = run.medians[place]
        let (here, next) = (run.durations[place], run.durations[place + 1])
        return max(here, next) < 0.8 * normal && abs(here + next - normal) < 0.15 * normal
            && run.durations[place - 1] > 0.85 * normal && run.durations[place + 2] > 0.85 * normal
    }

    /// Joins a short interval to the neighbour with which it makes one normal interval.
    private func mergeExtra(
        _ place: Int, _ sink: inout CorrectionSink, into outputs: inout [CorrectionOutput]
    ) -> Int? {
        let (duration, normal) = (run.durations[place], run.medians[place])
        guard duration < normal else { return nil }
        let following = place + 1 < run.count ? run.durations[place + 1] : .infinity
        let preceding = sink.lastKept?.duration ?? .infinity
        let (ahead, behind) = (abs(duration + following - normal), abs(preceding + duration - normal))
        guard min(ahead, behind) < tolerance(place) else { return nil }
        if behind < ahead {
            sink.mergeWithLast(onset: run.onsets[place], duration: duration, into: &outputs)
            return 1
        }
        sink.merge(
            base + place, run.onsets[place], duration, next: (run.onsets[place + 1], following), into: &outputs)
        return 2
    }

    /// Puts beats into an interval that is a small multiple of a normal one.
    private func splitMissed(
        _ place: Int, _ sink: inout CorrectionSink, into outputs: inout [CorrectionOutput]
    ) -> Bool {
        let (duration, normal) = (run.durations[place], run.medians[place])
        let parts = Int(min((duration / normal).rounded(), 1_000))
        guard (2...Self.mostMissed + 1).contains(parts), abs(duration / Double(parts) - normal) < tolerance(place)
        else { return false }
        if formsPair(place) {
            let pair = duration + run.durations[place + 1]
            guard abs(pair - Double(parts + 1) * normal) < abs(pair - Double(parts) * normal) else { return false }
        }
        let weights = estimates(place, width: 1, count: parts, sink)
        let new = weights.map { $0 * duration / weights.reduce(0, +) }
        var onsets: [Seconds] = []
        var onset = run.onsets[place] - duration
        for length in new.dropLast() {
            onset = Beat.onGrid(onset + length)
            onsets.append(onset)
        }
        onsets.append(run.onsets[place])
        sink.estimate(
            base + place, onsets, new, old: duration, .missed, .multipleOfNormal, into: &outputs)
        return true
    }

    /// Gives both intervals around a displaced beat the lengths that their neighbours suggest.
    private func replacePair(
        _ place: Int, _ sink: inout CorrectionSink, into outputs: inout [CorrectionOutput]
    ) -> Int {
        replace(place, width: 2, .shortLongPair, &sink, into: &outputs)
    }

    /// Gives the three intervals around two early beats the lengths that their neighbours suggest.
    private func replaceCouplet(
        _ place: Int, _ sink: inout CorrectionSink, into outputs: inout [CorrectionOutput]
    ) -> Int {
        replace(place, width: 3, .couplet, &sink, into: &outputs)
    }

    /// Gives `width` intervals between displaced beats the lengths that their neighbours suggest; the time that they take
    /// together is unchanged.
    private func replace(
        _ place: Int, width: Int, _ reason: CorrectionReason, _ sink: inout CorrectionSink,
        into outputs: inout [CorrectionOutput]
    ) -> Int {
        let new = estimates(place, width: width, count: width, sink)
        let (old, sum) = (run.durations[place..<place + width].reduce(0, +), new.reduce(0, +))
        let start = run.onsets[place] - run.durations[place]
        let shares = new.map { $0 / sum }
        var passed = 0.0
        for offset in 0..<width {
            passed += shares[offset]
            let isLast = offset == width - 1
            let onset = isLast ? run.onsets[place + offset] : Beat.onGrid(start + passed * old)
            sink.estimate(
                base + place + offset, [onset], [new[offset]], old: run.durations[place + offset], .ectopic, reason,
                into: &outputs)
        }
        return width
    }

    /// How far a sum or a share may lie from the local median and still count as normal.
    private func tolerance(_ place: Int) -> Seconds {
        let normal = run.medians[place]
        return (0.2 * normal...0.3 * normal).clamp(run.deviationThresholds[place])
    }

    /// Lengths for `count` intervals in the place of the `width` at `place`, on a line between the normal intervals
    /// before and after.
    private func estimates(_ place: Int, width: Int, count: Int, _ sink: CorrectionSink) -> [Seconds] {
        let before = sink.lastKept?.duration ?? run.medians[place]
        let next = place + width
        var after = run.medians[min(next, run.count - 1)]
        if next < run.count, abs(run.durations[next] - after) < tolerance(next) { after = run.durations[next] }
        return (1...count).map { before + (after - before) * Double($0) / Double(count + 1) }
    }
}
