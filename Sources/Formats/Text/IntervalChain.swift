import Signals

/// Joins intervals to a series by the stamps next to them.
///
/// The lateness of an interval is its stamp less the sum of the intervals up to it. Lost beats and pauses raise it
/// permanently; a stamp that is late, or cut to whole seconds, does so for a moment. So a break is where the lateness of all of
/// the following intervals is above that of those before. Stamps that come with each beat are the times of the beats;
/// those of packets, of whole seconds or of a phone's arrival only anchor the sums.
struct IntervalChain {
    /// The intervals in seconds.
    private(set) var intervals: [Double] = []
    /// The ends of the intervals, in the seconds of the stamps.
    private(set) var onsets: [Seconds] = []
    /// For each interval whether something is missing before it.
    private(set) var followsBreak: [Bool] = []
    /// The number of rows that were repeats of others.
    private(set) var repeated = 0
    /// The time that breaks take, in seconds.
    private(set) var lost: Seconds = 0
    /// True where the file lists its newest row first.
    private(set) var isNewestFirst = false
    /// True where the stamps are those of the beats that begin the intervals.
    private(set) var isBeginning = false
    /// True where beats are timed by the sums of the intervals, as the stamps are too coarse.
    private(set) var isTimedBySums = false
    /// The distance of the sum of the intervals from the time that passed without breaks, in seconds.
    private(set) var drift: Seconds = 0

    /// The number of breaks that the stamps show, besides missing intervals.
    private(set) var pauses = 0

    /// A row with one interval; NaN where it is missing.
    struct Row: Hashable {
        var stamp: Seconds
        var interval: Seconds
    }

    /// Rows of one stamp, without those that are repeats.
    private struct Packet {
        var stamp: Seconds
        var intervals: [Seconds]
        /// The intervals before repeats were taken out.
        var all: [Seconds]
        /// True where intervals are missing before it.
        var followsMissing = false
        var sum: Seconds { intervals.reduce(0, +) }
    }

    /// A pause of more is a break where stamps are exact.
    private static let tolerance = IntervalTolerance.pause
    /// Packets on either side that distinguish a break from a late stamp.
    private static let ahead = 12, behind = 60

    /// Joins rows in the order of the file.
    init(_ rows: [Row]) {
        var rows = rows
        let steps = zip(rows.dropFirst(), rows).map { $0.stamp - $1.stamp }.filter { $0 != 0 }
        isNewestFirst = steps.count > 1 && 10 * steps.count { $0 < 0 } > 9 * steps.count
        if isNewestFirst { rows.reverse() }
        var packets = Self.packets(of: rows)
        Self.restoreEqualNeighbours(&packets, coarseness: Self.coarseness(of: packets))
        let kept = packets.reduce(0) { $0 + $1.intervals.count }
        repeated = rows.count { !$0.interval.isNaN } - kept
        let resolution = Noise.resolution(packets.map(\.stamp))
        isBeginning = Self.tellsBeginnings(packets)
        if isBeginning { for place in packets.indices { packets[place].stamp += packets[place].sum } }
        let noise = Noise(packets, resolution: resolution)
        isTimedBySums = !noise.isExact
        var first = 0
        while first < packets.count {
            let next = packets[(first + 1)...].firstIndex { $0.followsMissing } ?? packets.count
            join(packets[first..<next], noise)
            first = next
        }
    }

    /// Medians of intervals, in seconds, that are those of hearts.
    static let plausible = 0.2...5.0

    // MARK: packets

    private static func packets(of rows: [Row]) -> [Packet] {
        var packets: [Packet] = []
        var seen: Set<Row> = []
        var latest = -Seconds.infinity
        var followsMissing = false
        var open: Seconds?
        for row in rows {
            guard !row.interval.isNaN else {
                (followsMissing, open) = (true, nil)
                continue
            }
            // A part of the file is repeated.
            if row.stamp < latest, row.stamp != open, seen.contains(row) { continue }
            seen.insert(row)
            if row.stamp == open {
                packets[packets.count - 1].all.append(row.interval)
            } else {
                packets.append(
                    Packet(stamp: row.stamp, intervals: [], all: [row.interval], followsMissing: followsMissing))
                (followsMissing, open) = (false, row.stamp)
            }
            latest = max(latest, row.stamp)
        }
        for place in packets.indices { packets[place].intervals = withoutRepeats(packets[place].all) }
        return packets
    }

