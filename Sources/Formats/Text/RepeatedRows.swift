import Foundation
import Signals

/// Finds the rows that were written again, where stamps are whole seconds or those of packets.
///
/// Two rows of one stamp with equal intervals are one row that was written again, or two beats. The sum of all intervals
/// decides: the stamps less that sum (the lateness) stay within a band as wide as the stamps are coarse. One interval
/// too many lowers the lateness permanently, one too few raises it as a lost beat does. So all rows are read
/// together, by dynamic programming over the readings of each stamp (`RowReading`), with a cost for lost beats and for late
/// stamps. Where two readings are about as likely, the rows are undecided: they count once, and the series is broken there.
struct RepeatedRows {
    /// Rows of one stamp.
    struct Packet {
        var stamp: Seconds
        var rows: [Seconds]
        /// True where intervals are missing before it.
        var followsMissing: Bool
    }

    /// The lateness of a packet in relation to those before.
    enum Step {
        case within
        /// Beats were lost before it.
        case lost
        /// The stamp alone is late.
        case late
        /// The stamp comes earlier than intervals allow.
        case early
    }

    /// The intervals of each packet, without repeats.
    private(set) var intervals: [[Seconds]]
    /// The lateness of each packet.
    private(set) var steps: [Step]
    /// The width of the band in which lateness stays, in seconds.
    private(set) var width: Seconds = 0
    /// The packets whose rows may as well be repeats as equal intervals.
    private(set) var undecided: Set<Int> = []

    private static let costOfLoss = 7.0, costOfLate = 5.0, costOfEarly = 14.0, costOfRate = 10.0
    /// The largest excess of the band that jitter makes, in seconds, and its cost for each second.
    private static let smallExcess: Seconds = 0.15
    private static let costOfExcess = 40.0
    /// Hypotheses that are followed, and how much less likely than the best one they may be.
    private static let most = 64
    private static let margin = 12.0
    /// How far lateness may leave its band, and how fast clocks drift, as a share of time.
    private static let slack: Seconds = 0.03
    private static let drift = 3e-4
    /// Readings whose costs differ by less are about as likely; beside lost beats, by less than the second.
    private static let doubt = 2.0, doubtBesideLoss = 5.0
    /// Packets before and after one by which it is judged.
    private static let reach = 80
    /// Packets from lost beats at which these may be confused with repeats.
    private static let nearLoss = 20

    private struct Hypothesis {
        var sum: Seconds
        var low: Seconds
        var high: Seconds
        var cost: Double
        var node: Int
    }

    private struct Node {
        var parent: Int
        var reading: Int
        var step: Step
    }

    private struct Key: Hashable {
        var sum: Int
        var low: Int
        var high: Int
    }

    /// Reads packets in order of their stamps.
    /// - Parameter coarseness: the unit of the stamps, or the time between packets, in seconds.
    init(_ packets: [Packet], coarseness: Seconds) {
        var packets = packets
        var shares = Self.firstShares(packets)
        var readings = packets.map { RowReading.all(of: $0.rows, shares) }
        var (best, width, rate) = (Solution(cost: .infinity, choices: [], steps: []), coarseness, 1.0)
        for clock in Set([1, Self.rate(of: packets)]).sorted() {
            let timed = Self.packets(packets, rate: clock)
            for factor in [1, 1.25, 1.5, 2] {
                var found = Self.solve(timed, readings, width: factor * coarseness)
                // The likelihood of a lateness that lies anywhere in a band of that width.
                found.cost += Double(packets.count) * log(factor) + (clock == 1 ? 0 : Self.costOfRate)
                if found.cost < best.cost { (best, width, rate) = (found, factor * coarseness, clock) }
            }
        }
        packets = Self.packets(packets, rate: rate)
        for _ in 0..<3 where readings.contains(where: { $0.count > 1 }) {
            let next = Self.shares(packets, readings, best.choices)
            if next.isNear(shares) { break }
            shares = next
            readings = packets.map { RowReading.all(of: $0.rows, shares) }
            best = Self.solve(packets, readings, width: width)
        }
        intervals = zip(readings, best.choices).map { $0[$1].intervals }
        (steps, self.width) = (best.steps, width + Self.slack)
        findUndecided(packets, readings, best.choices, width: width)
    }

    // MARK: clock

    /// The same packets by a clock of this rate.
    private static func packets(_ packets: [Packet], rate: Double) -> [Packet] {
        packets.map { Packet(stamp: $0.stamp / rate, rows: $0.rows, followsMissing: $0.followsMissing) }
    }

