public import Signals

/// A line from a device's clock to the host's, fitted to messages as they arrive.
///
/// A message arrives some time after it was due and never before, so the line is the lower envelope of arrivals: of
/// short stretches of device time, half a second at first and 8 s later, the earliest arrival each is kept, over the last
/// 8 to 16 minutes, and of the lines below all of them the one closest to all is taken (Moon, Skelly & Towsley,
/// "Estimation and removal of clock skew from network delay measurements", IEEE INFOCOM 1999). The constant part of a
/// device's delay cannot be seen from here and stays in.
/// As long as its slope is not told from the jitter of few messages, the line has the slope that was known before: a
/// clock that was set still runs as fast as it did.
///
/// Memory and work per message are constant. Jumps of the device's clock are told from delays: no message comes before it
/// was sent, and what is late for good is no delay.
public struct ClockFit: Hashable, Sendable {
    /// What a message tells of the device's clock.
    public enum Verdict: Hashable, Sendable {
        /// It runs on.
        case follows
        /// It was set, or stood still: it differs by this many seconds from where it would be. The fit began anew.
        case jumped(by: Seconds)
    }

    /// How far a message may come before its time, in seconds, until the clock counts as set.
    public static let earliest: Seconds = 0.5
    /// How late a message may come, in seconds, until the clock may have stood still.
    public static let latest: Seconds = 1
    /// How long messages may come late, in seconds, until the clock counts as having stood still.
    public static let patience: Seconds = 5

    /// No device's clock is off by more: a steeper line is a backlog that is being worked off.
    private static let steepest = 0.15
    private static let mostBins = 120
    private static let firstWidth: Seconds = 0.5
    private static let lastWidth: Seconds = 8

    /// A line from device time to host time.
    struct Line: Hashable {
        var device: Seconds = 0
        var host: Seconds = 0
        var intercept = 0.0
        var slope = 0.0

        func host(of time: Seconds) -> Seconds {
            let elapsed = time - device
            return host + elapsed + intercept + slope * elapsed
        }

        /// This line and then another, from what this one leads to.
        func followed(by next: Line) -> Line {
            Line(
                device: device, host: next.host(of: host + intercept), intercept: 0,
                slope: (1 + slope) * (1 + next.slope) - 1)
        }
    }

    private struct Bin: Hashable {
        var number: Int
        var device: Seconds
        var residual: Seconds
    }

    private struct Message: Hashable {
        var device: Seconds
        var host: Seconds
    }

    private struct Lateness: Hashable {
        var since: Seconds
        var first: Seconds
        var least: Seconds
        var count: Int
    }

    /// Whether late messages count as a jump at once: on clocks that cannot tell a delay from a loss.
    private let isImpatient: Bool
    /// The line as it is now.
    private(set) var line = Line()
    /// When the message came that it began with, in the host's time.
    private(set) var begun: Seconds = -.infinity
    private var width = Self.firstWidth
    private var bins: [Bin] = []
    private var priorSlope = 0.0
    /// The most seconds of device time that agreed with it.
    private var priorSpan: Seconds = 0
    private var late: Lateness?
    private var last: [Int: Message] = [:]
    private var delays = DelayStatistics()

    /// A fit without messages.
    /// - Parameter isImpatient: whether a silence counts as a jump at once, because the clock only counts what arrives.
    public init(isImpatient: Bool = false) {
        self.isImpatient = isImpatient
    }

    /// Whether there was a message.
    public var isEmpty: Bool { bins.isEmpty }
    /// Seconds of host time that pass in a second of device time, less 1: how much the device's clock goes slow.
    public var drift: Double { line.slope }
    /// How much later than the earliest messages arrive.
    public var delay: DelayStatistics { delays }

    /// Host time at a device time.
    public func host(of device: Seconds) -> Seconds { line.host(of: device) }

    /// Begins anew with a clock that has no relation to the one before but its rate.
    public mutating func restart() {
        priorSlope = line.slope
        priorSpan = max(priorSpan, span)
        width = Self.firstWidth
        bins.removeAll(keepingCapacity: true)
        last.removeAll(keepingCapacity: true)
        late = nil
    }

    /// Begins anew with a clock that was set, of which `drift` is known better than from what was seen of it here.
    mutating func restart(drift: Double) {
        restart()
        (priorSlope, priorSpan) = (drift, 0)
    }

    /// Takes a message that bears the device time `device` and arrived at `host`.
    /// - Parameter source: which of the device's streams it is of. Only within one do stamps never go back: after a
    ///   stall the backlog of one stream may come before another's.
    public mutating func observe(_ device: Seconds, arrived host: Seconds, source: Int = 0) -> Verdict {
        guard device.isFinite, host.isFinite else { return .follows }
        let before = last.updateValue(Message(device: device, host: host), forKey: source)
        guard !bins.isEmpty else {
            begin(device, host)
            return .follows
        }
        let delay = host - self.host(of: device)
        let goesBack = before.map { device < $0.device - Self.latest } ?? false
        let isSudden = delay < -Self.earliest || delay > Self.latest && (isImpatient || goesBack)
        let step = before.map { (device - $0.device) - (host - $0.host) } ?? -delay
        if isSudden || isLateForGood(delay, host) {
            restart()
            last[source] = Message(device: device, host: host)
            begin(device, host)
            return .jumped(by: isSudden ? step : -delay)
        }
        // What comes so late says nothing of the line: a young one would lean on it.
        if delay <= Self.latest {
            add(device, host)
            delays.add(max(0, delay))
        }
        return .follows
    }