    /// The intervals of a packet that was written several times: as a whole, or row by row.
    private static func withoutRepeats(_ intervals: [Seconds]) -> [Seconds] {
        let count = intervals.count
        guard count > 1 else { return intervals }
        for period in 1...count / 2 where count % period == 0 {
            if intervals.indices.allSatisfy({ intervals[$0] == intervals[$0 % period] }) {
                return Array(intervals[..<period])
            }
        }
        // Row by row, some of them.
        return intervals.indices.filter { $0 == 0 || intervals[$0] != intervals[$0 - 1] }.map { intervals[$0] }
    }

    /// Two successive intervals may be equal and come with one packet. Whether they did the lateness of the packets after it
    /// says: it stays within what it was before where the right ones count.
    /// - Parameter coarseness: how far lateness varies by the rounding of stamps alone, in seconds.
    private static func restoreEqualNeighbours(_ packets: inout [Packet], coarseness: Seconds) {
        var sum = 0.0
        var lateness: [Double] = []
        for packet in packets {
            sum += packet.sum
            lateness.append(packet.stamp - sum)
        }
        var (restored, first) = (0.0, 0)
        for place in packets.indices {
            if packets[place].followsMissing { first = place }
            let missing = packets[place].all.reduce(0, +) - packets[place].sum
            let before = lateness[max(first, place - 40)..<place]
            if missing > 0, let lowest = before.min(), let highest = before.max() {
                // Few packets before do not show all of the variation.
                let (low, high) = (min(lowest, highest - coarseness), max(highest, lowest + coarseness))
                // Other doubtful packets move what comes after them.
                var end = place + 1
                while end < packets.count, end < place + 30, !packets[end].followsMissing,
                    end <= place + 6 || packets[end].all.count == packets[end].intervals.count
                { end += 1 }
                func misfit(_ shift: Double) -> Double {
                    lateness[place..<end].reduce(0) { sum, late in
                        sum + min(missing, max(0, low - (late - shift), late - shift - high))
                    }
                }
                // Repeats are likelier than equal neighbours.
                if misfit(restored + missing) < misfit(restored) - missing / 2 {
                    packets[place].intervals = packets[place].all
                    restored += missing
                }
            }
            lateness[place] -= restored
        }
    }

    /// The unit of stamps, or the time between packets where these hold several intervals, in seconds.
    private static func coarseness(of packets: [Packet]) -> Seconds {
        let stamps = packets.map(\.stamp)
        let steps = zip(stamps.dropFirst(), stamps).map { $0 - $1 }
        let isPacked = 20 * packets.count { $0.intervals.count > 1 } >= packets.count
        return max(Noise.resolution(stamps), isPacked && !steps.isEmpty ? min(steps.upperMedian, 5) : 0)
    }

    // MARK: which beat

    /// True where the time between two stamps is the length of the earlier interval rather than of the later one.
    private static func tellsBeginnings(_ packets: [Packet]) -> Bool {
        let pairs = zip(packets, packets.dropFirst()).filter { !$1.followsMissing && $0.intervals.count == 1 }
        guard !pairs.isEmpty, packets.allSatisfy({ $0.intervals.count == 1 }) else { return false }
        // Pauses are left out.
        let longest = 1.5 * packets.map(\.sum).upperMedian
        func misfit(_ interval: (Packet, Packet) -> Seconds) -> Double {
            pairs.compactMap { pair in
                let (step, interval) = (pair.1.stamp - pair.0.stamp, interval(pair.0, pair.1))
                return step <= max(interval, longest) ? abs(step - interval) : nil
            }.upperMedian
        }
        let (asEnd, asBeginning) = (misfit { _, later in later.sum }, misfit { earlier, _ in earlier.sum })
        return asBeginning < asEnd && (asBeginning < 0.03 || asBeginning < 0.7 * asEnd)
    }

    // MARK: noise

    /// The accuracy of stamps.
    private struct Noise {
        /// The largest difference in lateness of intervals where nothing is missing, in seconds.
        var width: Seconds
        /// The smallest lasting rise of the lateness that is a break, in seconds.
        var threshold: Seconds
        var isExact: Bool { width <= 0.15 }

