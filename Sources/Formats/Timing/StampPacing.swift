import Signals

/// How evenly the stamps of a regular stream come, told from its first ones, and where they jump for good.
///
/// Clocks that stamp samples on arrival are late now and then, and packets that wait come in bursts, but no sample is
/// missing: what was late catches up with the earliest of those before it. Samples after a drop-out do not.
struct StampPacing {
    /// The usual time between samples.
    private(set) var period: Seconds
    /// The median deviation from even time within 64 samples.
    private(set) var jitter: Seconds = 0

    /// How many samples before and after a jump are looked at, at the least.
    static let fewest = 128
    private static let blockSize = 64

    /// The pacing of stamps in order; nil where they do not advance.
    /// - Parameters:
    ///   - expected: the time between samples that the source declares; nil where it declares none.
    ///   - tolerance: what else may lie between two stamps, given the period.
    init?(_ stamps: [Seconds], expected: Seconds?, tolerance: (Seconds) -> Seconds) {
        guard let first = Self.period(stamps, expected) else { return nil }
        period = first
        jitter = Self.jitter(stamps, period)
        // A first guess tells the jumps; the runs between them tell the period.
        if let refined = refinedPeriod(stamps, tolerance(period)), refined > period / 2, refined < 2 * period {
            period = refined
            jitter = Self.jitter(stamps, period)
        }
    }

    /// The pacing of stamps that lie on a grid, however many of it are missing: most steps are one and the same, and the
    /// others, one of 32 at most, are multiples of it. nil where they do not lie so, as those of samples stamped on arrival.
    /// - Parameter resolution: how finely the stamps are written.
    init?(grid stamps: [Seconds], resolution: Seconds) {
        let steps = zip(stamps.dropFirst(), stamps).map { $0 - $1 }
        guard steps.count >= Self.fewest else { return nil }
        let usual = steps.upperMedian
        guard usual > 0 else { return nil }
        let single = steps.filter { abs($0 - usual) <= max(0.01 * usual, resolution) }
        guard 4 * single.count >= 3 * steps.count, single.count < steps.count else { return nil }
        let period = single.reduce(0, +) / Double(single.count)
        let allowed = max(0.05 * period, 1.5 * resolution)
        let others = steps.filter { abs($0 - usual) > max(0.01 * usual, resolution) }
        let onGrid = others.count { $0 > 1.5 * period && abs($0 - ($0 / period).rounded() * period) <= allowed }
        // Where every few samples one is missing, no run is worth its name.
        guard 10 * onGrid >= 9 * others.count, 32 * others.count <= steps.count else { return nil }
        self.period = period
        jitter = steps.map { abs($0 - period) }.upperMedian
    }

    /// The pacing of a few stamps with gaps: most come one usual step apart, within a quarter of it, and a handful later,
    /// none of which catches up. nil for others.
    ///
    /// Among so few a gap weighs too much for means and deviations over many: it would hide itself. Among more stamps such
    /// steps may as well be those between packets, in which a nominal rate was counted.
    init?(few stamps: [Seconds]) {
        let steps = zip(stamps.dropFirst(), stamps).map { $0 - $1 }
        guard (2..<Self.fewest).contains(steps.count) else { return nil }
        let usual = steps.upperMedian
        let single = steps.filter { abs($0 - usual) <= 0.25 * usual }
        guard usual > 0, 2 * single.count > steps.count else { return nil }
        let period = single.reduce(0, +) / Double(single.count)
        let others = steps.filter { abs($0 - usual) > 0.25 * usual }
        guard (1...7).contains(others.count), others.allSatisfy({ $0 > 1.5 * period }) else { return nil }
        self.period = period
        jitter = steps.map { abs($0 - period) }.upperMedian
    }

    /// The pacing of stamps whose period is known.
    init(_ stamps: [Seconds], period: Seconds) {
        self.period = period
        jitter = Self.jitter(stamps, period)
    }

    /// Whether samples are missing between the stamps at `place - 1` and `place`.
    /// - Parameters:
    ///   - stamps: those around them.
    ///   - first: where the run begins in which they lie.
    ///   - tolerance: jumps up to this are none; jitter counts besides.
    ///   - reach: how many samples before and after are looked at, at the most.
    ///   - effort: grows with what was looked at.
    func isJump(
        _ stamps: [Seconds], at place: Int, from first: Int, tolerance: Seconds, reach: Int, effort: inout Int
    ) -> Bool {
        let jump = stamps[place] - stamps[place - 1] - period
        let limit = max(tolerance, 10 * jitter)
        guard jump > limit else { return false }
        let wanted = max(Self.fewest, Int(min(4 * jump / period, Double(reach))))
        let end = min(place + wanted, stamps.count)
        let start = max(first, place - wanted)
        effort += end - start
        var earliest = Double.infinity
        for index in place..<end { earliest = min(earliest, stamps[index] - Double(index - place) * period) }
        var expected = Double.infinity
        for index in start..<place { expected = min(expected, stamps[index] + Double(place - index) * period) }
        return earliest - expected > max(limit, jump / 2)
    }

    // MARK: period and jitter

    /// The median of means over an eighth of all, or over 1024 samples where that is less, which packets and bursts do
    /// not disturb; over a quarter of all where it is far from what is expected.
    private static func period(_ stamps: [Seconds], _ expected: Seconds?) -> Seconds? {
        let fine = meanPeriod(stamps, over: max(1, min(1024, stamps.count / 8)))
        let isLikely = fine.map { fine in expected.map { fine > 0.8 * $0 && fine < 1.25 * $0 } ?? (fine > 0) } ?? false
        if isLikely { return fine }
        let coarse = meanPeriod(stamps, over: stamps.count / 4)
        return coarse.flatMap { $0 > 0 && $0.isFinite ? $0 : nil } ?? expected
    }

    private static func meanPeriod(_ stamps: [Seconds], over reach: Int) -> Seconds? {
        guard reach > 0, stamps.count > reach else { return nil }
        return (reach..<stamps.count).map { (stamps[$0] - stamps[$0 - reach]) / Double(reach) }.upperMedian
    }

    private func refinedPeriod(_ stamps: [Seconds], _ tolerance: Seconds) -> Seconds? {
        var (span, steps, first, effort) = (0.0, 0, 0, 0)
        for place in stamps.indices.dropFirst() {
            let isEnd = place == stamps.count - 1
            let isJump =
                effort < 64 * stamps.count
                && isJump(stamps, at: place, from: first, tolerance: tolerance, reach: 1024, effort: &effort)
            guard isJump || isEnd else { continue }
            let last = isJump ? place - 1 : place
            span += stamps[last] - stamps[first]
            steps += last - first
            first = place
        }
        return steps > 0 && span > 0 ? span / Double(steps) : nil
    }

    private static func jitter(_ stamps: [Seconds], _ period: Seconds) -> Seconds {
        var deviations: [Seconds] = []
        deviations.reserveCapacity(stamps.count)
        for first in stride(from: 0, to: stamps.count, by: blockSize) {
            let block = (first..<min(first + blockSize, stamps.count)).map { stamps[$0] - Double($0 - first) * period }
            let middle = block.upperMedian
            for value in block { deviations.append(abs(value - middle)) }
        }
        return deviations.isEmpty ? 0 : deviations.upperMedian
    }
}
