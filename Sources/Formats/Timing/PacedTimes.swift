import Signals

/// The times of a segment's rows where their rate changes: those of its stamps, without what is late and catches up.
///
/// A row was sampled at the latest when the rows after it were, less the shortest time that the samples between them take.
struct PacedTimes {
    /// The rate of the even grid on which samples are placed, in Hz: the highest that the rows keep.
    let gridRate: Double
    private let period: Seconds
    private var knots: [StampBlocks.Point] = []
    private var spacing = 1
    private var bin: (point: StampBlocks.Point, delay: Seconds)?
    private var binEnd = 1
    private var latest = -Seconds.infinity
    private var isCoarse = false
    private(set) var rowCount = 0
    /// The longest time in which late stamps catch up.
    private static let window: Seconds = 3
    private static let mostKnots = 1 << 21

    /// - Parameter shortest: the shortest period that the rows keep.
    init(shortest: Seconds) {
        let rate = 1 / shortest
        let whole = rate.rounded()
        gridRate = whole >= 8 && abs(rate / whole - 1) < 0.01 ? whole : rate
        // A little less than the true one: the other way round, all rows would seem to catch up.
        period = 0.995 * shortest
    }

    /// The next row's stamp.
    mutating func add(_ stamp: Seconds) {
        if rowCount == binEnd {
            closeBin()
            binEnd += spacing
        }
        if stamp > latest {
            if latest.isFinite, stamp - latest > 8 * period { isCoarse = true }
            latest = stamp
            let delay = stamp - Double(rowCount) * period
            if bin.map({ delay < $0.delay }) ?? true { bin = (.init(row: rowCount, time: stamp), delay) }
        }
        rowCount += 1
    }

    private mutating func closeBin() {
        if let bin { knots.append(bin.point) }
        bin = nil
        guard knots.count >= Self.mostKnots else { return }
        spacing *= 2
        knots = stride(from: 0, to: knots.count, by: 2).map { knots[$0] }
    }

    /// All rows have been added: finds their times.
    mutating func finish() {
        closeBin()
        // Of coarse stamps the first stands anywhere in its tick.
        if isCoarse, knots.count > 2 { knots.removeFirst() }
        guard knots.count > 1 else { return }
        var waiting: [Int] = []
        var delays = knots.map { $0.time - Double($0.row) * period }
        let raw = delays
        var first = 0
        // The smallest delay of each knot and those after it within the window, from the last on.
        for place in knots.indices.reversed() {
            while waiting.count > first, raw[waiting[waiting.count - 1]] >= raw[place] { waiting.removeLast() }
            waiting.append(place)
            while knots[waiting[first]].time - knots[place].time > Self.window, waiting.count > first + 1 { first += 1 }
            delays[place] = raw[waiting[first]]
        }
        var last = -Seconds.infinity
        for place in knots.indices {
            last = max(last, Double(knots[place].row) * period + delays[place])
            knots[place].time = last
        }
    }

    /// The time of a row, between that of the knots around it.
    func time(ofRow row: Int) -> Seconds {
        guard knots.count > 1 else { return (knots.first?.time ?? 0) + Double(row) / gridRate }
        let found = knots.partitioningIndex { $0.row > row }
        let place = min(max(found, 1), knots.count - 1)
        let (before, behind) = (knots[place - 1], knots[place])
        let step = (behind.time - before.time) / Double(behind.row - before.row)
        return before.time + Double(row - before.row) * step
    }

    /// How many samples of the grid there are from the first row to the last.
    var sampleCount: Int {
        guard rowCount > 0 else { return 0 }
        return Int(((time(ofRow: rowCount - 1) - time(ofRow: 0)) * gridRate + 1e-6).rounded(.down)) + 1
    }
}

/// Places samples of uneven times on an even grid, between two of them on the straight line that joins them. A sample that is
/// missing makes those of the grid beside it missing.
struct PacedResampler {
    let rate: Double
    private let channelCount: Int
    private var first: Seconds?
    private var count = 0
    private var last: (time: Seconds, values: [Float])?

    /// Samples of so many channels on a grid of `rate` Hz.
    init(rate: Double, channelCount: Int) { (self.rate, self.channelCount) = (rate, channelCount) }

    /// The time of the grid's first sample; nil before there is one.
    var onset: Seconds? { first }

    /// Takes a row, and adds the samples of the grid up to it to those of each channel.
    mutating func take(_ time: Seconds, _ values: [Float], into samples: inout [[Float]]) {
        guard let first, let last else {
            first = time
            count = 1
            last = (time, values)
            for channel in 0..<channelCount { samples[channel].append(values[channel]) }
            return
        }
        while case let moment = first + Double(count) / rate, moment <= time + 1e-6 / rate {
            let share = time > last.time ? Float(min(1, (moment - last.time) / (time - last.time))) : 1
            for channel in 0..<channelCount {
                let (before, behind) = (last.values[channel], values[channel])
                samples[channel].append(share == 1 ? behind : share == 0 ? before : before + share * (behind - before))
            }
            count += 1
        }
        self.last = (time, values)
    }
}
