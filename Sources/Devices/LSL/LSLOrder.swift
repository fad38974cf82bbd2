import Signals

/// Puts samples in order that came in another order than they were measured in, by their stamps.
///
/// Only stamps that a sender takes from its own sample clock show the order: they are a whole number of intervals apart.
/// Stamps that are taken when samples are pushed jitter, and samples stay as they came. The first second of a stream decides
/// which they are. Where stamps leave out samples, those that follow wait for a second: what comes late and fits in takes its
/// place, and every other sample keeps the order in which it came.
struct LSLOrder<Content: Sendable & Equatable>: Sendable {
    /// A sample and its stamp.
    struct Frame: Sendable {
        var stamp: Seconds
        var content: Content
    }

    /// Seconds of stamps that decide, and for which samples wait.
    static var patience: Seconds { 1 }
    /// Fewest samples that decide, unless they take long.
    private static var fewest: Int { 8 }
    private static var longest: Seconds { 5 }
    /// By which share of an interval the steps between exact stamps may differ from whole numbers of intervals.
    private static var tolerance: Double { 0.1 }

    private let interval: Seconds
    private let most: Int
    /// The samples of the first second; nil when it is over.
    private var opening: [Frame]? = []
    /// True during the first second.
    var isOpening: Bool { opening != nil }
    /// True if stamps show the order.
    private(set) var isExact = false
    /// Seconds between two exact stamps, as measured.
    private(set) var step: Seconds
    /// Samples that wait for those before them, by their stamps.
    private var waiting: [Frame] = []
    private var last: Seconds?
    /// The number of samples put in order so far.
    private(set) var sorted = 0
    /// The number of samples of the first second that came twice.
    private(set) var repeated = 0

    init(rate: Double) {
        interval = 1 / rate
        step = interval
        most = Int(min(60 * rate, 1e7)) + 64
    }

    /// Takes the next sample that came; appends those that are in order.
    mutating func add(_ frame: Frame, into ready: inout [Frame]) {
        guard var gathered = opening else { return take(frame, into: &ready) }
        opening = nil
        gathered.append(frame)
        let span = frame.stamp - gathered[0].stamp
        let isOver = abs(span) >= Self.patience && gathered.count >= Self.fewest || abs(span) >= Self.longest
        guard isOver || gathered.count >= most else {
            opening = gathered
            return
        }
        begin(gathered, into: &ready)
    }

    /// Nothing more comes: appends what waits.
    mutating func settle(into ready: inout [Frame]) {
        if let gathered = opening {
            opening = nil
            if !gathered.isEmpty { begin(gathered, into: &ready) }
        }
        releaseAll(into: &ready)
    }

    /// Starts again, after a reconnection.
    mutating func restart(into ready: inout [Frame]) {
        settle(into: &ready)
        (opening, isExact, step, last) = ([], false, interval, nil)
    }

    // MARK: the first second

    private mutating func begin(_ frames: [Frame], into ready: inout [Frame]) {
        let order = frames.indices.sorted { (frames[$0].stamp, $0) < (frames[$1].stamp, $1) }
        let inOrder = order.map { frames[$0] }
        if let step = exactStep(inOrder.map(\.stamp)), Self.isPermutation(inOrder, step) {
            (isExact, self.step) = (true, step)
            sorted += zip(order.dropFirst(), order).count { $0 < $1 }
            var latest: Seconds?
            for frame in inOrder {
                // Two of one moment are one sample, as `isPermutation` has found.
                if frame.stamp == latest { repeated += 1 } else { take(frame, into: &ready) }
                latest = frame.stamp
            }
            return
        }
        if let step = exactStep(frames.map(\.stamp)) { (isExact, self.step) = (true, step) }
        for frame in frames { take(frame, into: &ready) }
    }

    /// True if samples in the order of their stamps are of one clock: two of one moment are the same sample, and no long pause
    /// separates two clocks.
    private static func isPermutation(_ frames: [Frame], _ step: Seconds) -> Bool {
        guard let first = frames.first, let last = frames.last else { return false }
        return last.stamp - first.stamp <= 2 * step * Double(frames.count)
            && zip(frames.dropFirst(), frames).allSatisfy {
                $0.stamp - $1.stamp > 0.5 * step || $0.stamp == $1.stamp && $0.content == $1.content
            }
    }

    /// The interval of stamps that lie a whole number of intervals apart, in seconds; nil where they do not. A stamp may come
    /// twice.
    private func exactStep(_ stamps: [Seconds]) -> Seconds? {
        let steps = zip(stamps.dropFirst(), stamps).map { $0 - $1 }.filter { $0 != 0 }
        guard steps.count >= 2 else { return nil }
        let middle = steps.sorted()[steps.count / 2]
        guard abs(middle / interval - 1) < 0.25 else { return nil }
        let even = steps.filter { abs($0 / middle - 1) <= Self.tolerance }
        let step = even.reduce(0, +) / Double(even.count)
        let others = steps.filter { abs($0 / step - 1) > Self.tolerance }
        let broken = others.count { other in
            let steps = other / step
            return abs(steps - steps.rounded()) > Self.tolerance || steps < 0.5
        }
        guard Double(broken) <= 0.2 * Double(others.count), even.count * 2 >= steps.count else { return nil }
        return step
    }

    // MARK: order

    private mutating func take(_ frame: Frame, into ready: inout [Frame]) {
        guard isExact, let last, !waiting.isEmpty || frame.stamp > last + 1.5 * step else {
            return pass(frame, into: &ready)
        }
        let isInHole = frame.stamp > last + 0.5 * step && isFree(frame.stamp)
        guard isInHole else {
            // Of another clock: what waits came before it.
            releaseAll(into: &ready)
            return pass(frame, into: &ready)
        }
        let place = waiting.firstIndex { $0.stamp > frame.stamp } ?? waiting.count
        if place < waiting.count { sorted += 1 }
        waiting.insert(frame, at: place)
        releaseFollowing(into: &ready)
        // The first hole stays one.
        while let first = waiting.first, let end = waiting.last,
            end.stamp - first.stamp >= Self.patience || waiting.count >= most
        {
            pass(waiting.removeFirst(), into: &ready)
            releaseFollowing(into: &ready)
        }
    }

    /// True if no waiting sample has this place.
    private func isFree(_ stamp: Seconds) -> Bool {
        !waiting.reversed().prefix { $0.stamp > stamp - 0.5 * step }.contains { abs($0.stamp - stamp) <= 0.5 * step }
    }

    private mutating func releaseFollowing(into ready: inout [Frame]) {
        var count = 0
        while count < waiting.count, let last, waiting[count].stamp <= last + 1.5 * step {
            pass(waiting[count], into: &ready)
            count += 1
        }
        waiting.removeFirst(count)
    }

    private mutating func releaseAll(into ready: inout [Frame]) {
        for frame in waiting { pass(frame, into: &ready) }
        waiting = []
    }

    private mutating func pass(_ frame: Frame, into ready: inout [Frame]) {
        last = frame.stamp
        ready.append(frame)
    }
}
