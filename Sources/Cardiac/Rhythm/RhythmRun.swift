internal import Signals

/// An interval of a run, with the time that it stands for.
struct RhythmInterval: Sendable {
    /// From here, a short hole before it included…
    var start: Seconds
    /// …to its later beat.
    var end: Seconds
    var duration: Seconds
    /// Whether it follows the interval before it.
    var isContiguous: Bool
    var isPremature = false
    var isIrregular = false
    var isEctopic = false
    /// Whether it is fast, and much shorter than intervals around it.
    var isFast = false
}

/// Labels the intervals of a run, each once enough of those after it are known.
struct RhythmRun: Sendable {
    private let parameters: RhythmParameters
    private var held: [RhythmInterval] = []
    /// When the run began, and whether it is known to be long enough to tell a rhythm from.
    private var start: Seconds?
    private var isLong = false
    /// Place in the run of the first interval held.
    private var base = 0
    /// How many intervals of the run are known, marked as premature or not, judged, and labelled.
    private var known = 0
    private var marked = 0
    private var judged = 0
    private var labelled = 0
    private var isIrregular = false
    private var isEctopic = false
    private var lastPremature = 0
    private var lastIrregular: Int?
    private var wasIrregular = false
    private var isInFastRun = false
    private var isSustained = false
    private var rate = RateBand.normal
    /// The interval of the rhythm between fast runs, near the place that is judged.
    private var slowInterval: Seconds = 0
    private var sparsity = IntervalSparsity()
    private var sorted: [Double] = []

    /// Irregularity is judged at every fourth interval: windows overlap by far more.
    private static let judgingStep = 4
    private static let prematureReach = 3
    /// How many fast beats in a row are a run, and over how many intervals one of them may have been missed.
    private static let runLength = 3
    private static let runReach = 8
    /// From so many fast beats in a row on, a run is a rhythm of its own rather than a pattern of ectopy.
    private static let sustained = 8
    /// Of the interval between fast runs, what fast intervals stay below, however gradually they came.
    private static let fastRatio = 0.9
    /// Intervals over the one before that one or two missed beats in a fast run make.
    private static let missedBeats = 1.6...3.4

    init(_ parameters: RhythmParameters) { self.parameters = parameters }

    /// How many intervals after one are waited for to judge it; at the start of a run as many as judge irregularity.
    private var reach: Int {
        max(
            parameters.irregularIntervals - parameters.irregularIntervals / 2, parameters.rateIntervals / 2,
            parameters.ectopicBeats * parameters.ectopicSpacing + Self.prematureReach)
    }

    /// Ectopy no longer than this, in intervals, that leads to irregularity or follows it is part of it.
    private var fringe: Int { max(parameters.irregularIntervals / 4, Self.runReach) }

    /// How many intervals after one may have a say in its label.
    var lookAhead: Int {
        max(reach + fringe, parameters.irregularIntervals, parameters.rateIntervals, parameters.minimumIntervals)
    }

    /// Whether the run holds enough to tell a rhythm from.
    private var isLongEnough: Bool {
        guard known >= parameters.minimumIntervals, let start, let last = held.last else { return false }
        return last.end - start >= parameters.minimumDuration - 1e-6
    }

    var isEmpty: Bool { known == 0 }

    mutating func append(_ interval: RhythmInterval, _ emit: (RhythmInterval, RhythmState) -> Void) {
        if start == nil { start = interval.start }
        held.append(interval)
        known += 1
        markPremature(upTo: known - Self.prematureReach)
        while judged + reach < known, known >= parameters.irregularIntervals { judgeNext() }
        if isLong || isLongEnough {
            isLong = true
            while labelled < judged, labelNext(isOver: false, emit) {}
        }
        drop()
    }

    /// The last interval of the run stands for the time up to `end` as well.
    mutating func extend(to end: Seconds) {
        guard !held.isEmpty else { return }
        held[held.count - 1].end = end
    }

    /// The run is over: labels what is left and starts a new one.
    mutating func end(_ emit: (RhythmInterval, RhythmState) -> Void) {
        if isLong || isLongEnough {
            markPremature(upTo: known)
            while judged < known { judgeNext() }
            while labelled < known, labelNext(isOver: true, emit) {}
        } else {
            for interval in held { emit(interval, RhythmState(.undetermined)) }
        }
        held.removeAll(keepingCapacity: true)
        (base, known, marked, judged, labelled, lastPremature) = (0, 0, 0, 0, 0, 0)
        (isIrregular, isEctopic, lastIrregular, wasIrregular, rate) = (false, false, nil, false, .normal)
        (start, isLong, isInFastRun, slowInterval) = (nil, false, false, 0)
    }

    // What reads a part of the run is compiled where it is called: elsewhere it would be handed a copy of all of it.

    private subscript(_ place: Int) -> RhythmInterval {
        @inline(__always) get { held[place - base] }
    }

    private mutating func drop() {
        let kept = max(parameters.irregularIntervals, parameters.rateIntervals) + 2
        guard labelled - base > 2 * kept + 64 else { return }
        held.removeFirst(labelled - base - kept)
        base = labelled - kept
    }

