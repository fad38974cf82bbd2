import Signals

/// Gives beats times from intervals that come without any: a running sum of the intervals, in whole 1/1024 s.
///
/// The last beat of a message lies before the message's arrival by less than the interval to come; so the sum starts at
/// an arrival, and starts anew where beats are missing: when nothing came for more than 3 s, when a message came late
/// and its intervals do not make up for it, when one is missing of those that come like clockwork, and when the sum has
/// fallen behind the arrivals by more than an interval.
/// Two successive beats are contiguous exactly when the difference of their times equals the later one's interval, which
/// is exact in `Double`.
struct BeatClock: Sendable {
    private var sum = 0
    private var lastArrival: Seconds?
    /// Lower envelope of arrival minus sum. The sensor's crystal may run slow or fast; beats that are missing show as
    /// a step, its drift does not.
    private var delay: Seconds = 0
    /// How far apart messages usually are.
    private var period: Seconds?
    /// By how much their distances usually differ from that, as a share of it.
    private var irregularity = 0.0
    /// Distances between messages seen so far.
    private var gaps = 0

    /// Steps of the clock per second.
    static let ticksPerSecond = 1024.0
    private static let longestSilence: Seconds = 3
    /// No crystal is worse than this.
    private static let fastestDrift = 500e-6
    /// Messages that are more regular than this are sent by the clock, not by the heart.
    private static let clockwork = 0.1

    /// Times, in seconds, of the beats that end these intervals (in 1/1024 s, oldest first), and how long before
    /// `arrival` each was.
    mutating func place(_ intervals: [Int], arrival: Seconds) -> [(time: Seconds, age: Seconds)] {
        let total = intervals.reduce(0, +)
        place(total: total, newest: intervals.last ?? 0, arrival: arrival)
        var ticks = sum - total
        return intervals.map { interval in
            ticks += interval
            return (Double(ticks) / Self.ticksPerSecond, Double(sum - ticks) / Self.ticksPerSecond)
        }
    }

    /// A message without intervals arrived: the sensor is there, its heart pauses.
    mutating func hear(at arrival: Seconds) {
        if let last = lastArrival { notePeriod(arrival - last) }
        lastArrival = arrival
    }

    /// Intervals are lost: the next beat follows none.
    mutating func forget() { lastArrival = nil }

    private mutating func place(total: Int, newest: Int, arrival: Seconds) {
        defer { lastArrival = arrival }
        guard let last = lastArrival, arrival - last <= Self.longestSilence else {
            return anchor(at: arrival, after: total)
        }
        let gap = arrival - last
        defer { notePeriod(gap) }
        let next = sum + total
        let observed = arrival - Double(next) / Self.ticksPerSecond
        let (length, interval) = (Double(total) / Self.ticksPerSecond, Double(newest) / Self.ticksPerSecond)
        let isLate =
            period.map { gap > 1.6 * $0 && (gap - length > 0.5 * $0 || isClockwork) } ?? false
        guard !isLate, abs(observed - delay) <= 1.4 * interval + 0.5 else {
            return anchor(at: arrival, after: total)
        }
        sum = next
        delay = Swift.min(observed, delay + gap * Self.fastestDrift)
    }

    /// The mean of about the last eight, in which one that is out of the way counts little.
    private mutating func notePeriod(_ gap: Seconds) {
        let usual = period ?? gap
        let difference = usual > 0 ? Swift.min(abs(gap - usual) / usual, 1) : 1
        gaps += 1
        irregularity += (Swift.min(difference, irregularity + 0.1) - irregularity) / Double(Swift.min(gaps, 8))
        period = usual + (Swift.min(gap, 1.5 * usual) - usual) / 8
    }

    private var isClockwork: Bool { gaps >= 4 && irregularity < Self.clockwork }

    /// Begins anew at `arrival` with a message whose intervals come to `total`.
    private mutating func anchor(at arrival: Seconds, after total: Int) {
        let place = (arrival * Self.ticksPerSecond).rounded()
        let previous = sum
        // Clocks of the host are far below this; anything else would not fit.
        sum = abs(place) < 1e15 ? Int(place) : 0
        // The first of the message may not look as if it followed the last one by chance.
        if sum - total == previous { sum += 1 }
        delay = arrival - Double(sum) / Self.ticksPerSecond
    }
}
