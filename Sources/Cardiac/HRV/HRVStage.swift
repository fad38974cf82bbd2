public import Signals

/// Turns NN intervals into windows of heart-rate variability.
///
/// Windows start at 0, `step`, 2 `step` … seconds of the recording. An interval belongs to a window when both its
/// beats lie within it, ends included. A run's start (`begin`) is a break between intervals, not between windows: a
/// window may hold several runs, and its coverage says how much of it they fill. The last window is the last one that
/// ends before the signal does (`cover`) or is thought to, one interval after the last beat: time in which a signal shows
/// no beat counts as much at its ends as in its middle. Where there is less than one window, there is one row over what
/// there is, the signal or, where none is known, the time from the first beat to the last. A gap of more than
/// `WindowGrid.mostEmpty` windows is one window. Intervals that are not positive numbers, or do not follow the one before
/// in time, are left out and break the series.
///
/// Windows of a condition (`init(_:within:)`) are counted from its onset instead, and none reaches over its end by more than
/// a tenth of a second.
///
/// Memory is that of one window; of all intervals where the window is the whole recording.
public struct HRVStage: Stage {
    /// The indexes that it computes, in the order of `HRVWindow.values`.
    public let indexes: [HRVIndex]
    private let parameters: HRVParameters
    private let plan: SpectralPlan
    /// A window without intervals; all such windows share its lists.
    private let empty: HRVWindow
    private var held: [NN] = []
    private var first = 0
    private var isBroken = false
    private var hasLeftOut = false
    /// How many intervals' time before the first beat and after the last is no time without beats, where there is one
    /// window over everything: of a short recording it would be much.
    private static let usualEdge = 2.0

    /// From the start of the first run of samples to the end of the last; nil where only intervals are known.
    private var extent: ClosedRange<Seconds>?
    /// nil where the one window is the whole recording.
    private var grid: WindowGrid?
    /// The condition that holds the windows; nil: the whole recording.
    private let condition: Range<Seconds>?

    private static let tolerance = WindowGrid.tolerance
    /// The time by which a window may reach over the end of a condition, in seconds: as tables of events round.
    private static let overhang = 0.1

    /// A stage that computes with these parameters.
    /// - Throws: the first parameter that has no meaning.
    public init(_ parameters: HRVParameters = HRVParameters()) throws(InvalidParameter) {
        try self.init(parameters, condition: nil)
    }

    /// A stage for the windows of a condition: the first begins with the condition, and one that is shorter than a window has
    /// one window of its own length.
    /// - Parameter condition: from its onset to its end, in seconds from the recording's start. Only intervals within it may
    ///   be pushed.
    /// - Throws: the first parameter that has no meaning.
    public init(_ parameters: HRVParameters, within condition: Range<Seconds>) throws(InvalidParameter) {
        try self.init(parameters, condition: condition)
        cover(condition)
        leaveOut()
    }

    private init(_ parameters: HRVParameters, condition: Range<Seconds>?) throws(InvalidParameter) {
        try parameters.validate()
        self.parameters = parameters
        self.condition = condition
        plan = SpectralPlan(parameters)
        indexes = HRVIndex.list(parameters)
        let nothing = HRVSeries(onset: 0, duration: 1, intervals: [], parameters: parameters, plan: plan)
        empty = HRVWindow(nothing, indexes: indexes)
        grid = Self.grid(parameters, condition)
    }

    /// The length of a window; infinite where that is the whole recording.
    public var lookAhead: Seconds { parameters.window ?? .infinity }

