import Signals

/// Gives beats times from intervals that come without any: a running sum of the intervals, in whole 1/1024 s.
///
/// The last beat of a message lies before the message's arrival by less than the interval to come; so the sum starts at
/// an arrival, and starts anew where beats may be missing: when nothing came for more than 3 s, when a message may be
/// missing by the pace at which they come, and when the sum has fallen behind the arrivals by more than an interval.
/// Two successive beats are contiguous exactly when the difference of their times equals the later one's interval, which
/// is exact in `Double`.
///
/// What comes too late may be the first of several that were held up, and is held until that shows (`BeatBacklog`).
struct BeatClock: Sendable {
    private var sum = 0
    private var lastArrival: Seconds?
    private var pace = MessagePace()
    private var backlog = BeatBacklog()
    /// Whether the next beat follows none.
    private var isApart = true
    /// Whether beats may be missing before the next one, as far as is known.
    private var isDoubtful = false
    /// Lower envelope of arrival minus sum. The sensor's crystal may run slow or fast; beats that are missing show as
    /// a step, its drift does not.
    private var delay: Seconds = 0

    /// Steps of the clock per second.
    static let ticksPerSecond = 1024.0
    private static let longestSilence: Seconds = 3
    /// No crystal is worse than this.
    private static let fastestDrift = 500e-6

    /// A beat and the interval before it, in 1/1024 s, in its place.
    struct Beat {
        var interval: Int
        /// Seconds on the sum's clock.
        var time: Seconds
        /// Seconds before it was told.
        var age: Seconds
    }

    /// Until when messages are held that came too late; nil when none is.
    var due: Seconds? { backlog.due }

    /// Takes a message with these intervals (in 1/1024 s, oldest first), with none when the heart pauses. An interval of 0
    /// can't be: what is on either side of it does not hang together.
    /// - Returns: the beats that have a place by now, those of messages that were held first.
    mutating func take(_ intervals: [Int], at arrival: Seconds) -> [Beat] {
        let beats = settle(by: arrival)
        let verdict = judge(intervals, at: arrival)
        if !backlog.isOpen, verdict == .late { backlog.open(at: arrival) }
        let isHeld = backlog.isOpen
        for (number, run) in intervals.split(separator: 0, omittingEmptySubsequences: false).enumerated() {
            if number > 0 { forget() }
            guard !run.isEmpty else { continue }
            backlog.add(
                BeatBacklog.Run(
                    intervals: Array(run), arrival: isHeld ? arrival - pace.delay : arrival, isApart: isApart,
                    isDoubtful: isDoubtful))
            (isApart, isDoubtful) = (false, false)
        }
        switch verdict {
        case .caughtUp: return beats + settle(isComplete: isHeld, at: arrival)
        case .writtenOff: return beats + settle(isComplete: false, at: arrival)
        case .follows, .doubtful, .late:
            let newest = Double(intervals.last ?? 0) / Self.ticksPerSecond
            if isHeld, backlog.wait(for: pace.patience(newest: newest), after: arrival) { return beats }
            return beats + settle(isComplete: false, at: arrival)
        }
    }

    /// The beats of messages that were held, when no more that belong to them may come.
    mutating func settle(by moment: Seconds) -> [Beat] {
        guard let due, moment >= due else { return [] }
        return settle(isComplete: false, at: moment)
    }

    /// The beats of messages that are held.
    mutating func settle(at moment: Seconds) -> [Beat] {
        backlog.isOpen ? settle(isComplete: false, at: moment) : []
    }

    /// Intervals are lost: the next beat follows none.
    mutating func forget() { isApart = true }

    /// The connection began anew.
    mutating func restart() {
        forget()
        lastArrival = nil
        backlog = BeatBacklog()
        pace.restart()
    }

    private mutating func judge(_ intervals: [Int], at arrival: Seconds) -> MessagePace.Verdict {
        guard let last = lastArrival else {
            lastArrival = arrival
            return .follows
        }
        let gap = arrival - last
        let span = Double(intervals.reduce(0, +)) / Self.ticksPerSecond
        let newest = Double(intervals.last ?? 0) / Self.ticksPerSecond
        var verdict = pace.judge(after: gap, spanning: span, newest: newest)
        // While it is not known how a sensor sends, a silence is all there is to go by.
        if gap > Self.longestSilence, verdict == .doubtful { verdict = .late }
        if gap > Self.longestSilence, verdict != .late { isApart = true }
        if verdict == .doubtful || verdict == .late { isDoubtful = true }
        delay += gap * Self.fastestDrift
        lastArrival = arrival
        return verdict
    }

    /// Gives the beats of all messages that wait their places: each message ends where the one after it begins.
    /// - Parameter isComplete: whether none is missing among them, nor before them.
    private mutating func settle(isComplete: Bool, at moment: Seconds) -> [Beat] {
        // Doubts about what precedes a message without beats remain for the first that comes after it.
        if isDoubtful, !isComplete { isApart = true }
        isDoubtful = false
        return backlog.take().flatMap { run in
            place(run, isApart: run.isApart || run.isDoubtful && !isComplete)
            var ticks = sum - run.span
            return run.intervals.map { interval in
                ticks += interval
                let age = Swift.max(0, moment - run.arrival) + Double(sum - ticks) / Self.ticksPerSecond
                return Beat(interval: interval, time: Double(ticks) / Self.ticksPerSecond, age: age)
            }
        }
    }

    private mutating func place(_ run: BeatBacklog.Run, isApart: Bool) {
        let next = sum + run.span
        let observed = run.arrival - Double(next) / Self.ticksPerSecond
        let interval = Double(run.intervals.last ?? 0) / Self.ticksPerSecond
        guard !isApart, abs(observed - delay) <= 1.4 * interval + 0.5 else {
            return anchor(at: run.arrival, after: run.span)
        }
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
    }
}
