public import Signals

/// Turns NN intervals into windows of heart-rate variability.
///
/// Windows start at 0, `step`, 2 `step` … seconds of the recording. An interval belongs to a window when both its
/// beats lie within it, ends included. A run's start (`begin`) is a break between intervals, not between windows: a
/// window may hold several runs, and its coverage says how much of it they fill. The last window is the last one that
/// ends before the signal is thought to end, one interval after the last beat. Where there is less than one window,
/// there is one row over what there is, from the first beat to the last. Intervals that are not positive numbers, or
/// do not follow the one before in time, are left out and break the series.
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
    private var nextWindow = 0

    /// Beats are placed to 0.1 ms; sums of their intervals stay well within this of them.
    private static let tolerance: Seconds = 1e-6
    /// A break may not give more empty windows than this; further ones are skipped.
    private static let mostEmptyWindows = 100_000

    /// A stage that computes with these parameters.
    /// - Throws: the first parameter that has no meaning.
    public init(_ parameters: HRVParameters = HRVParameters()) throws(InvalidParameter) {
        try parameters.validate()
        self.parameters = parameters
        plan = SpectralPlan(parameters)
        indexes = HRVIndex.list(parameters)
        let nothing = HRVSeries(onset: 0, duration: 1, intervals: [], parameters: parameters, plan: plan)
        empty = HRVWindow(nothing, indexes: indexes)
    }

    /// The length of a window; infinite where that is the whole recording.
    public var lookAhead: Seconds { parameters.window ?? .infinity }

    /// A run begins: no difference is taken to the intervals before.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [HRVWindow]) {
        isBroken = true
    }

    /// The next intervals in order of time.
    public mutating func push(_ intervals: Span<NN>, into outputs: inout [HRVWindow]) {
        for index in intervals.indices { take(intervals[index], into: &outputs) }
    }

    /// Computes the windows that are complete and starts anew.
    public mutating func finish(into outputs: inout [HRVWindow]) {
        guard let last = held.last else { return }
        if let window = parameters.window {
            emitWindows(of: window, endingBy: last.onset + last.duration + Self.tolerance, into: &outputs)
        }
        if nextWindow == 0 { emitWhole(into: &outputs) }
        held = []
        first = 0
        nextWindow = 0
        isBroken = false
    }

    private mutating func take(_ interval: NN, into outputs: inout [HRVWindow]) {
        let follows = held.last.map { interval.onset > $0.onset } ?? (interval.onset >= 0)
        guard interval.duration > 0, interval.duration.isFinite, interval.onset < 1e12, follows else {
            isBroken = true
            return
        }
        if let window = parameters.window {
            emitWindows(of: window, endingBefore: interval.onset, into: &outputs)
        }
        var interval = interval
        if isBroken { interval.isContiguous = false }
        isBroken = false
        held.append(interval)
    }

    private func start(ofWindow number: Int) -> Seconds { Double(number) * parameters.step }

    private mutating func emitWindows(
        of window: Seconds, endingBefore onset: Seconds, into outputs: inout [HRVWindow]
    ) {
        emitWindows(of: window, endingBy: (onset - Self.tolerance).nextDown, into: &outputs)
    }

    private mutating func emitWindows(of window: Seconds, endingBy end: Seconds, into outputs: inout [HRVWindow]) {
        var emptyWindows = 0
        while start(ofWindow: nextWindow) + window <= end {
            let onset = start(ofWindow: nextWindow)
            dropIntervals(before: onset)
            let inside = held[first...].prefix { $0.onset <= onset + window + Self.tolerance }
            nextWindow += 1
            if inside.isEmpty {
                emptyWindows += 1
                if emptyWindows > Self.mostEmptyWindows {
                    let following = ((end - window) / parameters.step).rounded(.down)
                    nextWindow = max(nextWindow, Int(min(following, 1e15)))
                    emptyWindows = 0
                    continue
                }
                emitEmpty(onset: onset, duration: window, into: &outputs)
                continue
            }
            emit(onset: onset, duration: window, Array(inside), into: &outputs)
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
        guard let opening = held.first, let closing = held.last else { return }
        let onset = opening.onset - opening.duration
        emit(onset: onset, duration: closing.onset - onset, held, into: &outputs)
    }

    private func emitEmpty(onset: Seconds, duration: Seconds, into outputs: inout [HRVWindow]) {
        var window = empty
        (window.onset, window.duration) = (onset, duration)
        outputs.append(window)
    }

    private func emit(onset: Seconds, duration: Seconds, _ intervals: [NN], into outputs: inout [HRVWindow]) {
        let series = HRVSeries(
            onset: onset, duration: duration, intervals: intervals, parameters: parameters, plan: plan)
        outputs.append(HRVWindow(series, indexes: indexes))
    }
}
