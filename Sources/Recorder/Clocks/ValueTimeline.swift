public import Devices
public import Signals

/// Places the values of an irregular stream in time, as they arrive: by the device's stamps where it has any, mapped to
/// the host's clock, else by their arrival and age. Times never run backwards, and none is later than its arrival.
///
/// As the mapping becomes better known, times come nearer to it by `fastestSlew` at most, so that what was contiguous on
/// the device stays so: the distance of two beats is the interval between them.
public struct ValueTimeline: Sendable {
    private let channelCount: Int
    /// What the stream's times rest on.
    public let clock: DeviceClock
    private var fit = ClockFit()
    /// The fit of the device's clock as it was last, where other streams bear the same stamps, and how much later than by
    /// it values arrived.
    private var shared: ClockFit?
    private var delays = DelayStatistics()
    private var beats = BeatPhase()
    private var report_: ClockReport
    private var last: Seconds = -.infinity
    /// The last stamp and where it was placed.
    private var previous: (device: Seconds, onset: Seconds)?

    /// Seconds by which a time may come nearer to its mapping per second of device time, and per value.
    public static let fastestSlew: Seconds = 0.004
    /// Stamps further apart than this, in seconds, or a mapping further off, are a new beginning.
    private static let longestStep: Seconds = 60
    private static let largestCorrection: Seconds = 1.5
    /// By how many seconds, at least, the first beat of a run is off from where it would follow the last of the run
    /// before: more than rounding and slewing make of beats that do follow each other.
    private static let leastBreak: Seconds = 0.05

    /// A timeline of a stream stamped by `clock`.
    public init(_ header: StreamHeader, clock: DeviceClock) {
        (channelCount, self.clock) = (header.channels.count, clock)
        report_ = ClockReport(clock: clock.rawValue)
    }

    /// What was measured of the clock.
    public var report: ClockReport {
        var report = report_
        if clock != .beats {
            report.measure(shared ?? fit, delay: shared == nil ? fit.delay : delays, nominalRate: 0)
        }
        return report
    }

    /// The connection began anew; the device's clock may have, too.
    public mutating func interrupt() {
        fit.restart()
        beats = BeatPhase()
        previous = nil
    }

    /// Places values that arrived at `moment`, in seconds from the recording's start.
    /// - Parameter shared: the fit of the device's clock, where other streams of the device bear the same stamps.
    public mutating func place(
        _ values: [DeviceValue], arrived moment: Seconds, shared: ClockFit? = nil
    ) -> [TimedValue] {
        guard moment.isFinite else { return [] }
        guard clock == .beats else {
            observe(values, at: moment, shared)
            return values.compactMap { place($0, at: moment, shared) }
        }
        return runs(of: values).flatMap { run in
            if !continues(run[0]) { interrupt() }
            // What was held up, or held, counts from when it would have come.
            if let newest = run.last(where: { $0.deviceTime != nil }), let time = newest.deviceTime {
                beats.observe(time, arrived: moment - (newest.age.isFinite ? max(0, newest.age) : 0))
            }
            return run.compactMap { place($0, at: moment, nil) }
        }
    }

    private mutating func place(_ value: DeviceValue, at moment: Seconds, _ shared: ClockFit?) -> TimedValue? {
        guard value.values.count == channelCount else { return nil }
        var onset = moment - (value.age.isFinite ? max(0, value.age) : 0)
        if let time = value.deviceTime, time.isFinite {
            let isFirst = previous == nil && clock == .beats
            onset = self.onset(of: time, at: moment, shared)
            if isFirst { onset = apart(onset, value.values[0], latest: min(moment, beats.latest(of: time))) }
        }
        // A stamp far from its arrival says nothing.
        if onset < moment - 86_400 { onset = moment }
        last = max(last, min(onset, moment))
        if let time = value.deviceTime, time.isFinite { previous = (time, last) }
        return TimedValue(onset: last, values: value.values)
    }