    private mutating func markPremature(upTo end: Int) {
        while marked < end {
            held[marked - base].isPremature = isPremature(marked)
            marked += 1
        }
    }

    private func isPremature(_ place: Int) -> Bool {
        let ratio = parameters.prematureRatio
        let interval = self[place]
        guard place > 0, interval.isContiguous, interval.duration < ratio * self[place - 1].duration else {
            return false
        }
        for later in place + 1..<max(place + 1, min(place + 1 + Self.prematureReach, known)) {
            guard self[later].isContiguous else { return false }
            if interval.duration < ratio * self[later].duration { return true }
            if self[later].duration < ratio * interval.duration { return false }
        }
        return false
    }

    private mutating func judgeNext() {
        judgeIrregular(judged)
        judgeEctopic(judged)
        held[judged - base].isIrregular = isIrregular
        held[judged - base].isEctopic = isEctopic
        held[judged - base].isFast = isFast(judged)
        judged += 1
    }

    /// Labels an interval; false when it has to wait for more of those after it.
    private mutating func labelNext(isOver: Bool, _ emit: (RhythmInterval, RhythmState) -> Void) -> Bool {
        guard isOver || judged > labelled + Self.runReach else { return false }
        let interval = self[labelled]
        guard let isIrregular = isInIrregularity(interval, isOver: isOver) else { return false }
        judgeRate(labelled, over: isIrregular ? parameters.irregularIntervals : parameters.rateIntervals)
        if interval.isIrregular { lastIrregular = labelled }
        wasIrregular = isIrregular
        let isFollowing = isInFastRun
        isInFastRun = isInFastRun(labelled)
        if isInFastRun, !isFollowing {
            isSustained = rate == .fast || fastIntervals(from: labelled, most: Self.sustained) == Self.sustained
        }
        if isIrregular {
            emit(interval, RhythmState(order: .irregular, rate: rate))
        } else if isInFastRun {
            emit(
                interval,
                isSustained
                    ? RhythmState(order: .regular, rate: .fast)
                    : RhythmState(order: .ectopic, rate: .fast, ectopy: .run))
        } else if interval.isEctopic {
            emit(interval, RhythmState(order: .ectopic, rate: rate, ectopy: pattern(around: labelled)))
        } else {
            emit(interval, RhythmState(order: .regular, rate: rate))
        }
        labelled += 1
        return true
    }

    /// Whether the next interval to label is irregular or at the fringe of irregularity; nil while that is not known.
    private func isInIrregularity(_ interval: RhythmInterval, isOver: Bool) -> Bool? {
        if interval.isIrregular || !interval.isEctopic { return interval.isIrregular }
        if let lastIrregular, wasIrregular, labelled - lastIrregular <= fringe { return true }
        for later in labelled + 1..<max(labelled + 1, min(judged, labelled + fringe + 1)) {
            if self[later].isIrregular { return true }
            if !self[later].isEctopic { return false }
        }
        return isOver || judged > labelled + fringe ? false : nil
    }

    /// The `count` intervals around a place, or as many as the run has; at its edges those nearest.
    @inline(__always)
    private func around(_ place: Int, _ count: Int) -> Range<Int> {
        let first = max(0, min(place - count / 2, known - count))
        return first..<min(known, first + count)
    }

    private mutating func judgeIrregular(_ place: Int) {
        guard place % Self.judgingStep == 0 else { return }
        let window = around(place, parameters.irregularIntervals)
        guard window.count >= parameters.fewestIrregularIntervals else { return }
        let (held, first) = (held, window.lowerBound - base)
        let mean = window.reduce(0) { $0 + held[$1 - base].duration } / Double(window.count)
        // A fast heart in order varies less, and one in fibrillation less too: the atrioventricular node sets a floor.
        let scale = min(max(mean * parameters.tachycardiaRate / 60, 0.6), 1)
        let isSparse = sparsity.isAtLeast(
            scale * (isIrregular ? parameters.irregularUntil : parameters.irregularFrom), count: window.count
        ) { (held[first + $0].duration, held[first + $0].isContiguous) }
        if let isSparse { isIrregular = isSparse }
    }

    private mutating func judgeEctopic(_ place: Int) {
        if self[place].isPremature, isEctopic || followers(of: place) + 1 >= parameters.ectopicBeats {
            isEctopic = true
            lastPremature = place
        }
        // The interval after the premature one still belongs to it.
        guard isEctopic, place > lastPremature + 1 else { return }
        let end = min(marked, lastPremature + parameters.ectopicSpacing + 1)
        isEctopic = (place..<max(place, end)).contains { self[$0].isPremature }
    }

    /// How many premature beats follow the one at `place`, none too far from the one before it.
    private func followers(of place: Int) -> Int {
        var (count, last, next) = (0, place, place + 1)
        while next < marked, next <= last + parameters.ectopicSpacing, count + 1 < parameters.ectopicBeats {
            if self[next].isPremature {
                count += 1
                last = next
            }
            next += 1
        }
        return count
    }

