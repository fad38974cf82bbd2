import Signals

/// Stamps of a segment summed up over blocks of half a second, to find rates that stay off for seconds.
///
/// Samples that are stamped on arrival are late now and then, and what was late catches up within a fraction of a second:
/// of each block only the stamp that is the least late counts. A rate that changes for seconds, and time that is never
/// caught up, is what the clock says. Of stamps that are coarser than the sample period, only the first of each tick
/// counts.
struct StampBlocks {
    /// A row and its stamp.
    struct Point {
        var row: Int
        var time: Seconds
    }

    /// The smallest share by which the time of `reach` blocks must differ from the usual one.
    private static let offShare = 0.04
    /// The largest change that may be jitter, in multiples of that of the quarter of blocks with the least.
    private static let jitterFactor = 8.0
    /// Blocks in a second, blocks over which a rate must be kept, and those over which late stamps may catch up.
    private static let blocksPerSecond = 2.0
    private static let reach = 4
    private static let catchUp = 6
    private static let fewestBlocks = 8
    private static let fewestRows = 8

    private let period: Seconds
    private let rowsPerBlock: Int
    private var points: [Point] = []
    private var best: (row: Int, time: Seconds, delay: Seconds)?
    private var row = 0
    private var blockEnd: Int
    private var latest = -Seconds.infinity
    private var largestStep = 0.0

    /// A segment whose samples come about every `period` seconds.
    init(period: Seconds) {
        self.period = period
        rowsPerBlock = max(Self.fewestRows, Int((1 / period / Self.blocksPerSecond).rounded()))
        blockEnd = rowsPerBlock
    }

    mutating func add(_ stamp: Seconds) {
        if row == blockEnd {
            closeBlock()
            blockEnd += rowsPerBlock
        }
        if stamp > latest {
            if latest.isFinite { largestStep = max(largestStep, stamp - latest) }
            latest = stamp
            let delay = stamp - Double(row) * period
            if best.map({ delay < $0.delay }) ?? true { best = (row, stamp, delay) }
        }
        row += 1
    }

    private mutating func closeBlock() {
        best.map { points.append(Point(row: $0.row, time: $0.time)) }
        best = nil
    }

    /// The shortest period that is kept for blocks, where the rate stays off for two seconds and more; nil where time is even.
    func shortestPeriod() -> Seconds? {
        var all = points
        if let best { all.append(Point(row: best.row, time: best.time)) }
        guard all.count >= Self.fewestBlocks else { return nil }
        // The first stamp of coarse ones may stand anywhere in its tick.
        if largestStep > 4 * period { all.removeFirst() }
        let periods = zip(all.dropFirst(), all).map { ($0.time - $1.time) / Double($0.row - $1.row) }
        let usual = periods.upperMedian
        guard usual > 0, usual.isFinite else { return nil }
        let raw = all.map { $0.time - Double($0.row) * usual }
        let bends = (2..<raw.count).map { (place: Int) -> Double in
            let bend = raw[place] - 2 * raw[place - 1] + raw[place - 2]
            return abs(bend)
        }
        let delays = Self.opened(raw)
        let jitter = bends.sorted()[bends.count / 4]
        let reach = Self.reach
        let isOff = (reach..<all.count).contains { (place: Int) -> Bool in
            let change = abs(delays[place] - delays[place - reach])
            let span = Double(all[place].row - all[place - reach].row) * usual
            guard span >= 1.5, change > 4 * usual else { return false }
            return change > Self.offShare * span && change > Self.jitterFactor * jitter
        }
        guard isOff else { return nil }
        let kept = (reach..<all.count).map { (place: Int) -> Seconds in
            usual + (delays[place] - delays[place - reach]) / Double(all[place].row - all[place - reach].row)
        }
        guard let shortest = kept.min(), shortest > 0 else { return nil }
        return shortest
    }

    /// Delays without what catches up again: the morphological opening over `catchUp` blocks.
    private static func opened(_ delays: [Seconds]) -> [Seconds] {
        let eroded = delays.indices.map { place in
            delays[place...min(place + catchUp - 1, delays.count - 1)].min() ?? 0
        }
        return eroded.indices.map { place in eroded[max(0, place - catchUp + 1)...place].max() ?? 0 }
    }
}
