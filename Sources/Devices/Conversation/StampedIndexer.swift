import Signals

/// Finds the index of each message's frames from the device's stamp of the message's last frame, for devices that
/// stamp but do not count: tells lost messages from clocks that jump, freeze or start anew.
struct StampedIndexer: Sendable {
    /// Where a message's frames belong.
    struct Place: Sendable, Equatable {
        /// Index of its first frame.
        var index: Int
        /// Time of its first frame on the device's clock; nil where the stamp can't be trusted.
        var time: Seconds?
        /// Frames lost before it.
        var lost = 0
        /// Nothing is known of the distance to earlier frames.
        var restarted = false
        /// By how much the clock jumped, when it did.
        var jump: Seconds?
    }

    /// Nominal frames per second.
    private let nominalRate: Double
    private var next = 0
    private var anchor: Anchor?
    /// The last gaps, in stamps: a message that falls into one of them comes late.
    private var gaps: [ClosedRange<Seconds>] = []
    private var isFresh = true
    private var delays = LeastDelay()

    private struct Anchor {
        var stamp: Seconds
        var arrival: Seconds
        /// Frames placed since `stamp` without a trustworthy stamp.
        var since = 0
        /// Messages placed so.
        var held = 0
        /// The last one's stamp.
        var heldStamp: Seconds?
        var frames: Int
        /// Frames per second, measured once that is possible.
        var rate: Double
        /// Where the present run of regular stamps began.
        var runStamp: Seconds
        var runFrames = 0
        /// Whether all messages of the run had the same number of frames.
        var isUniform = true
    }

    /// Stalls of a connection can be this long before what was sent meanwhile arrives in a burst.
    private static let longestStall: Seconds = 30
    private static let mostGaps = 16
    /// A clock that stands still for more messages than this is another clock.
    private static let mostHeld = 64
    /// Stamps are regular that are off by no more than this part of a message.
    private static let slack = 0.1

    /// `isResumed`: the stream ran before, so that its first message comes with `restarted`.
    init(rate: Double, isResumed: Bool = false) {
        nominalRate = rate
        isFresh = !isResumed
    }

    /// Places a message of `count` frames, the last stamped `stamp` (seconds); nil: the message came too late.
    mutating func place(count: Int, stamp: Seconds, arrival: Seconds) -> Place? {
        let early = delays.early(arrival - stamp, at: arrival)
        guard let last = anchor else { return start(count, stamp, arrival, jump: nil) }
        let rate = last.rate
        let length = Double(count) / rate
        let error = stamp - last.stamp - Double(last.since) / rate - length
        let half = 0.5 * length
        // Messages by which it came later than the next one would; those that a stall held up come at once.
        let elapsed = arrival - last.arrival
        let awaited = Swift.max(0, (elapsed / length).rounded() - 1)
        if let steps = stepsSinceSet(last, stamp, length), wasSet(error, steps, elapsed, length) {
            return start(count, stamp, arrival, jump: error - (steps - 1) * length)
        }
        if abs(error) <= half {
            // A clock that was set, and so many messages lost meanwhile, may seem to have run on.
            if abs(error) > Self.slack * length {
                guard awaited < 1 else { return start(count, stamp, arrival, jump: error - awaited * length) }
                if error < 0 { delays.clockWasSetBack(by: -error) }
            }
            return follow(last, count, stamp, arrival, lost: 0, rate: rate)
        }
        if error < 0, stamp >= last.stamp, last.held < Self.mostHeld {
            return hold(last, count, stamp, arrival, rate: rate)
        }
        if error > 0 {
            guard stamp - last.stamp <= elapsed + Self.longestStall else {
                return start(count, stamp, arrival, jump: error)
            }
            let lost = lost(last, count, error, rate)
            let isRegular = lost.map { abs(error - Double($0) / rate) <= Self.slack * length } ?? false
            guard early <= half, let lost, isRegular || awaited * Double(count) <= Double(lost) else {
                let missing = early > half ? Swift.max(0, ((error - early) / length).rounded()) : awaited
                return start(count, stamp, arrival, jump: error - missing * length)
            }
            return follow(last, count, stamp, arrival, lost: lost, rate: rate)
        }
        if gaps.contains(where: { $0.contains(stamp) }) { return nil }
        return start(count, stamp, arrival, jump: error)
    }

    /// How many messages after the last held one, whose stamp did not fit, the stamps have gone on regularly to this; nil
    /// where they have not.
    private func stepsSinceSet(_ last: Anchor, _ stamp: Seconds, _ length: Seconds) -> Double? {
        guard let held = last.heldStamp else { return nil }
        let steps = ((stamp - held) / length).rounded()
        return steps >= 1 && abs(stamp - held - steps * length) <= Self.slack * length ? steps : nil
    }

