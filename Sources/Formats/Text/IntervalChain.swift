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

    /// The number of stamps whose rows may be repeats or equal intervals: they count once, before a break.
    private(set) var undecided = 0
    /// The width of the band in which the lateness of coarse stamps stays; nil for other stamps.
    private var width: Seconds?

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
        /// True where beats were lost before it, as its stamp says.
        var isLater = false
        /// True where rows before it may be repeats or equal intervals.
        var followsDoubt = false
        var sum: Seconds { intervals.reduce(0, +) }
    }

    /// A pause of more is a break where stamps are exact.
    private static let tolerance = IntervalTolerance.pause
    /// The smallest number of packets that are read together.
    private static let fewestRead = 8
    /// A packet that comes sooner after an equal one than this share of its intervals is the same one.
    private static let soonest = 0.25
    /// Packets on either side that distinguish a break from a late stamp.
    private static let ahead = 12, behind = 60

    /// Joins rows in the order of the file.
    init(_ rows: [Row]) {
        var rows = rows
        let steps = zip(rows.dropFirst(), rows).map { $0.stamp - $1.stamp }.filter { $0 != 0 }
        isNewestFirst = steps.count > 1 && 10 * steps.count { $0 < 0 } > 9 * steps.count
        if isNewestFirst { rows.reverse() }
        var packets = Self.packets(of: rows)
        readTogether(&packets)
        let kept = packets.reduce(0) { $0 + $1.intervals.count }
        repeated = rows.count { !$0.interval.isNaN } - kept
        let resolution = Noise.resolution(packets.map(\.stamp))
        isBeginning = Self.tellsBeginnings(packets)
        if isBeginning { for place in packets.indices { packets[place].stamp += packets[place].sum } }
        let noise = Noise(packets, resolution: resolution)
        isTimedBySums = width != nil || !noise.isExact
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
        var kept: [Packet] = []
        for var packet in packets {
            packet.intervals = withoutRepeats(packet.all)
            // Written again with a stamp of its own.
            if let last = kept.last, !packet.followsMissing, last.intervals == packet.intervals,
                packet.stamp - last.stamp < soonest * packet.sum
            {
                continue
            }
            kept.append(packet)
        }
        return kept
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

    /// Reads all rows together where stamps are coarse: there equal intervals of one stamp may be two beats.
    private mutating func readTogether(_ packets: inout [Packet]) {
        let noise = Noise(packets, resolution: Noise.resolution(packets.map(\.stamp)))
        // Stamps that are those of beats, however late, are never those of two.
        let isPacked = packets.contains { Set($0.all).count > 1 }
        guard packets.count >= Self.fewestRead, noise.grid > Noise.exact || isPacked && !noise.isExact else { return }
        let steps = zip(packets.dropFirst(), packets).map { $0.stamp - $1.stamp }
        let coarseness = noise.grid > Noise.exact ? noise.grid : max(noise.width, min(steps.upperMedian, 5))
        let rows = packets.map {
            RepeatedRows.Packet(stamp: $0.stamp, rows: $0.all, followsMissing: $0.followsMissing)
        }
        let read = RepeatedRows(rows, coarseness: coarseness)
        for place in packets.indices {
            packets[place].intervals = read.intervals[place]
            packets[place].isLater = read.steps[place] == .lost || read.steps[place] == .early
            packets[place].followsDoubt = place > 0 && read.undecided.contains(place - 1)
        }
        width = read.width
        undecided = read.undecided.count
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
        /// The unit of the stamps, or the time between packets where these hold several intervals, in seconds.
        var grid: Seconds
        /// The largest difference in lateness of intervals where nothing is missing, in seconds.
        var width: Seconds
        /// The smallest lasting rise of the lateness that is a break, in seconds.
        var threshold: Seconds
        var isExact: Bool { width <= Self.exact }
        /// The largest width of stamps that are the times of beats, in seconds.
        static let exact: Seconds = 0.15

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
                let isEven = 10 * even >= 8 * steps.count && gridFit < 0.8 * fit
                if packets.count >= 8, isPacked || isEven { grid = max(grid, min(period, 5)) }
            }
            let sorted = differences.sorted()
            // Pauses may be most of what lies between.
            let spread = sorted.isEmpty ? 0 : sorted[(sorted.count - 1) / 5]
            let width = max(0.1, grid + 16 * max(0, spread - grid))
            let usual = packets.isEmpty ? 1 : packets.flatMap(\.intervals).upperMedian
            (self.grid, self.width) = (grid, width)
            threshold =
                width <= Self.exact ? IntervalChain.tolerance : max(IntervalChain.tolerance, min(width, 0.5 * usual))
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
        let starts = width.map { breaks(of: packets, lateness, width: $0) } ?? breaks(lateness, noise)
        let isExact = !isTimedBySums
        var base = -Seconds.infinity
        var (paused, doubtful) = (0.0, 0)
        for (number, start) in starts.enumerated() {
            let end = number + 1 < starts.count ? starts[number + 1] : lateness.count
            let lowest = lateness[start..<end].min() ?? 0
            let before = base
            base = max(base, isExact ? (lateness[start..<min(end, start + Self.ahead)].min() ?? 0) : lowest)
            let offset = packets.startIndex
            if packets[offset + start].followsDoubt {
                doubtful += 1
            } else if number > 0 {
                paused += base - before
            }
            let opening = packets[offset + start].stamp - lateness[start] - packets[offset + start].sum
            append(packets[offset + start..<offset + end], base: base, sum: opening, isExact: isExact)
        }
        lost += paused
        pauses += starts.count - 1 - doubtful
        if let last = lateness.last, let first = lateness.first { drift += last - first - paused }
    }

    /// The places of breaks by the lateness alone.
    private func breaks(_ lateness: [Double], _ noise: Noise) -> [Int] {
        var starts = [0]
        var place = 1
        while place < lateness.count {
            if isBreak(place, lateness, from: starts[starts.count - 1], noise) {
                if !noise.isExact { place = Self.rise(from: place, in: lateness) }
                starts.append(place)
            }
            place += 1
        }
        return starts
    }

    /// The places of breaks in packets that were read together. A loss shows where the lateness leaves its band, which may
    /// be a few packets late: it is where the lateness rises most, of the places from which it stays in the new band.
    private func breaks(of packets: ArraySlice<Packet>, _ lateness: [Double], width: Seconds) -> [Int] {
        var starts = [0]
        for (place, packet) in packets.enumerated().dropFirst() where packet.isLater || packet.followsDoubt {
            guard packet.isLater, !packet.followsDoubt else {
                starts.append(place)
                continue
            }
            let next = lateness[place..<min(lateness.count, place + Self.ahead)]
            var (low, high) = (next.min() ?? 0, next.max() ?? 0)
            var best = place
            var earlier = place
            while earlier - 1 > starts[starts.count - 1], place - earlier < Self.ahead {
                earlier -= 1
                (low, high) = (min(low, lateness[earlier]), max(high, lateness[earlier]))
                guard high - low <= width else { break }
                if lateness[earlier] - lateness[earlier - 1] > lateness[best] - lateness[best - 1] { best = earlier }
            }
            starts.append(best)
        }
        return starts
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
