import Signals

/// Gives each frame of a regular LSL stream its index from its stamp, and gathers consecutive frames into blocks.
///
/// Frames that come in another order than they were measured in are put in order first (`LSLOrder`), and those that come a
/// second time are left out (`LSLRepeats`). Many senders stamp what they push when they push it, so that stamps jitter: the
/// first second gives the lower edge of their jitter, and a stamp that lies late is a loss only where those
/// after it stay late. What follows such a stamp is held back until that is known, for a second; while the count catches up,
/// as where a sender hung and pushes what waited, for longer. How late a stamp is counts
/// from the earliest of those before it, the lower edge of their jitter, which may rise a little: no sender keeps quite the rate
/// that it declares. Stamps that stay early for a second are of a clock that was set, or of samples too many: a new
/// count begins.
struct LSLFrames: Sendable {
    /// What becomes of frames.
    enum Piece: Sendable {
        /// Frames that follow each other.
        case samples(DeviceSamples)
        /// What comes next is, by its stamps, so many seconds off where it would be, and is counted anew.
        case jumped(by: Seconds)
    }

    private struct Frame: Sendable {
        var stamp: Seconds
        /// Whether its stamp is later than all before.
        var isForward: Bool
        var values: [Double]
        /// Seconds by which it came later than the lower edge, by the frames that came.
        var late: Seconds = 0
    }

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
    /// For how many seconds of stamps a count may go on catching up.
    private static let longest: Seconds = 10
    /// Of how many seconds frames are held back at most.
    private static let most: Seconds = 60

    /// Frames a second by the header, and as exact stamps count them.
    private let nominal: Double
    private var rate: Double
    /// The smallest share by which a measured rate differs from the declared one.
    private static let leastOff = 0.002
    private var batch: FrameBatch
    private var next = 0
    private var isRestarted = false
    private var last: Seconds?
    private var order: LSLOrder<[Double]>
    private var ready: [LSLOrder<[Double]>.Frame] = []
    /// The first frames of a count, before their lower edge is known.
    private var gathered: [Frame] = []
    /// The latest stamp that came, as the sender gave it.
    private var newest: Seconds = -.infinity
    /// When the frame of index 0 would have come, by the lower edge.
    private var origin: Seconds = 0
    /// By how much stamps came late lately.
    private var jitter: Seconds = 0
    /// Frames of which it is not known whether others are missing before them, all late, or all early.
    private var held: [Frame] = []
    /// The stamp at which they are judged.
    private var due: Seconds = 0
    private var repeats: LSLRepeats
    /// How many frames came twice so far.
    var repeated: Int { repeatCount + order.repeated }
    private var repeatCount = 0
    /// What the sender's own rate is told by.
    private(set) var pace: LSLPace

    /// True if the sender stamps with its own sample clock: its stamps are a whole number of intervals apart.
    var isExact: Bool { order.isExact }
    /// The number of frames put in order so far.
    var sorted: Int { order.sorted }
    /// By how many seconds stamps come late lately, over the earliest.
    var lateness: Seconds { jitter }

    /// Frames of `stream`, `rate` of them a second.
    /// - Parameter isRestarted: whether frames of the stream came before.
    init(stream: String, rate: Double, _ precision: FrameBatch.Precision, isRestarted: Bool = false) {
        self.isRestarted = isRestarted
        (nominal, self.rate) = (rate, rate)
        batch = FrameBatch(stream: stream, precision)
        order = LSLOrder(rate: rate)
        patience = max(1, 5 / rate)
        latest = max(0.5, 8 / rate)
        least = max(0.02, 1.5 / rate)
        repeats = LSLRepeats(most: Int(max(5 * rate, 16)) + 64)
        pace = LSLPace(declared: rate)
    }