    /// A run begins: no difference is taken to the intervals before.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [HRVWindow]) {
        isBroken = true
    }

    /// There was a signal in which beats were sought during `run`, whether or not it shows any.
    public mutating func cover(_ run: Range<Seconds>) {
        extent =
            min(
                extent?.lowerBound ?? run.lowerBound, run.lowerBound)...max(
                extent?.upperBound ?? run.upperBound, run.upperBound)
    }

    /// The next intervals in order of time.
    public mutating func push(_ intervals: Span<NN>, into outputs: inout [HRVWindow]) {
        for index in intervals.indices { take(intervals[index], into: &outputs) }
    }

    /// There was an interval that does not count. Where no other does, the signal's windows are told all the same.
    public mutating func leaveOut() {
        hasLeftOut = true
    }

    /// Computes the windows that are complete and starts anew. Where there was no interval there is no window.
    public mutating func finish(into outputs: inout [HRVWindow]) {
        if let end = lastEnd {
            emitWindows(endingBy: end + Self.tolerance, into: &outputs)
            if grid?.isFresh ?? true { emitWhole(into: &outputs) }
        }
        held = []
        first = 0
        extent = nil
        grid = Self.grid(parameters, condition)
        (isBroken, hasLeftOut) = (false, false)
    }

    /// Up to when windows are told; nil where there are none.
    private var lastEnd: Seconds? {
        if let condition { return condition.upperBound + Self.overhang }
        guard let last = held.last else { return hasLeftOut ? extent?.upperBound : nil }
        return max(last.onset + last.duration, extent?.upperBound ?? -.infinity)
    }

    private mutating func take(_ interval: NN, into outputs: inout [HRVWindow]) {
        let follows = held.last.map { interval.onset > $0.onset } ?? (interval.onset >= 0)
        guard interval.duration > 0, interval.duration.isFinite, interval.onset.isPlaceable, follows else {
            isBroken = true
            return
        }
        // Those that end before this interval does: what is in them is known.
        emitWindows(endingBy: (interval.onset - Self.tolerance).nextDown, into: &outputs)
        var interval = interval
        if isBroken { interval.isContiguous = false }
        isBroken = false
        held.append(interval)
    }

    private static func grid(_ parameters: HRVParameters, _ condition: Range<Seconds>?) -> WindowGrid? {
        parameters.window.map {
            WindowGrid(length: $0, step: parameters.step, origin: condition?.lowerBound ?? 0)
        }
    }

    private mutating func emitWindows(endingBy end: Seconds, into outputs: inout [HRVWindow]) {
        while let place = grid?.take(endingBy: end, dataEnd: held.last?.onset ?? -.infinity) {
            dropIntervals(before: place.onset)
            let inside = held[first...].prefix { $0.onset <= place.end + Self.tolerance }
            if inside.isEmpty {
                emitEmpty(place, into: &outputs)
            } else {
                emit(place, Array(inside), into: &outputs)
            }
        }
    }

    private mutating func dropIntervals(before onset: Seconds) {
        while first < held.count, held[first].onset - held[first].duration < onset - Self.tolerance { first += 1 }
        // The last interval stays: the next one must follow it.
        guard first > 1_024, first * 2 > held.count else { return }
        let dropped = min(first, held.count - 1)
        held.removeFirst(dropped)
        first -= dropped
    }

    private mutating func emitWhole(into outputs: inout [HRVWindow]) {
        guard let opening = held.first, let closing = held.last else {
            guard let extent, extent.upperBound > extent.lowerBound else { return }
            emitEmpty(
                WindowPlace(onset: extent.lowerBound, duration: extent.upperBound - extent.lowerBound), into: &outputs)
            return
        }
        let firstBeat = opening.onset - opening.duration
        var (onset, end) = (firstBeat, closing.onset)
        // No beat is missing where there was no time for one.
        if let extent {
            if firstBeat - extent.lowerBound > Self.usualEdge * opening.duration { onset = extent.lowerBound }
            if extent.upperBound - closing.onset > Self.usualEdge * closing.duration { end = extent.upperBound }
        }
        emit(WindowPlace(onset: onset, duration: end - onset), held, into: &outputs)
    }

    private func emitEmpty(_ place: WindowPlace, into outputs: inout [HRVWindow]) {
        var window = empty
        (window.onset, window.duration) = (place.onset, place.duration)
        outputs.append(window)
    }

    private func emit(_ place: WindowPlace, _ intervals: [NN], into outputs: inout [HRVWindow]) {
        let span = intervals.last.map { $0.onset - intervals[0].onset + intervals[0].duration } ?? 0
        let series = HRVSeries(
            onset: place.onset, duration: place.duration, intervals: intervals, parameters: parameters,
            plan: plan.reaching(span, parameters))
        outputs.append(HRVWindow(series, indexes: indexes))
    }
}