        init(_ packets: [Packet], resolution: Seconds) {
            let pairs = zip(packets, packets.dropFirst()).filter { !$1.followsMissing }
            let steps = pairs.map { $1.stamp - $0.stamp }
            let differences = pairs.map { abs($1.stamp - $0.stamp - $1.sum) }
            var grid = resolution
            if !steps.isEmpty {
                let period = steps.upperMedian
                let isPacked = 20 * packets.count { $0.intervals.count > 1 } >= packets.count
                let even = steps.count { step in abs(step / period - (step / period).rounded()) < 0.1 }
                let fit = differences.upperMedian
                let gridFit = steps.map { abs($0 - ($0 / period).rounded() * period) }.upperMedian
                let isEven = 10 * even >= 8 * steps.count && gridFit < 0.5 * fit
                if packets.count >= 8, isPacked || isEven { grid = max(grid, min(period, 5)) }
            }
            let sorted = differences.sorted()
            // Pauses may be most of what lies between.
            let spread = sorted.isEmpty ? 0 : sorted[(sorted.count - 1) / 5]
            let width = max(0.1, grid + 16 * max(0, spread - grid))
            let usual = packets.isEmpty ? 1 : packets.flatMap(\.intervals).upperMedian
            self.width = width
            threshold = width <= 0.15 ? IntervalChain.tolerance : max(IntervalChain.tolerance, min(width, 0.5 * usual))
        }

        /// The unit that stamps are rounded to: a second, a tenth or a hundredth of one; 0 where finer.
        static func resolution(_ stamps: [Seconds]) -> Seconds {
            guard stamps.count >= 8 else { return 0 }
            for (parts, size) in [(1.0, 1.0), (10, 0.1), (100, 0.01)] {
                if stamps.allSatisfy({ abs($0 * parts - ($0 * parts).rounded()) < 1e-4 }) { return size }
            }
            return 0
        }
    }

    // MARK: series

    /// Joins packets between which no interval is known to be missing.
    private mutating func join(_ packets: ArraySlice<Packet>, _ noise: Noise) {
        var sum = 0.0
        let lateness = packets.map { packet in
            sum += packet.sum
            return packet.stamp - sum
        }
        var starts = [0]
        var place = 1
        while place < lateness.count {
            if isBreak(place, lateness, from: starts[starts.count - 1], noise) {
                if !noise.isExact { place = Self.rise(from: place, in: lateness) }
                starts.append(place)
            }
            place += 1
        }
        var base = -Seconds.infinity
        var paused = 0.0
        for (number, start) in starts.enumerated() {
            let end = number + 1 < starts.count ? starts[number + 1] : lateness.count
            let lowest = lateness[start..<end].min() ?? 0
            let before = base
            base = max(base, noise.isExact ? (lateness[start..<min(end, start + Self.ahead)].min() ?? 0) : lowest)
            if number > 0 { paused += base - before }
            let offset = packets.startIndex
            let opening = packets[offset + start].stamp - lateness[start] - packets[offset + start].sum
            append(packets[offset + start..<offset + end], base: base, sum: opening, isExact: noise.isExact)
        }
        lost += paused
        pauses += starts.count - 1
        if let last = lateness.last, let first = lateness.first { drift += last - first - paused }
    }

    /// The place of a rise that coarse stamps show a little early: the first step that is half as large as the largest.
    private static func rise(from place: Int, in lateness: [Double]) -> Int {
        let near = place..<min(place + ahead, lateness.count)
        let steps = near.map { lateness[$0] - lateness[$0 - 1] }
        let largest = steps.max() ?? 0
        return zip(near, steps).first { $0.1 >= largest / 2 }?.0 ?? place
    }

    private func isBreak(_ place: Int, _ lateness: [Double], from start: Int, _ noise: Noise) -> Bool {
        let behind = noise.isExact ? 3 : Self.behind
        guard let lowest = lateness[max(start, place - behind)..<place].min() else { return false }
        let next = lateness[place..<min(place + Self.ahead, lateness.count)]
        guard let least = next.min(), let most = next.max() else { return false }
        return least - lowest > noise.threshold && most - lowest > noise.width
    }

    private mutating func append(_ packets: ArraySlice<Packet>, base: Seconds, sum opening: Seconds, isExact: Bool) {
        var sum = opening
        var isFirst = true
        for packet in packets {
            for (place, interval) in packet.intervals.enumerated() {
                sum += interval
                var onset = base + sum
                if isExact, place == packet.intervals.count - 1 {
                    let expected = isFirst || onsets.isEmpty ? onset : onsets[onsets.count - 1] + interval
                    onset = abs(packet.stamp - expected) <= Self.tolerance ? packet.stamp : expected
                } else if isExact, !isFirst {
                    onset = onsets[onsets.count - 1] + interval
                }
                intervals.append(interval)
                onsets.append(onset)
                followsBreak.append(isFirst)
                isFirst = false
            }
        }
    }
}

/// The limit of what counts as no pause.
enum IntervalTolerance {
    /// A pause of no more seconds is within the rounding of times.
    static let pause: Seconds = 0.1
}
