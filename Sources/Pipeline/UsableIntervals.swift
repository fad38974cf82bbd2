import Cardiac
import Quality
import Signals

/// Lets those intervals between beats through that lie in time whose signal may be used; beats found elsewhere may be
/// none. Intervals wait until the signal around them has been judged.
///
/// A window of ten seconds may be good enough as a whole and hold two that are not: where a stretch is spoilt, no window
/// that holds it makes up for that. The other way round, an interval whose beats look like those around them is sound in a
/// window that is rejected because other beats do not: one artefact costs the intervals it touches, not ten seconds.
struct UsableIntervals {
    /// Reasons that may be those of other beats in the window.
    private static let local: Set<QualityReason> = [
        .gap, .flat, .saturated, .lowTemplateCorrelation, .detectorsDisagree, .noBeats, .electrodePop, .baselineWander,
        .motion,
    ]

    private var time: UsableTime
    /// The time that may be used, and that in which sound intervals may.
    private var soundTime: UsableTime
    private var waiting: [IBI] = []
    private var next = 0
    /// Stretches that may not be used and that what waits may reach into.
    private var unusable: [Range<Seconds>] = []
    /// Stretches of which not even sound intervals may be used.
    private var hopeless: [Range<Seconds>] = []
    /// Ends of sound intervals that wait.
    private var sound: [Seconds] = []
    /// When the latest window ended, beyond all of a run that has ended.
    private var lastEnd = -Seconds.infinity
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
        soundTime = UsableTime(step: parameters.step) { window in
            parameters.allowsBeats(in: window)
                || (window.coverage >= 0.5 && window.reasons.allSatisfy(Self.local.contains))
        }
    }

    mutating func take(_ intervals: [IBI]) {
        waiting += intervals
    }

    mutating func take(_ windows: [QualityWindow]) {
        for window in windows {
            Self.note(soundTime.take(window), in: &hopeless)
            Self.note(time.take(window), in: &unusable)
            lastEnd = window.onset + window.duration
        }
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

    /// Takes the verdicts on intervals that became known, before the windows that came with them.
    mutating func take(_ verdicts: [IntervalVerdict]) {
        for verdict in verdicts where verdict.isSound { sound.append(verdict.end) }
    }

    /// A run begins.
    mutating func begin(at onset: Seconds) {
        time.begin(at: onset)
        soundTime.begin(at: onset)
    }

    /// The run ends.
    mutating func endRun(at end: Seconds) {
        Self.note(soundTime.endRun(at: end), in: &hopeless)
        Self.note(time.endRun(at: end), in: &unusable)
        lastEnd = end + IntervalTrust.reach
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
            hopeless.removeAll { $0.upperBound <= start }
            if !all, lastEnd < interval.onset + IntervalTrust.reach,
                unusable.contains(where: { $0.lowerBound < interval.onset })
            {
                // Its verdict is not known yet.
                next -= 1
                break
            }
            let isSound = isSound(interval)
            let isUnusable = (isSound ? hopeless : unusable).contains { $0.lowerBound < interval.onset }
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

    /// Returns true where the interval is sound by itself, and forgets those before it.
    private mutating func isSound(_ interval: IBI) -> Bool {
        sound.removeAll { $0 < interval.onset - 1e-6 }
        return sound.first.map { $0 <= interval.onset + 1e-6 } ?? false
    }

    private static func note(_ stretches: [UsableTime.Stretch], in ranges: inout [Range<Seconds>]) {
        for stretch in stretches where !stretch.isUsable {
            if let last = ranges.last, last.upperBound >= stretch.range.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<stretch.range.upperBound
            } else {
                ranges.append(stretch.range)
            }
        }
    }
}
