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
}

/// Labels the intervals of a run, each once enough of those after it are known.
struct RhythmRun: Sendable {
    private let parameters: RhythmParameters
    private var held: [RhythmInterval] = []
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
    private var label = RhythmKind.regular
    private var rate = RhythmKind.regular
    private var sparsity = IntervalSparsity()
    private var sorted: [Double] = []

    /// Irregularity is judged at every fourth interval: windows overlap by far more.
    private static let judgingStep = 4
    private static let prematureReach = 3

    init(_ parameters: RhythmParameters) { self.parameters = parameters }

    /// How many intervals after one are waited for to judge it; at the start of a run as many as judge irregularity.
    private var reach: Int {
        max(
            parameters.irregularIntervals - parameters.irregularIntervals / 2, parameters.rateIntervals / 2,
            parameters.ectopicBeats * parameters.ectopicSpacing + Self.prematureReach)
    }

    /// Ectopy no longer than this, in intervals, that leads to irregularity or follows it is part of it.
    private var fringe: Int { parameters.irregularIntervals / 4 }

    /// How many intervals after one may have a say in its label.
    var lookAhead: Int { max(reach + fringe, parameters.irregularIntervals, parameters.rateIntervals) }

    var isEmpty: Bool { known == 0 }

    mutating func append(_ interval: RhythmInterval, _ emit: (RhythmInterval, RhythmKind) -> Void) {
        held.append(interval)
        known += 1
        markPremature(upTo: known - Self.prematureReach)
        while judged + reach < known, known >= parameters.irregularIntervals { judgeNext() }
        while labelled < judged, labelNext(isOver: false, emit) {}
        drop()
    }

    /// The last interval of the run stands for the time up to `end` as well.
    mutating func extend(to end: Seconds) {
        guard !held.isEmpty else { return }
        held[held.count - 1].end = end
    }

    /// The run is over: labels what is left and starts a new one.
    mutating func end(_ emit: (RhythmInterval, RhythmKind) -> Void) {
        markPremature(upTo: known)
        while judged < known { judgeNext() }
        while labelled < known, labelNext(isOver: true, emit) {}
        held.removeAll(keepingCapacity: true)
        (base, known, marked, judged, labelled, lastPremature) = (0, 0, 0, 0, 0, 0)
        (isIrregular, isEctopic, lastIrregular, label, rate) = (false, false, nil, .regular, .regular)
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
        judged += 1
    }

    /// Labels an interval; false when it has to wait for more of those after it.
    private mutating func labelNext(isOver: Bool, _ emit: (RhythmInterval, RhythmKind) -> Void) -> Bool {
        let interval = self[labelled]
        guard let isIrregular = isInIrregularity(interval, isOver: isOver) else { return false }
        judgeRate(labelled)
        if interval.isIrregular { lastIrregular = labelled }
        label = isIrregular ? .irregular : interval.isEctopic ? .ectopy : rate
        emit(interval, label)
        labelled += 1
        return true
    }

    /// Whether the next interval to label is irregular or at the fringe of irregularity; nil while that is not known.
    private func isInIrregularity(_ interval: RhythmInterval, isOver: Bool) -> Bool? {
        if interval.isIrregular || !interval.isEctopic { return interval.isIrregular }
        if let lastIrregular, label == .irregular, labelled - lastIrregular <= fringe { return true }
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
        let isSparse = sparsity.isAtLeast(
            isIrregular ? parameters.irregularUntil : parameters.irregularFrom, count: window.count
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

    private mutating func judgeRate(_ place: Int) {
        // Out of the run while it is written: the run would be copied to be read beside it.
        var sorted: [Double] = []
        swap(&sorted, &self.sorted)
        defer { swap(&sorted, &self.sorted) }
        let (window, held, base) = (around(place, parameters.rateIntervals), held, base)
        sorted.removeAll(keepingCapacity: true)
        // Means of two, so that premature beats, whose pauses make up for them, are no fast rate.
        for near in window.dropLast() {
            sorted.append((held[near - base].duration + held[near + 1 - base].duration) / 2)
        }
        if sorted.isEmpty { sorted.append(held[place - base].duration) }
        sorted.sort()
        let middle = sorted.count / 2
        let kind = kind(ofInterval: sorted[middle])
        // Where a fast rhythm meets a slow one, their middle is neither, and no rhythm of its own.
        if kind == .regular, sorted.indices.contains(middle + 1), middle > 0,
            self.kind(ofInterval: sorted[middle - 1]) == .tachycardia,
            self.kind(ofInterval: sorted[middle + 1]) == .bradycardia
        {
            return
        }
        rate = kind
    }

    /// What a regular rhythm with this interval is, in seconds, after the latest.
    @inline(__always)
    private func kind(ofInterval interval: Seconds) -> RhythmKind {
        let beatsPerMinute = 60 / interval
        let margin = parameters.rateHysteresis
        if beatsPerMinute > parameters.tachycardiaRate - (rate == .tachycardia ? margin : 0) { return .tachycardia }
        if beatsPerMinute < parameters.bradycardiaRate + (rate == .bradycardia ? margin : 0) { return .bradycardia }
        return .regular
    }
}