    /// Whether an interval is above the bound of tachycardia and much shorter than those of the rhythm around it.
    private mutating func isFast(_ place: Int) -> Bool {
        let interval = self[place]
        if place % Self.judgingStep == 0 || slowInterval == 0 {
            // Of the longest: where most of the beats are in fast runs, it is still the rhythm between them.
            slowInterval = quantile(0.9, of: around(place, parameters.irregularIntervals))
        }
        return interval.isContiguous && interval.duration < 60 / parameters.tachycardiaRate
            && interval.duration < Self.fastRatio * slowInterval
    }

    private mutating func quantile(_ share: Double, of window: Range<Int>) -> Seconds {
        let (held, base) = (held, base)
        sorted.removeAll(keepingCapacity: true)
        for place in window { sorted.append(held[place - base].duration) }
        sorted.sort()
        return sorted.isEmpty ? 0 : sorted[Int(share * Double(sorted.count - 1))]
    }

    /// How many intervals from a place on are fast, of those that are judged.
    private func fastIntervals(from place: Int, most: Int = runLength) -> Int {
        var end = place
        while end < judged, end - place < most, self[end].isFast { end += 1 }
        return end - place
    }

    /// Whether an interval lies in a run of fast beats that began abruptly, or between two parts of one, where a beat was
    /// missed.
    private func isInFastRun(_ place: Int) -> Bool {
        let interval = self[place]
        if interval.isFast {
            if isInFastRun { return true }
            guard place == 0 || interval.duration < parameters.prematureRatio * self[place - 1].duration else {
                return false
            }
            let first = fastIntervals(from: place)
            return first >= Self.runLength
                || (isMissedBeat(place + first) && fastIntervals(from: place + first + 1) >= Self.runLength)
        }
        if isInFastRun { return isMissedBeat(place) && fastIntervals(from: place + 1) >= 2 }
        // The first of the fast beats comes early, if not at once as early as the next.
        return place > 0 && interval.isContiguous
            && interval.duration < parameters.prematureRatio * self[place - 1].duration
            && fastIntervals(from: place + 1) >= Self.runLength - 1
    }

    private func isMissedBeat(_ place: Int) -> Bool {
        guard place > 0, place < judged, self[place].isContiguous else { return false }
        return Self.missedBeats.contains(self[place].duration / self[place - 1].duration)
    }

    /// The pattern of the premature beats around a place in ectopy.
    private func pattern(around place: Int) -> EctopyPattern {
        func premature(from start: Int, by step: Int) -> Int? {
            var next = start
            for _ in 0..<2 * Self.prematureReach {
                guard next >= base, next < marked else { return nil }
                if self[next].isPremature { return next }
                next += step
            }
            return nil
        }
        let last = premature(from: place, by: -1)
        let next = premature(from: place + 1, by: 1)
        let before = last.flatMap { premature(from: $0 - 1, by: -1) }
        let after = next.flatMap { premature(from: $0 + 1, by: 1) }
        let distances = [(before, last), (last, next), (next, after)].map { earlier, later in
            earlier.flatMap { earlier in later.map { $0 - earlier } }
        }
        // Three in a row that are equally far apart, of which one is near.
        for distance in [2, 3] {
            let isPattern =
                (distances[0] == distance && distances[1] == distance)
                || (distances[1] == distance && distances[2] == distance)
                || (next == nil && distances[0] == distance && place - (last ?? place) < distance)
                || (last == nil && distances[2] == distance && (next ?? place) - place < distance)
            if isPattern { return distance == 2 ? .bigeminy : .trigeminy }
        }
        return .frequent
    }

    private mutating func judgeRate(_ place: Int, over count: Int) {
        // Out of the run while it is written: the run would be copied to be read beside it.
        var sorted: [Double] = []
        swap(&sorted, &self.sorted)
        defer { swap(&sorted, &self.sorted) }
        let (window, held, base) = (around(place, count), held, base)
        sorted.removeAll(keepingCapacity: true)
        // Means of two, so that premature beats, whose pauses make up for them, are no fast rate.
        for near in window.dropLast() {
            sorted.append((held[near - base].duration + held[near + 1 - base].duration) / 2)
        }
        if sorted.isEmpty { sorted.append(held[place - base].duration) }
        sorted.sort()
        let middle = sorted.count / 2
        let band = band(ofInterval: sorted[middle])
        // Where a fast rhythm meets a slow one, their middle is neither, and no rhythm of its own.
        if band == .normal, sorted.indices.contains(middle + 1), middle > 0,
            self.band(ofInterval: sorted[middle - 1]) == .fast,
            self.band(ofInterval: sorted[middle + 1]) == .slow
        {
            return
        }
        rate = band
    }

    /// The band of a rate with this interval, in seconds, after the latest band.
    @inline(__always)
    private func band(ofInterval interval: Seconds) -> RateBand {
        let beatsPerMinute = 60 / interval
        let margin = parameters.rateHysteresis
        if beatsPerMinute > parameters.tachycardiaRate - (rate == .fast ? margin : 0) { return .fast }
        if beatsPerMinute < parameters.bradycardiaRate + (rate == .slow ? margin : 0) { return .slow }
        return .normal
    }
}
