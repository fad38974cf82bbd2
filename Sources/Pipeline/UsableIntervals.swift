import Cardiac
import Quality
import Signals

/// Lets those intervals between beats through that lie in time whose signal may be used; beats found elsewhere may be
/// none. Intervals wait until the signal around them has been judged.
///
/// A window of ten seconds may be good enough as a whole and hold two that are not: where a stretch is spoilt, no window
/// that holds it makes up for that.
struct UsableIntervals {
    private var time: UsableTime
    private var waiting: [IBI] = []
    private var next = 0
    /// Stretches that may not be used and that what waits may reach into.
    private var unusable: [Range<Seconds>] = []
    private var spoilt: [SpoiltStretch] = []
    /// Up to when all is known of what may be used.
    private var settled = -Seconds.infinity
    private var isBroken = false
    private let tolerated: [QualityReason]

    /// An interval that may not be used: when it ends, and what is wrong where no window says so.
    struct Dropped {
        var end: Seconds
        var reason: QualityReason?
    }

    /// - Parameter parameters: those that the quality windows are made with.
    init(_ parameters: QualityParameters) {
        tolerated = parameters.tolerated
        time = UsableTime(step: parameters.step, isUsable: parameters.allowsBeats)
    }

    mutating func take(_ intervals: [IBI]) {
        waiting += intervals
    }

    mutating func take(_ windows: [QualityWindow]) {
        for window in windows { note(time.take(window)) }
        settled = max(settled, (time.settled ?? -.infinity) - SpoiltStretch.lateness)
    }

    /// Takes what became known of stretches that no interval may reach into, before the windows that were told with it.
    mutating func take(_ stretches: [SpoiltStretch]) {
        for stretch in stretches where !tolerated.contains(stretch.reason) {
            if let last = spoilt.last, last.reason == stretch.reason,
                last.range.upperBound >= stretch.range.lowerBound
            {
                let end = max(last.range.upperBound, stretch.range.upperBound)
                spoilt[spoilt.count - 1].range = min(last.range.lowerBound, stretch.range.lowerBound)..<end
            } else {
                spoilt.append(stretch)
            }
        }
    }

    /// A run begins.
    mutating func begin(at onset: Seconds) { time.begin(at: onset) }

    /// The run ends.
    mutating func endRun(at end: Seconds) {
        note(time.endRun(at: end))
        settled = max(settled, time.settled ?? -.infinity)
    }

    /// Hands on the intervals whose time has been judged, all of them where nothing more comes.
    /// - Parameters:
    ///   - kept: what may be used; an interval after one that may not does not continue it.
    ///   - dropped: those that may not.
    mutating func release(all: Bool = false, into kept: inout [IBI], dropped: inout [Dropped]) {
        let settled = all ? .infinity : settled
        while next < waiting.count, waiting[next].onset <= settled {
            var interval = waiting[next]
            next += 1
            let start = interval.onset - interval.duration
            unusable.removeAll { $0.upperBound <= start }
            spoilt.removeAll { $0.range.upperBound <= start }
            let isUnusable = unusable.contains { $0.lowerBound < interval.onset }
            let flaw = spoilt.first { $0.range.lowerBound < interval.onset }
            if isUnusable || flaw != nil {
                dropped.append(Dropped(end: interval.onset, reason: isUnusable ? nil : flaw?.reason))
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