    private mutating func begin(_ device: Seconds, _ host: Seconds) {
        begun = host
        line = Line(device: device, host: host, intercept: 0, slope: priorSlope)
        add(device, host)
    }

    private mutating func isLateForGood(_ delay: Seconds, _ host: Seconds) -> Bool {
        guard delay > Self.latest else {
            late = nil
            return false
        }
        guard var watch = late else {
            late = Lateness(since: host, first: delay, least: delay, count: 1)
            return false
        }
        watch.least = min(watch.least, delay)
        watch.count += 1
        if host - watch.since >= Self.patience, watch.count >= 5 {
            // A backlog that is being worked off comes nearer and nearer.
            guard watch.first - watch.least > Self.earliest else { return true }
            watch = Lateness(since: host, first: delay, least: delay, count: 1)
        }
        late = watch
        return false
    }

    private mutating func add(_ device: Seconds, _ host: Seconds) {
        let elapsed = device - line.device
        let residual = host - line.host - elapsed
        let number = Int((min(max(elapsed / width, -1e12), 1e12)).rounded(.down))
        if let last = bins.last, last.number >= number {
            guard residual < last.residual else { return }
            bins[bins.count - 1].device = elapsed
            bins[bins.count - 1].residual = residual
        } else {
            if bins.count == Self.mostBins { makeRoom() }
            bins.append(
                Bin(
                    number: Int((min(max(elapsed / width, -1e12), 1e12)).rounded(.down)), device: elapsed,
                    residual: residual))
        }
        refit()
    }

    /// Stretches become twice as long, of two the earlier arrival stays; when they are long enough the oldest goes.
    private mutating func makeRoom() {
        guard width < Self.lastWidth else {
            bins.removeFirst()
            return
        }
        width *= 2
        var merged: [Bin] = []
        merged.reserveCapacity(Self.mostBins)
        for bin in bins {
            let number = bin.number >> 1
            if let last = merged.last, last.number == number {
                if bin.residual < last.residual {
                    merged[merged.count - 1] = Bin(number: number, device: bin.device, residual: bin.residual)
                }
            } else {
                merged.append(Bin(number: number, device: bin.device, residual: bin.residual))
            }
        }
        bins = merged
        if bins.count == Self.mostBins { bins.removeFirst() }
    }

    // MARK: the line

    private mutating func refit() {
        let found = support()
        let span = span
        let isTold =
            bins.count > Self.nearest && span >= min(priorSpan, Self.longestTrust) && abs(found) <= Self.steepest
            && abs(found - priorSlope) * span > looseness(found)
        line.slope = isTold ? found : priorSlope
        line.intercept = level(line.slope)
    }

    private static let nearest = 5
    /// Seconds for which a slope that took as long to learn is not doubted.
    private static let longestTrust: Seconds = 60

    /// Seconds of device time from the first stretch to the last.
    private var span: Seconds { (bins.last?.device ?? 0) - (bins.first?.device ?? 0) }

    /// How far above the line the fifth-nearest stretch lies: by so much the line might as well lie elsewhere.
    private func looseness(_ slope: Double) -> Double {
        let base = level(slope)
        return bins.map { $0.residual - slope * $0.device - base }.sorted()[Self.nearest - 1]
    }

    /// How far above the line half of the stretches lie, in seconds.
    var looseness: Seconds {
        let above = bins.map { $0.residual - line.slope * $0.device - line.intercept }.sorted()
        return above.isEmpty ? 0 : above[above.count / 2]
    }

    /// How high a line of this slope may lie below all stretches.
    private func level(_ slope: Double) -> Double {
        bins.reduce(.infinity) { min($0, $1.residual - slope * $1.device) }
    }

    /// The slope of the lower hull over the middle of the stretches.
    private func support() -> Double {
        guard bins.count > 1 else { return priorSlope }
        let middle = bins.reduce(0) { $0 + $1.device } / Double(bins.count)
        var hull: [Bin] = []
        hull.reserveCapacity(bins.count)
        for bin in bins {
            while hull.count > 1 {
                let (a, b) = (hull[hull.count - 2], hull[hull.count - 1])
                let isAbove =
                    (b.residual - a.residual) * (bin.device - a.device)
                    >= (bin.residual - a.residual) * (b.device - a.device)
                guard isAbove else { break }
                hull.removeLast()
            }
            if let last = hull.last, bin.device <= last.device { continue }
            hull.append(bin)
        }
        guard hull.count > 1 else { return priorSlope }
        let right = hull.dropFirst().firstIndex { $0.device >= middle } ?? hull.count - 1
        let (a, b) = (hull[right - 1], hull[right])
        return (b.residual - a.residual) / (b.device - a.device)
    }
}

/// How messages' delays scatter, over all of them.
public struct DelayStatistics: Hashable, Sendable, Codable {
    /// Number of messages.
    public private(set) var count = 0
    /// Mean delay in seconds.
    public private(set) var mean: Seconds = 0
    /// Longest delay in seconds.
    public private(set) var largest: Seconds = 0
    private var squares = 0.0

    init() {}

    /// Standard deviation in seconds: the jitter.
    public var deviation: Seconds { count > 1 ? (squares / Double(count - 1)).squareRoot() : 0 }

    mutating func add(_ delay: Seconds) {
        count += 1
        let difference = delay - mean
        mean += difference / Double(count)
        squares += difference * (delay - mean)
        largest = max(largest, delay)
    }
}
