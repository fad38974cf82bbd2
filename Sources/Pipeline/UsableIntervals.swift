import Cardiac
import Quality
import Signals

/// Lets those intervals between beats through that lie in time whose signal may be used; beats found elsewhere may be
/// none. Intervals wait until the signal around them has been judged.
struct UsableIntervals {
    private var time: UsableTime
    private var waiting: [IBI] = []
    private var next = 0
    /// Stretches that may not be used and that what waits may reach into.
    private var unusable: [Range<Seconds>] = []
    private var isBroken = false

    /// - Parameter parameters: those that the quality windows are made with.
    init(_ parameters: QualityParameters) {
        time = UsableTime(step: parameters.step, isUsable: parameters.allowsBeats)
    }

    mutating func take(_ intervals: [IBI]) {
        waiting += intervals
    }

    mutating func take(_ windows: [QualityWindow]) {
        for window in windows { note(time.take(window)) }
    }

    /// A run begins.
    mutating func begin(at onset: Seconds) { time.begin(at: onset) }

    /// The run ends.
    mutating func endRun(at end: Seconds) { note(time.endRun(at: end)) }

    /// Hands on the intervals whose time has been judged, all of them where nothing more comes.
    /// - Parameters:
    ///   - kept: what may be used; an interval after one that may not does not continue it.
    ///   - dropped: the ends of those that may not.
    mutating func release(all: Bool = false, into kept: inout [IBI], dropped: inout [Seconds]) {
        let settled = all ? .infinity : time.settled ?? -.infinity
        while next < waiting.count, waiting[next].onset <= settled {
            var interval = waiting[next]
            next += 1
            let start = interval.onset - interval.duration
            unusable.removeAll { $0.upperBound <= start }
            if unusable.contains(where: { $0.lowerBound < interval.onset }) {
                dropped.append(interval.onset)
                isBroken = true
                continue
            }
            if isBroken { interval.isContiguous = false }
            isBroken = false
            kept.append(interval)
        }
        if next == waiting.count {
            waiting.removeAll(keepingCapacity: true)
        } else {
            waiting.removeFirst(next)
        }
        next = 0
    }

    private mutating func note(_ stretches: [UsableTime.Stretch]) {
        for stretch in stretches where !stretch.isUsable {
            if let last = unusable.last, last.upperBound >= stretch.range.lowerBound {
                unusable[unusable.count - 1] = last.lowerBound..<stretch.range.upperBound
            } else {
                unusable.append(stretch.range)
            }
        }
    }
}
