import Signals

/// Puts the samples of the ECG relay in the order of their stamps, as far as what is held back allows.
///
/// What was handed on cannot come back, and what is live must not wait without need. So a sample that follows the one
/// before it by no more than such samples usually do is handed on at once. Where its stamp leaves something out, which a
/// request on another connection may be about to bring, it is held until that came, for 0.25 s at most. A sample that
/// comes later than that is left out.
struct RelayOrder: Sendable {
    /// A sample with its stamp, in seconds since 1970.
    struct Sample: Sendable, Equatable {
        var value: Double
        var stamp: Seconds
    }

    /// What taking a sample tells.
    struct Taken: Sendable, Equatable {
        /// What was held of a clock that was set since: it is to be handed on first.
        var before: [Sample] = []
        /// What is to be handed on, in the order of the stamps.
        var ready: [Sample] = []
        /// Why the sample is left out.
        var problem: String?
        /// By how many seconds the sender's clock was set before `ready`.
        var jump: Seconds?
    }

    /// Samples that wait for what is missing before them, in the order of their stamps, with when they arrived.
    private var held: [(sample: Sample, arrival: Seconds)] = []
    /// The newest that was handed on.
    private var last: (stamp: Seconds, arrival: Seconds)?
    /// A sample whose stamp fits nothing.
    private var doubtful: (stamp: Seconds, arrival: Seconds)?
    /// Seconds between the last samples handed on, the oldest first.
    private var intervals: [Seconds] = []

    /// How long a sample is held at most, in seconds.
    static let longestHold: Seconds = 0.25
    /// A stamp that goes back further than this, in seconds, fits nothing.
    private static let longestDelay: Seconds = 5
    /// So does one that goes on by so many seconds more than passed.
    private static let longestLead: Seconds = 3_600
    private static let tooLate = "the sample came after those that follow it were handed on"
    private static let mostHeld = 1_024
    private static let mostIntervals = 16
    private static let fewestIntervals = 4

    /// When the first of what is held is due; infinity where nothing is.
    var due: Seconds { held.map { $0.arrival + Self.longestHold }.min() ?? .infinity }

    /// Takes a sample that arrived at `moment`.
    mutating func take(_ sample: Sample, at moment: Seconds) -> Taken {
        guard let newest else { return Taken(ready: handOn(sample, at: moment)) }
        let step = sample.stamp - newest.stamp
        guard step >= -Self.longestDelay, step <= moment - newest.arrival + Self.longestLead else {
            return doubt(sample, newest, at: moment)
        }
        if let last, sample.stamp < last.stamp {
            // Where all come too late, for longer than any is waited for, the clock was set.
            if let known = doubtful, sample.stamp >= known.stamp {
                guard moment - known.arrival > Self.longestHold else { return Taken(problem: Self.tooLate) }
                return begin(sample, step - (moment - newest.arrival), at: moment)
            }
            doubtful = (sample.stamp, moment)
            return Taken(problem: Self.tooLate)
        }
        doubtful = nil
        let place = held.lastIndex { $0.sample.stamp <= sample.stamp } ?? -1
        held.insert((sample, moment), at: place + 1)
        return Taken(ready: release(at: moment))
    }

    /// What is due at `moment`; all that is held, at infinity.
    mutating func release(at moment: Seconds) -> [Sample] {
        let overdue = (held.lastIndex { moment >= $0.arrival + Self.longestHold } ?? -1) + 1
        let least = max(overdue, held.count - Self.mostHeld)
        var ready: [Sample] = []
        while let first = held.first, ready.count < least || follows(first.sample) {
            held.removeFirst()
            ready += handOn(first.sample, at: first.arrival)
        }
        return ready
    }

    private var newest: (stamp: Seconds, arrival: Seconds)? {
        held.last.map { ($0.sample.stamp, $0.arrival) } ?? last
    }

    /// Whether a sample comes no later after the last than samples usually do.
    private func follows(_ sample: Sample) -> Bool {
        guard let last, intervals.count >= Self.fewestIntervals else { return true }
        let usual = intervals.sorted()[intervals.count * 3 / 4]
        return sample.stamp - last.stamp <= 1.5 * usual
    }

    private mutating func handOn(_ sample: Sample, at arrival: Seconds) -> [Sample] {
        if let last {
            if intervals.count == Self.mostIntervals { intervals.removeFirst() }
            intervals.append(sample.stamp - last.stamp)
        }
        last = (sample.stamp, arrival)
        return [sample]
    }

    /// A stamp that fits nothing: where the next one goes on from it the clock was set, else it is wrong.
    private mutating func doubt(
        _ sample: Sample, _ newest: (stamp: Seconds, arrival: Seconds), at moment: Seconds
    ) -> Taken {
        if let known = doubtful {
            let step = sample.stamp - known.stamp
            if step >= 0, step <= moment - known.arrival + Self.longestDelay {
                return begin(sample, sample.stamp - newest.stamp - (moment - newest.arrival), at: moment)
            }
        }
        doubtful = (sample.stamp, moment)
        return Taken(problem: "the time stamp has nothing to do with those before it")
    }

    /// The clock was set: what is held is of the one before.
    private mutating func begin(_ sample: Sample, _ jump: Seconds, at moment: Seconds) -> Taken {
        let before = release(at: .infinity)
        self = RelayOrder()
        return Taken(before: before, ready: handOn(sample, at: moment), jump: jump)
    }
}