    private mutating func observe(_ values: [DeviceValue], at moment: Seconds, _ known: ClockFit?) {
        guard clock != .host, let newest = values.compactMap(\.deviceTime).filter(\.isFinite).max() else { return }
        if let known {
            // The streams that are sampled tell when the clock was set. Values that come late for a while, as beats do
            // after a pause, tell nothing of it.
            let delay = moment - known.host(of: newest)
            if delay <= ClockFit.latest { delays.add(max(0, delay)) }
            shared = known
            return
        }
        guard case .jumped(let jump) = fit.observe(newest, arrived: moment) else { return }
        report_.jumped(moment, by: jump)
        report_.restarts += 1
    }

    // MARK: runs of beats

    /// Beats of which each follows the one before by its interval.
    private func runs(of values: [DeviceValue]) -> [[DeviceValue]] {
        var runs: [[DeviceValue]] = []
        for value in values where value.deviceTime?.isFinite ?? true {
            if let before = runs.last?.last, Self.follows(value, before.deviceTime) {
                runs[runs.count - 1].append(value)
            } else {
                runs.append([value])
            }
        }
        return runs
    }

    private func continues(_ value: DeviceValue) -> Bool { Self.follows(value, previous?.device) }

    private static func follows(_ value: DeviceValue, _ before: Seconds?) -> Bool {
        guard let before, let time = value.deviceTime, let interval = value.values.first else { return false }
        return abs(time - before - interval) < 1e-6
    }

    /// Where a run begins, it may not look by chance as if its first beat followed the last one by its interval; beats
    /// are missing there, so it rather comes later.
    private func apart(_ onset: Seconds, _ interval: Seconds, latest: Seconds) -> Seconds {
        let joined = last + interval
        guard joined.isFinite, onset < joined + Self.leastBreak else { return onset }
        let later = joined + Self.leastBreak
        return later <= latest ? later : min(onset, joined - Self.leastBreak)
    }

    private func onset(of time: Seconds, at moment: Seconds, _ shared: ClockFit?) -> Seconds {
        if clock == .host { return time }
        let mapped = clock == .beats ? beats.host(of: time) : (shared ?? fit).host(of: time)
        guard let previous else { return clock == .beats ? beats.earliest(of: time) : mapped }
        let step = time - previous.device
        let correction = mapped - previous.onset - step
        guard (0...Self.longestStep).contains(step), abs(correction) <= Self.largestCorrection else { return mapped }
        let most = Self.fastestSlew * min(step, 1)
        let onset = previous.onset + step + min(max(correction, -most), most)
        return clock == .beats ? min(onset, beats.latest(of: time)) : onset
    }
}

/// Where running sums of intervals lie on the host's clock, when all that is known is that each message came within a
/// second after its newest beat.
///
/// The message that came soonest after its beat tells most: of n delays spread evenly over a second the shortest is
/// 1/(n + 1) s on average.
struct BeatPhase: Sendable {
    private var least: Seconds = 0
    private var lastArrival: Seconds = 0
    private var count = 0.0

    private static let period: Seconds = 1
    /// No crystal is worse than this.
    private static let fastestDrift = 200e-6
    /// Seconds by which beats are rather placed too early, so that a message that comes sooner after its beat than any
    /// before does not break their chain.
    private static let margin: Seconds = 0.06

    mutating func observe(_ newest: Seconds, arrived moment: Seconds) {
        let observed = moment - newest
        least = count == 0 ? observed : min(observed, least + max(0, moment - lastArrival) * Self.fastestDrift)
        lastArrival = moment
        count += 1
    }

    /// Host time of a beat: a little earlier than is likeliest, by less and less as messages come.
    func host(of time: Seconds) -> Seconds {
        time + least - max(Self.margin, Self.period * min(1, 4 / (count + 1)))
    }

    /// The latest it can be.
    func latest(of time: Seconds) -> Seconds { time + least }

    /// The earliest it can be: a run that begins there need never be set back.
    func earliest(of time: Seconds) -> Seconds { time + least - Self.period }
}
