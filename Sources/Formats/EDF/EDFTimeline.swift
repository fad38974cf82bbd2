import Signals

/// Places the data records of an EDF+ file in time: joins those that follow each other, keeps apart those between
/// which nothing was recorded.
struct EDFTimeline {
    /// Where a record goes.
    enum Placement {
        /// Right after the previous one.
        case continues
        /// A new run begins at `onset`, `late` seconds after the end of the previous record.
        case begins(onset: Seconds, late: Seconds)
        /// It says that it starts `early` seconds before the previous one ends; a new run begins at that end.
        case overlaps(onset: Seconds, early: Seconds)
        /// It says that it starts no later than the previous one.
        case backwards(stated: Seconds, previous: Seconds)
    }

    private let duration: Seconds
    private let rounding: Seconds
    private let tolerance: Seconds
    /// The current run: when its first record starts, when that record says it starts, and how many it has.
    private var run: (onset: Seconds, stated: Seconds, records: Int)?
    private var previousStated: Seconds = 0

    /// - Parameter highestRate: the highest sample rate of the file in Hz. A record that starts within half a sample
    ///   (and 1.1 ms, as writers round to 1 ms) of the end of the previous one follows it.
    init(recordDuration: Seconds, rounding: Seconds, highestRate: Double) {
        duration = recordDuration
        self.rounding = rounding
        tolerance = max(0.5 / max(highestRate, 1e-9), 0.0011)
    }

    /// When the last placed record ends.
    var end: Seconds { run.map { $0.onset + Double($0.records) * duration } ?? 0 }

    /// Places the next record, which says that it starts at `stated`, or says nothing.
    mutating func place(_ stated: Seconds?) -> Placement {
        guard let current = run else {
            begin(stated ?? 0, stated: stated ?? 0)
            return .begins(onset: stated ?? 0, late: 0)
        }
        let expected = current.stated + Double(current.records) * duration
        let stated = stated ?? expected
        let step = stated - (previousStated + duration)
        let drift = stated - expected
        if abs(step) <= tolerance, abs(drift) <= tolerance + rounding * Double(current.records) {
            previousStated = stated
            run?.records += 1
            return .continues
        }
        guard stated > previousStated else { return .backwards(stated: stated, previous: previousStated) }
        let end = end
        let late = stated - end
        begin(max(stated, end), stated: stated)
        return late >= 0 ? .begins(onset: stated, late: late) : .overlaps(onset: end, early: -late)
    }

    private mutating func begin(_ onset: Seconds, stated: Seconds) {
        run = (onset, stated, 1)
        previousStated = stated
    }
}
