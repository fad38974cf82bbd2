import Signals

/// Gives beats times from intervals that come without any: a running sum of the intervals, in whole 1/1024 s.
///
/// The last beat of a message lies before the message's arrival by less than the interval to come; so the sum starts at
/// an arrival, and starts anew where beats may be missing: when nothing came for more than 3 s, when a message may be
/// missing by the pace at which they come, and when the sum has fallen behind the arrivals by more than an interval.
/// Two successive beats are contiguous exactly when the difference of their times equals the later one's interval, which
/// is exact in `Double`.
struct BeatClock: Sendable {
    private var sum = 0
    private var lastArrival: Seconds?
    private var isBroken = true
    private var pace = MessagePace()
    /// Lower envelope of arrival minus sum. The sensor's crystal may run slow or fast; beats that are missing show as
    /// a step, its drift does not.
    private var delay: Seconds = 0

    /// Steps of the clock per second.
    static let ticksPerSecond = 1024.0
    private static let longestSilence: Seconds = 3
    /// No crystal is worse than this.
    private static let fastestDrift = 500e-6

    /// A message with these intervals (in 1/1024 s, oldest first) arrived: with none when the heart pauses.
    mutating func hear(_ intervals: [Int], at arrival: Seconds) {
        if let last = lastArrival {
            let gap = arrival - last
            let span = Double(intervals.reduce(0, +)) / Self.ticksPerSecond
            let newest = Double(intervals.last ?? 0) / Self.ticksPerSecond
            let mayMiss = pace.mayMissOne(after: gap, spanning: span, newest: newest)
            if mayMiss || gap > Self.longestSilence { isBroken = true }
            delay += gap * Self.fastestDrift
        }
        lastArrival = arrival
    }

    /// Intervals are lost: the next beat follows none.
    mutating func forget() { isBroken = true }

    /// The connection began anew.
    mutating func restart() {
        forget()
        lastArrival = nil
        pace.restart()
    }

    /// Times, in seconds, of the beats that end these intervals of the message just heard, and how long before its arrival
    /// each was.
    mutating func place(_ intervals: [Int]) -> [(time: Seconds, age: Seconds)] {
        let total = intervals.reduce(0, +)
        place(total: total, newest: intervals.last ?? 0, arrival: lastArrival ?? 0)
        var ticks = sum - total
        return intervals.map { interval in
            ticks += interval
            return (Double(ticks) / Self.ticksPerSecond, Double(sum - ticks) / Self.ticksPerSecond)
        }
    }

    private mutating func place(total: Int, newest: Int, arrival: Seconds) {
        let next = sum + total
        let observed = arrival - Double(next) / Self.ticksPerSecond
        let interval = Double(newest) / Self.ticksPerSecond
        guard !isBroken, abs(observed - delay) <= 1.4 * interval + 0.5 else { return anchor(at: arrival, after: total) }
        sum = next
        delay = Swift.min(observed, delay)
    }

    /// Begins anew at `arrival` with a message whose intervals come to `total`.
    private mutating func anchor(at arrival: Seconds, after total: Int) {
        let place = (arrival * Self.ticksPerSecond).rounded()
        let previous = sum
        // Clocks of the host are far below this; anything else would not fit.
        sum = abs(place) < 1e15 ? Int(place) : 0
        // The first of the message may not look as if it followed the last one by chance.
        if sum - total == previous { sum += 1 }
        delay = arrival - Double(sum) / Self.ticksPerSecond
        isBroken = false
    }
}
