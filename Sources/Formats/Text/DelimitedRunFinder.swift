import Signals

/// Finds the runs of a series of times.
///
/// A time that comes more than 1.5 periods after the one before it begins a new run, unless the times after it catch
/// up, or their usual jitter is as large: clocks that stamp samples on arrival are late now and then, but no sample is
/// missing.
struct DelimitedRunFinder {
    /// How much the rounding of times may add to a spacing.
    var slack: Seconds = 0
    private(set) var runs: [DelimitedTimeline.Run] = []
    private(set) var last: Seconds = -.infinity
    /// How often, and by how much at most, the times went back.
    private(set) var reversals = (count: 0, largest: 0.0)

    private let period: Seconds
    private let isStated: Bool
    private var pacing: StampPacing?
    private var run: DelimitedTimeline.Run?
    private var line: StampLine?
    private var ticks = StampTicks()
    private var blocks = StampBlocks(period: 1)
    /// The latest times and the slack of each; those before `next` belong to runs already.
    private var times: [Seconds] = []
    private var slacks: [Seconds] = []
    private var next = 0
    private var row = 0
    private var effort = (spent: 0, allowed: 1 << 20)
    /// How many times tell the pacing, and how many around a jump are looked at.
    private let learning: Int
    private let reach: Int
    /// How many periods times may go back: a packet of samples.
    private static let packet = 16.0
    /// The number of steps before or after one that must be like it.
    private static let steadySteps = 7

    /// - Parameters:
    ///   - period: the time between samples, as the first lines tell it.
    ///   - isStated: whether it is known, so that the other lines need not tell it.
    ///   - rowsPerTick: the most rows with the same stamp, by the first lines.
    init(period: Seconds, isStated: Bool, rowsPerTick: Int = 1) {
        self.period = period
        self.isStated = isStated
        reach = max(1_024, 4 * rowsPerTick)
        learning = max(1 << 16, 4 * reach)
    }

    /// Takes the next time; false when it goes back by more than a packet of samples, which is more than the clocks do
    /// that stamp packets on arrival and count back from there.
    mutating func push(_ time: Seconds) -> Bool {
        guard time - last > -(Self.packet * period + slack) else { return false }
        if time < last { reversals = (reversals.count + 1, max(reversals.largest, last - time)) }
        last = time
        times.append(time)
        slacks.append(slack)
        if times.count - next >= learning { settle(until: times.count - reach) }
        return true
    }

    mutating func finish() {
        settle(until: times.count)
        close()
    }

    /// - Parameter next: when the next run begins.
    private mutating func close(before next: Seconds = .infinity) {
        guard var run, let line else { return }
        if !isStated, let period = ticks.period {
            // The last stamp is that of a tick before it.
            run.last = min(run.first + Double(run.rowCount - 1) * period, next - period)
            run.precision = 2 * period + min(ticks.jitter, max(0, next - period - run.last))
        }
        run.longestStep = ticks.longestStep
        run.shortestPeriod = isStated ? nil : blocks.shortestPeriod()
        run.residual = line.residual(until: run.last)
        runs.append(run)
    }

    private mutating func settle(until end: Int) {
        let pacing = pacing ?? learned()
        self.pacing = pacing
        effort.allowed += 64 * max(0, end - next)
        while next < end {
            let time = times[next]
            if var open = run, !isBreak(pacing, open) {
                open.rowCount += 1
                open.last = max(open.last, time)
                run = open
            } else {
                close(before: time)
                run = DelimitedTimeline.Run(firstRow: row, rowCount: 1, first: time, last: time)
                line = StampLine(first: time, rate: 1 / period)
                ticks = StampTicks()
                blocks = StampBlocks(period: period)
            }
            line?.add(time)
            ticks.add(time)
            blocks.add(time)
            row += 1
            next += 1
        }
        let spent = max(0, next - reach)
        times.removeFirst(spent)
        slacks.removeFirst(spent)
        next -= spent
    }

    private func learned() -> StampPacing {
        if !isStated, let grid = StampPacing(grid: times, resolution: slacks.max() ?? 0) { return grid }
        if let few = StampPacing(few: times), !isStated || abs(few.period - period) < 0.05 * period { return few }
        // The last tick of a file may be a part of one, and would count for less.
        if !isStated, let period = StampTicks(times).period { return StampPacing(times, period: period) }
        let learned = isStated ? nil : StampPacing(times, expected: period) { $0 / 2 }
        return learned ?? StampPacing(times, period: period)
    }

    /// True if the next step is one of many alike: the rate is lower here, and no sample is missing.
    private var isSteady: Bool {
        let step = times[next] - times[next - 1]
        guard step > 0 else { return false }
        func usual(_ places: ClosedRange<Int>) -> Seconds {
            guard places.lowerBound > 0, places.upperBound < times.count else { return 0 }
            return places.map { times[$0] - times[$0 - 1] }.upperMedian
        }
        let count = Self.steadySteps
        return step < 1.5 * max(usual(next + 1...next + count), next > count ? usual(next - count...next - 1) : 0)
    }

    private mutating func isBreak(_ pacing: StampPacing, _ open: DelimitedTimeline.Run) -> Bool {
        if isSteady { return false }
        guard effort.spent < effort.allowed else { return times[next] - times[next - 1] > 1.5 * period + slacks[next] }
        return pacing.isJump(
            times, at: next, from: max(0, next - open.rowCount), tolerance: pacing.period / 2 + slacks[next],
            reach: reach, effort: &effort.spent)
    }
}