    /// The rate of the stamps' clock against the intervals, as where a unit is off by 1000/1024; 1 where they agree.
    private static func rate(of packets: [Packet]) -> Double {
        let half = packets.count / 2
        guard half >= 60 else { return 1 }
        var sum = 0.0
        let sums = packets.map { packet in
            var last: Seconds?
            // Rows that are there twice count once, roughly.
            for row in packet.rows where row != last { (sum, last) = (sum + row, row) }
            return sum
        }
        let rates = (0..<packets.count - half).map { place in
            (packets[place + half].stamp - packets[place].stamp) / (sums[place + half] - sums[place])
        }
        let rate = rates.sorted()[rates.count / 2]
        return rate.isFinite && (0.01...0.1).contains(abs(rate - 1)) ? rate : 1
    }

    // MARK: shares

    private static func equalNeighbours(_ values: [Seconds]) -> Int {
        zip(values, values.dropFirst()).count { $0 == $1 }
    }

    /// Shares before anything is read: intervals of different stamps are no repeats.
    private static func firstShares(_ packets: [Packet]) -> RowReading.Shares {
        let across = zip(packets, packets.dropFirst()).count { $0.rows.last == $1.rows.first }
        let equal = packets.reduce(0) { $0 + equalNeighbours($1.rows) }
        let single = packets.reduce(0) { $0 + $1.rows.count } - equal
        let blocks = packets.count { isTwice($0.rows, Array($0.rows.prefix($0.rows.count / 2))) }
        return RowReading.Shares(
            rows: RowReading.Shares.limited(Double(equal) / Double(max(1, single))),
            packets: RowReading.Shares.limited(Double(blocks) / Double(max(1, packets.count))),
            equals: RowReading.Shares.limited((Double(across) + 0.3) / Double(packets.count + 1), to: 0.5))
    }

    /// Shares as the rows were read.
    private static func shares(
        _ packets: [Packet], _ readings: [[RowReading]], _ choices: [Int]
    ) -> RowReading.Shares {
        var (again, blocks) = (0, 0)
        var all: [Seconds] = []
        for (packet, (readings, choice)) in zip(packets, zip(readings, choices)) {
            let intervals = readings[choice].intervals
            all += intervals
            if isTwice(packet.rows, intervals) { blocks += 1 } else { again += packet.rows.count - intervals.count }
        }
        return RowReading.Shares(
            rows: RowReading.Shares.limited((Double(again) + 0.2) / (Double(all.count) + 0.4)),
            packets: RowReading.Shares.limited((Double(blocks) + 0.2) / (Double(packets.count) + 0.4)),
            equals: RowReading.Shares.limited(
                (Double(equalNeighbours(all)) + 0.3) / Double(all.count + 1), to: 0.5))
    }

    private static func isTwice(_ rows: [Seconds], _ intervals: [Seconds]) -> Bool {
        Set(intervals).count > 1 && rows == intervals + intervals
    }

    // MARK: dynamic programming

    private struct Solution {
        var cost: Double
        var choices: [Int]
        var steps: [Step]
    }

    private static func solve(_ packets: [Packet], _ readings: [[RowReading]], width: Seconds) -> Solution {
        let sums = readings.map { $0.map { $0.intervals.reduce(0, +) } }
        var nodes: [Node] = []
        var hypotheses = [Hypothesis(sum: 0, low: 0, high: 0, cost: 0, node: -1)]
        for place in packets.indices {
            var next: [Hypothesis] = []
            var known: [Key: Int] = [:]
            let isFirst = place == 0 || packets[place].followsMissing
            for hypothesis in hypotheses {
                for (number, reading) in readings[place].enumerated() {
                    let length = sums[place][number]
                    let sum = hypothesis.sum + length
                    let late = packets[place].stamp - sum
                    for (low, high, cost, step) in steps(hypothesis, late, after: length, width, isFirst: isFirst) {
                        let total = hypothesis.cost + reading.cost + cost
                        let key = Key(
                            sum: Int((sum * 1000).rounded()), low: Int((low * 100).rounded()),
                            high: Int((high * 100).rounded()))
                        let old = known[key]
                        if let old, next[old].cost <= total { continue }
                        nodes.append(Node(parent: hypothesis.node, reading: number, step: step))
                        let new = Hypothesis(sum: sum, low: low, high: high, cost: total, node: nodes.count - 1)
                        if let old {
                            next[old] = new
                        } else {
                            known[key] = next.count
                            next.append(new)
                        }
                    }
                }
            }
            next.sort { ($0.cost, $0.sum) < ($1.cost, $1.sum) }
            let limit = (next.first?.cost ?? 0) + margin
            hypotheses = Array(next.prefix(most).prefix { $0.cost < limit })
        }
        var choices = [Int](repeating: 0, count: packets.count)
        var steps = [Step](repeating: .within, count: packets.count)
        var node = hypotheses.first?.node ?? -1
        for place in packets.indices.reversed() where node >= 0 {
            (choices[place], steps[place], node) = (nodes[node].reading, nodes[node].step, nodes[node].parent)
        }
        return Solution(cost: hypotheses.first?.cost ?? 0, choices: choices, steps: steps)
    }