    /// Adds a frame; appends what is complete before it.
    /// - Parameter raw: the stamp as the sender gave it, without the measured offset of its clock, which changes: a frame that comes
    ///   twice is known by it. Nil: the stamp itself.
    mutating func add(_ values: [Double], at stamp: Seconds, raw: Seconds? = nil, into finished: inout [Piece]) {
        guard stamp.isFinite else { return }
        guard isNew(values, at: raw ?? stamp) else { return }
        order.add(.init(stamp: stamp, content: values), into: &ready)
        takeReady(into: &finished)
    }

    /// The connection begins anew: what comes has no known distance to what came.
    mutating func restart(into finished: inout [Piece]) {
        settle(into: &finished)
        order.restart(into: &ready)
        beginAnew(into: &finished)
    }

    /// Hands out the frames that are gathered; those that wait for a verdict go on waiting.
    mutating func flush(into finished: inout [Piece]) {
        guard var samples = batch.flush() else { return }
        samples.rate = rate == nominal ? nil : rate
        finished.append(.samples(samples))
    }

    /// Takes what waits for what it seems.
    mutating func settle(into finished: inout [Piece]) {
        order.settle(into: &ready)
        takeReady(into: &finished)
        settleHeld(into: &finished)
    }

    private mutating func settleHeld(into finished: inout [Piece]) {
        if !gathered.isEmpty { beginGathered(into: &finished) }
        while !held.isEmpty { judge(isLast: true, into: &finished) }
    }

    // MARK: order

    private mutating func isNew(_ values: [Double], at stamp: Seconds) -> Bool {
        defer { newest = max(newest, stamp) }
        guard repeats.isRepeated(values, at: stamp, last: newest, isExact: order.isExact) else { return true }
        repeatCount += 1
        return false
    }

    private mutating func takeReady(into finished: inout [Piece]) {
        guard !ready.isEmpty else { return }
        let frames = ready
        ready.removeAll(keepingCapacity: true)
        for frame in frames {
            accept(
                Frame(stamp: frame.stamp, isForward: frame.stamp > last ?? -.infinity, values: frame.content), &finished
            )
        }
    }

    /// Takes the next frame in order.
    private mutating func accept(_ frame: Frame, _ finished: inout [Piece]) {
        guard let last else {
            if order.isExact {
                let isOff = abs(1 / (order.step * nominal) - 1) > Self.leastOff
                rate = isOff ? 1 / order.step : nominal
                return begin(frame, origin: frame.stamp)
            }
            rate = nominal
            gathered.append(frame)
            let span = abs(frame.stamp - gathered[0].stamp)
            if span >= patience || Double(gathered.count) >= Self.most * rate { beginGathered(into: &finished) }
            return
        }
        // A clock that was set far.
        guard frame.stamp > last - max(1, latest), frame.stamp < last + 3_600 else {
            settleHeld(into: &finished)
            jump(by: frame.stamp - origin - Double(next) / rate, into: &finished)
            return accept(frame, &finished)
        }
        self.last = max(last, frame.stamp)
        weigh(frame, into: &finished)
    }

    /// Begins to count with the frames that are gathered, by the earliest of them.
    private mutating func beginGathered(into finished: inout [Piece]) {
        let frames = gathered
        gathered = []
        // The last one may come after a jump.
        let told = frames.count > 1 ? frames.dropLast() : frames[...]
        let origin = told.enumerated().reduce(.infinity) { min($0, $1.element.stamp - Double($1.offset) / rate) }
        begin(frames[0], origin: origin)
        for var frame in frames.dropFirst() {
            frame.isForward = frame.stamp > last ?? -.infinity
            accept(frame, &finished)
        }
    }

    // MARK: verdicts

    private var threshold: Seconds { max(order.isExact ? 0.75 / rate : least, 1.25 * jitter) }

    private mutating func weigh(_ frame: Frame, into finished: inout [Piece]) {
        var frame = frame
        frame.late = frame.stamp - origin - Double(next + held.count) / rate
        guard let first = held.first else {
            guard abs(frame.late) > threshold else { return take(frame) }
            held = [frame]
            due = frame.stamp + patience
            return
        }
        guard (first.late > 0 ? frame.late : -frame.late) > threshold else {
            release()
            return weigh(frame, into: &finished)
        }
        held.append(frame)
        let most = first.late > 0 ? Self.most : 2 * patience
        if frame.stamp >= due || Double(held.count) >= most * rate { judge(into: &finished) }
    }

