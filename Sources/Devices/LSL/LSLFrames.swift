import Signals

/// Gives each frame of a regular LSL stream its index from its stamp, and gathers consecutive frames into blocks.
///
/// Most senders stamp what they push when they push it, so that stamps jitter: one that lies late is a loss only where those
/// after it stay late. What follows such a stamp is held back until that is known, for a second. How late a stamp is counts
/// from the earliest of those before it, the lower edge of their jitter, which may rise a little: no sender keeps quite the rate
/// that it declares.
struct LSLFrames: Sendable {
    /// How many seconds of stamps decide what was a loss.
    private let patience: Seconds
    /// Later than this no stamp jitters.
    private let latest: Seconds
    /// Less than this is never told from jitter.
    private let least: Seconds
    /// By how many seconds a second the lower edge rises.
    private static let drift = 0.02
    /// After how many seconds a stamp that came late is forgotten, all but a third of it.
    private static let memory: Seconds = 10

    private let rate: Double
    private var batch: FrameBatch
    private var next = 0
    private var isRestarted = false
    private var last: Seconds?
    /// When the frame of index 0 would have come, by the lower edge.
    private var origin: Seconds = 0
    /// By how much stamps came late lately.
    private var jitter: Seconds = 0
    /// Frames of which it is not known whether others are missing before them, and by how much they are late.
    private var pending: [(stamp: Seconds, isForward: Bool, frame: [Double])] = []
    private var lateness: ClosedRange<Seconds> = 0...0
    /// What the sender's own rate is told by.
    private(set) var pace = LSLPace()

    /// Frames of `stream`, `rate` of them a second.
    /// - Parameter isDouble: whether samples are handed out in double precision, too.
    init(stream: String, rate: Double, isDouble: Bool) {
        self.rate = rate
        batch = FrameBatch(stream: stream, isDouble: isDouble)
        patience = max(1, 5 / rate)
        latest = max(0.5, 8 / rate)
        least = max(0.02, 1.5 / rate)
    }

    /// Adds a frame; appends blocks that are complete before it.
    mutating func add(_ frame: [Double], at stamp: Seconds, into finished: inout [DeviceSamples]) {
        guard let last else { return begin(frame, at: stamp) }
        guard stamp > last - max(1, latest), stamp < last + 3_600 else {
            restart(into: &finished)
            return begin(frame, at: stamp)
        }
        // One that goes back does not lower the edge: a clock that was set back does so soon.
        let isForward = stamp > last
        self.last = max(last, stamp)
        let late = stamp - origin - Double(next + pending.count) / rate
        let threshold = max(least, 1.25 * jitter)
        if let first = pending.first {
            guard late - lateness.lowerBound <= latest else {
                settle(into: &finished)
                return add(frame, at: stamp, into: &finished)
            }
            pending.append((stamp, isForward, frame))
            lateness = min(lateness.lowerBound, late)...max(lateness.upperBound, late)
            if lateness.lowerBound <= threshold {
                release()
            } else if stamp - first.stamp >= patience {
                // What is less than these stamps jitter themselves is not told from it.
                let spread = lateness.upperBound - lateness.lowerBound
                if lateness.lowerBound > spread { settle(into: &finished) } else { release() }
            }
        } else if late > threshold {
            pending = [(stamp, isForward, frame)]
            lateness = late...late
            if late > latest { settle(into: &finished) }
        } else {
            take(frame, at: stamp, isForward: isForward)
        }
    }

    /// The connection begins anew: what comes has no known distance to what came.
    mutating func restart(into finished: inout [DeviceSamples]) {
        settle(into: &finished)
        flush(into: &finished)
        guard last != nil else { return }
        (last, next, jitter, isRestarted) = (nil, 0, 0, true)
        pace = LSLPace()
    }

    /// Hands out the frames that are gathered; those that wait for a verdict go on waiting.
    mutating func flush(into finished: inout [DeviceSamples]) {
        if let samples = batch.flush() { finished.append(samples) }
    }

    /// Takes what waits for what it seems, the end of a loss.
    mutating func settle(into finished: inout [DeviceSamples]) {
        guard !pending.isEmpty else { return }
        flush(into: &finished)
        next += Int((lateness.lowerBound * rate).rounded())
        release()
    }

    private mutating func begin(_ frame: [Double], at stamp: Seconds) {
        (last, origin) = (stamp, stamp - Double(next) / rate)
        take(frame, at: stamp, isForward: true)
    }

    private mutating func release() {
        let held = pending
        pending = []
        for one in held { take(one.frame, at: one.stamp, isForward: one.isForward) }
    }

    private mutating func take(_ frame: [Double], at stamp: Seconds, isForward: Bool) {
        let early = stamp - Double(next) / rate
        jitter = max(early - origin, jitter * (1 - 1 / (rate * Self.memory + 1)))
        if isForward { origin = min(origin + Self.drift / rate, early) }
        batch.add(frame, index: next, at: stamp, isRestarted: isRestarted)
        isRestarted = false
        pace.take(stamp, index: next)
        next += 1
    }
}

/// How many frames a second a sender's stamps count.
struct LSLPace: Sendable {
    /// Within this many seconds jitter is too small to matter.
    private static let long: Seconds = 60
    private var first: (stamp: Seconds, index: Int)?
    private var last: (stamp: Seconds, index: Int)?

    mutating func take(_ stamp: Seconds, index: Int) {
        if first == nil { first = (stamp, index) }
        last = (stamp, index)
    }

    /// Frames a second; nil before it is known.
    var rate: Double? {
        guard let first, let last, last.stamp - first.stamp >= Self.long else { return nil }
        return Double(last.index - first.index) / (last.stamp - first.stamp)
    }
}