    /// The bands that a packet of this lateness leaves, with their costs.
    private static func steps(
        _ hypothesis: Hypothesis, _ late: Seconds, after length: Seconds, _ width: Seconds, isFirst: Bool
    ) -> [(low: Seconds, high: Seconds, cost: Double, step: Step)] {
        if isFirst { return [(late, late, 0, .within)] }
        let drift = min(drift * length, (hypothesis.high - hypothesis.low) / 2)
        let (low, high) = (hypothesis.low + drift, hypothesis.high - drift)
        let (lowest, highest) = (min(low, late), max(high, late))
        if highest - lowest <= width + slack { return [(lowest, highest, 0, .within)] }
        let excess = highest - lowest - width
        var steps: [(low: Seconds, high: Seconds, cost: Double, step: Step)] =
            late > high
            ? [(late, late, costOfLoss, .lost), (low, high, costOfLate + excess, .late)]
            : [(late, late, costOfEarly, .early)]
        // Packets come a little late, or early after a late one.
        if excess < smallExcess { steps.append((low, high, 1 + costOfExcess * excess, .late)) }
        return steps
    }

    // MARK: doubt

    /// Finds the packets of which another reading, alone or together with another of a packet near it, fits as well.
    private mutating func findUndecided(
        _ packets: [Packet], _ readings: [[RowReading]], _ choices: [Int], width: Seconds
    ) {
        struct Other {
            var shift: Seconds
            var cost: Double
        }
        var sum = 0.0
        let lateness = packets.indices.map { place -> Seconds in
            sum += intervals[place].reduce(0, +)
            return packets[place].stamp - sum
        }
        let isTorn = packets.indices.map { packets[$0].followsMissing || steps[$0] == .lost || steps[$0] == .early }
        var others: [(place: Int, list: [Other])] = []
        for place in packets.indices where readings[place].count > 1 {
            let chosen = readings[place][choices[place]]
            let length = chosen.intervals.reduce(0, +)
            let list = readings[place].filter { $0 != chosen && $0.cost - chosen.cost < Self.doubtBesideLoss + 3 }
                .map { Other(shift: $0.intervals.reduce(0, +) - length, cost: $0.cost - chosen.cost) }
            if !list.isEmpty { others.append((place, list)) }
        }
        /// True where lateness stays in its band if it is lower by `shift` from `start` to `end`.
        func fits(_ start: Int, _ end: Int, _ shift: Seconds) -> Bool {
            var (low, high) = (Seconds.infinity, -Seconds.infinity)
            func add(_ late: Seconds) { (low, high) = (min(low, late), max(high, late)) }
            var place = start
            while place > 0, start - place < Self.reach, !isTorn[place] {
                place -= 1
                if steps[place] != .late { add(lateness[place]) }
            }
            place = start
            while place < min(end, start + Self.reach), place == start || !isTorn[place] {
                if steps[place] != .late { add(lateness[place] - shift) }
                place += 1
            }
            if place == end {
                while place < min(packets.count, end + Self.reach), !isTorn[place] {
                    if steps[place] != .late { add(lateness[place]) }
                    place += 1
                }
            }
            return high - low <= width + Self.slack
        }
        /// True where what was lost may be a single beat, which looks like one repeat too many that was left out.
        func isOfOne(_ place: Int, _ shift: Seconds) -> Bool {
            let before = lateness[max(0, place - 12)..<place].min() ?? 0
            let after = lateness[place..<min(packets.count, place + 12)].min() ?? 0
            return place > 0 && !packets[place].followsMissing && after - before < 1.75 * abs(shift)
        }
        for (number, (place, list)) in others.enumerated() {
            // One beat more, or less, lost near it.
            let (last, next) = (
                (max(0, place - Self.nearLoss)...place).last { isTorn[$0] },
                (place + 1..<min(packets.count, place + 1 + Self.nearLoss)).first { isTorn[$0] }
            )
            for other in list {
                if other.cost < Self.doubtBesideLoss {
                    if let next, isOfOne(next, other.shift) || fits(place, next, other.shift) {
                        undecided.insert(place)
                    }
                    if let last, isOfOne(last, other.shift) || fits(last, place, -other.shift) {
                        undecided.insert(place)
                    }
                }
                if other.cost < Self.doubt, fits(place, packets.count, other.shift) { undecided.insert(place) }
                for (later, laterList) in others[(number + 1)...].prefix(12) where later <= place + 60 {
                    let isLikely = laterList.contains {
                        other.cost + $0.cost < Self.doubt && abs(other.shift + $0.shift) < 0.35
                    }
                    if isLikely, fits(place, later, other.shift) { undecided.formUnion([place, later]) }
                }
            }
        }
        for place in undecided {
            let likely = readings[place].filter {
                $0.cost < readings[place][choices[place]].cost + Self.doubtBesideLoss
            }
            intervals[place] = likely.map(\.intervals).min { $0.count < $1.count } ?? intervals[place]
        }
    }
}
