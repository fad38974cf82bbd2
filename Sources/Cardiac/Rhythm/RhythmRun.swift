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
}

/// Labels the intervals of a run, each once enough of those after it are known.
struct RhythmRun: Sendable {
    private let parameters: RhythmParameters
    private var held: [RhythmInterval] = []
    /// Place in the run of the first interval held.
    private var base = 0
    /// How many intervals of the run are known, marked as premature or not, and labelled.
    private var known = 0
    private var marked = 0
    private var labelled = 0
    private var isIrregular = false
    private var isEctopic = false
    private var lastPremature = 0
    private var rate = RhythmKind.regular
    private var sparsity = IntervalSparsity()
    private var sorted: [Double] = []

    /// Irregularity is judged at every fourth interval: windows overlap by far more.
    private static let judgingStep = 4
    private static let prematureReach = 3

    init(_ parameters: RhythmParameters) { self.parameters = parameters }

    /// How many intervals after one are waited for, except at the start of a run, where it is up to `irregularIntervals`.
    private var reach: Int {
        max(
            parameters.irregularIntervals - parameters.irregularIntervals / 2, parameters.rateIntervals / 2,
            parameters.ectopicBeats * parameters.ectopicSpacing + Self.prematureReach)
    }

    var isEmpty: Bool { known == 0 }

    mutating func append(_ interval: RhythmInterval, _ emit: (RhythmInterval, RhythmKind) -> Void) {
        held.append(interval)
        known += 1
        markPremature(upTo: known - Self.prematureReach)
        while labelled + reach < known, known >= parameters.irregularIntervals { labelNext(emit) }
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
        while labelled < known { labelNext(emit) }
        held.removeAll(keepingCapacity: true)
        (base, known, marked, labelled, lastPremature) = (0, 0, 0, 0, 0)
        (isIrregular, isEctopic, rate) = (false, false, .regular)
    }

    private subscript(_ place: Int) -> RhythmInterval { held[place - base] }

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

    private mutating func labelNext(_ emit: (RhythmInterval, RhythmKind) -> Void) {
        let place = labelled
        judgeIrregular(place)
        judgeEctopic(place)
        judgeRate(place)
        labelled += 1
        emit(self[place], isIrregular ? .irregular : isEctopic ? .ectopy : rate)
    }

    /// The `count` intervals around a place, or as many as the run has; at its edges those nearest.
    private func around(_ place: Int, _ count: Int) -> Range<Int> {
        let first = max(0, min(place - count / 2, known - count))
        return first..<min(known, first + count)
    }

    private mutating func judgeIrregular(_ place: Int) {
        guard place % Self.judgingStep == 0 else { return }
        let window = around(place, parameters.irregularIntervals)
        guard window.count >= parameters.fewestIrregularIntervals else { return }
        let (held, offset) = (held, window.lowerBound - base)
        let value = sparsity(count: window.count) { (held[offset + $0].duration, held[offset + $0].isContiguous) }
        guard let value else { return }
        isIrregular = value >= (isIrregular ? parameters.irregularUntil : parameters.irregularFrom)
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
        sorted.removeAll(keepingCapacity: true)
        for near in around(place, parameters.rateIntervals) { sorted.append(self[near].duration) }
        sorted.sort()
        let beatsPerMinute = 60 / sorted[sorted.count / 2]
        let margin = parameters.rateHysteresis
        if beatsPerMinute > parameters.tachycardiaRate - (rate == .tachycardia ? margin : 0) {
            rate = .tachycardia
        } else if beatsPerMinute < parameters.bradycardiaRate + (rate == .bradycardia ? margin : 0) {
            rate = .bradycardia
        } else {
            rate = .regular
        }
    }
}