    /// Whether frames are missing before those that are held, or the clock was set, or their stamps only jitter.
    private mutating func judge(isLast: Bool = false, into finished: inout [Piece]) {
        guard let first = held.first, let end = held.last else { return }
        let half = held.firstIndex { $0.stamp >= end.stamp - patience / 2 } ?? 0
        let off = held.reduce(Double.infinity) { min($0, abs($1.late)) }
        // What is less than these stamps jitter themselves is not told from it.
        let recent = held[half...].reduce((Double.infinity, -Double.infinity)) {
            (min($0.0, $1.late), max($0.1, $1.late))
        }
        let isTold = off > recent.1 - recent.0
        if first.late < 0 {
            // Stamps that stand still are of no clock.
            guard isTold, end.stamp - first.stamp >= patience else { return release() }
            return setBack(by: off, into: &finished)
        }
        if isLast ? first.late - end.late > threshold : isCatchingUp(half, end) {
            guard !isLast, end.stamp - first.stamp < Self.longest, Double(held.count) < Self.most * rate else {
                return release()
            }
            due = end.stamp + patience / 2
            return
        }
        guard isTold else { return release() }
        flush(into: &finished)
        next += max(1, Int((off * rate).rounded()))
        weighAgain(into: &finished)
    }

    /// Whether more frames come than time goes by.
    private func isCatchingUp(_ half: Int, _ end: Frame) -> Bool {
        guard half > 0 else { return false }
        func earliest(_ frames: ArraySlice<Frame>) -> Seconds { frames.reduce(.infinity) { min($0, $1.late) } }
        return earliest(held[..<half]) - earliest(held[half...]) > max(threshold, 0.1 * patience)
    }

    /// The clock was set back by so much, or so many samples came that were not measured.
    private mutating func setBack(by early: Seconds, into finished: inout [Piece]) {
        let again = held
        held = []
        jump(by: -early, into: &finished)
        for frame in again { accept(frame, &finished) }
    }

    private mutating func weighAgain(into finished: inout [Piece]) {
        let again = held
        held = []
        for frame in again { weigh(frame, into: &finished) }
    }

    // MARK: frames

    private mutating func jump(by seconds: Seconds, into finished: inout [Piece]) {
        beginAnew(into: &finished)
        if seconds.isFinite { finished.append(.jumped(by: seconds)) }
    }

    private mutating func beginAnew(into finished: inout [Piece]) {
        flush(into: &finished)
        guard last != nil else { return }
        (last, next, jitter, isRestarted) = (nil, 0, 0, true)
        newest = -.infinity
        pace = LSLPace(declared: rate)
    }

    private mutating func begin(_ frame: Frame, origin: Seconds) {
        (last, self.origin) = (frame.stamp, origin - Double(next) / rate)
        take(frame)
    }

    /// Takes what is held for frames that follow those before.
    private mutating func release() {
        let frames = held
        held = []
        // A sender that hung is no jitter.
        let isHang = frames.contains { $0.late > latest }
        for frame in frames { take(frame, isHang: isHang) }
    }

    private mutating func take(_ frame: Frame, isHang: Bool = false) {
        let early = frame.stamp - Double(next) / rate
        if !isHang {
            jitter = max(early - origin, jitter * (1 - 1 / (rate * Self.memory + 1)))
            if frame.isForward { origin = min(origin + Self.drift / rate, early) }
        }
        // Stamps of a sample clock are the frames' times; others follow the line along the earliest.
        let stamp = order.isExact && !isHang ? frame.stamp : min(frame.stamp, origin + Double(next) / rate)
        batch.add(frame.values, index: next, at: stamp, isRestarted: isRestarted)
        isRestarted = false
        pace.take(frame.stamp, index: next)
        next += 1
    }
}