    /// Whether stamps that are regular since the last held message are those of a clock that was set, rather than of one
    /// that stood still and is right again: where they fit both, what arrives tells how many messages they are.
    private func wasSet(_ error: Seconds, _ steps: Double, _ elapsed: Seconds, _ length: Seconds) -> Bool {
        let lost = (error / length).rounded()
        guard lost >= 0, abs(error - lost * length) <= Self.slack * length else { return true }
        return abs(elapsed - steps * length) < abs(elapsed - (lost + 1) * length)
    }

    private mutating func start(_ count: Int, _ stamp: Seconds, _ arrival: Seconds, jump: Seconds?) -> Place {
        anchor = Anchor(stamp: stamp, arrival: arrival, frames: count, rate: nominalRate, runStamp: stamp)
        gaps = []
        next = count
        if jump != nil { delays = LeastDelay() }
        let restarted = !isFresh || jump != nil
        isFresh = false
        return Place(
            index: 0, time: stamp - Double(count - 1) / nominalRate, restarted: restarted, jump: jump)
    }

    private mutating func follow(
        _ last: Anchor, _ count: Int, _ stamp: Seconds, _ arrival: Seconds, lost: Int, rate: Double
    ) -> Place {
        var anchor = last
        let span = stamp - last.stamp
        let step = lost == 0 ? span / Double(last.since + count) : 1 / rate
        if lost > 0 {
            if gaps.count == Self.mostGaps { gaps.removeFirst() }
            gaps.append(last.stamp...Swift.max(last.stamp, stamp - (Double(count) - 0.5) * step))
            anchor.runStamp = stamp
            anchor.runFrames = 0
        } else {
            measure(&anchor, from: last, count, stamp)
            anchor.isUniform = last.isUniform && last.frames == count
        }
        anchor.stamp = stamp
        anchor.arrival = arrival
        anchor.since = 0
        anchor.held = 0
        anchor.heldStamp = nil
        anchor.frames = count
        self.anchor = anchor
        let index = next + lost
        next = index + count
        return Place(index: index, time: stamp - Double(count - 1) * step, lost: lost)
    }

    /// The clock stands still or crawls: the message follows the one before, as far as can be known.
    private mutating func hold(
        _ last: Anchor, _ count: Int, _ stamp: Seconds, _ arrival: Seconds, rate: Double
    ) -> Place {
        anchor?.since += count
        anchor?.held += 1
        anchor?.heldStamp = stamp
        anchor?.arrival = arrival
        defer { next += count }
        return Place(index: next, time: last.stamp + Double(last.since + 1) / rate)
    }

    /// Frames missing when the stamp is `error` later than expected. Where all messages have the same size, whole ones
    /// are missing; nil when it was the clock that moved.
    private func lost(_ last: Anchor, _ count: Int, _ error: Seconds, _ rate: Double) -> Int? {
        let frames = error * rate
        let messages = (frames / Double(count)).rounded()
        let isWhole = abs(frames - messages * Double(count)) <= 0.25 * Double(count)
        guard last.isUniform, last.frames == count else { return Int(frames.rounded()) }
        return messages >= 1 && isWhole ? Int(messages) * count : nil
    }

    /// Keeps the rate up to date while stamps are regular; where one is not, the measuring begins again.
    private func measure(_ anchor: inout Anchor, from last: Anchor, _ count: Int, _ stamp: Seconds) {
        let frames = last.since + count
        let error = stamp - last.stamp - Double(frames) / last.rate
        guard abs(error) <= 0.1 * Double(count) / last.rate else {
            anchor.runStamp = stamp
            anchor.runFrames = 0
            return
        }
        anchor.runFrames += frames
        let span = stamp - anchor.runStamp
        let measured = Double(anchor.runFrames) / span
        if span > 2, abs(measured / nominalRate - 1) < 0.2 { anchor.rate = measured }
    }
}

/// The least time that messages took after their stamps: none comes before it was sent, so that stamps which go ahead of it
/// are of a clock that was set.
private struct LeastDelay: Sendable {
    /// In the span that began last, and in the one before it: clocks drift.
    private var least = (now: Seconds.infinity, before: Seconds.infinity)
    private var began: Seconds = -.infinity
    private var count = 0

    private static let span: Seconds = 60
    /// Fewer messages may all have waited.
    private static let fewest = 5

    /// The clock that stamps was set back: what arrives from now on seems to take so much more.
    mutating func clockWasSetBack(by time: Seconds) { least = (least.now + time, least.before + time) }

    /// Takes a message that arrived so long after its stamp, up to a constant.
    /// - Returns: by how many seconds it came earlier than any of the last minute, 0 where it did not or that is not known.
    mutating func early(_ delay: Seconds, at arrival: Seconds) -> Seconds {
        let known = min(least.now, least.before)
        if arrival - began > Self.span {
            (least, began) = ((.infinity, least.now), arrival)
        }
        least.now = min(least.now, delay)
        defer { count += 1 }
        return count < Self.fewest ? 0 : max(0, known - delay)
    }
}
