public import Devices
public import Signals

/// Places the values of an irregular stream in time, as they arrive: by the device's stamps where it has any, mapped to
/// the host's clock, else by their arrival and age. Times never run backwards, and none is later than its arrival.
///
/// Stamps of the host's clock are kept, also where they step back.
///
/// Values that are stamped by a clock which only just began are held back until it is known better (`ValueOpening`).
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
    private var opening = ValueOpening()
    /// What was held back by a clock that is no more, with its times.
    private var settled: [TimedValue] = []
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

    /// When what is held back is due, in seconds from the recording's start; infinity where nothing is.
    public var due: Seconds { settled.isEmpty ? opening.due : -.infinity }

    /// The connection began anew; the device's clock may have, too.
    public mutating func interrupt() {
        settle(by: fit.line)
        fit.restart()
        beats = BeatPhase()
        previous = nil
    }

    /// The device's clock, as its stamps tell, was set by so many seconds at `moment`, in seconds from the recording's start.
    public mutating func jumped(by jump: Seconds, at moment: Seconds) {
        settle(by: fit.line)
        fit.restart()
        report_.jumped(moment, by: jump)
        report_.restarts += 1
    }

    /// Places values that arrived at `moment`, in seconds from the recording's start.
    /// - Parameter shared: the fit of the device's clock, where other streams of the device bear the same stamps.
    public mutating func place(
        _ values: [DeviceValue], arrived moment: Seconds, shared: ClockFit? = nil
    ) -> [TimedValue] {
        guard moment.isFinite else { return [] }
        if clock == .beats { return placeBeats(values, at: moment) }
        if clock != .host { observe(values, at: moment, shared) }
        guard clock == .deviceTime else { return values.compactMap { place($0, at: moment, (shared ?? fit).line) } }
        opening.hold(values, arrived: moment, until: shared ?? fit)
        return release(at: moment, shared: shared)
    }

    /// What was held back and is due at `moment`, all of it at infinity.
    public mutating func release(at moment: Seconds, shared: ClockFit? = nil) -> [TimedValue] {
        defer { settled = [] }
        return moment < opening.due ? settled : settled + placeHeld(by: (shared ?? fit).line)
    }

    /// The clock begins anew: what is held back bears stamps of the one that ran by `line`.
    mutating func settle(by line: ClockFit.Line) {
        settled += placeHeld(by: line)
        previous = nil
    }

    private mutating func placeHeld(by line: ClockFit.Line) -> [TimedValue] {
        opening.release().flatMap { held in held.values.compactMap { place($0, at: held.arrival, line) } }
    }

    private mutating func placeBeats(_ values: [DeviceValue], at moment: Seconds) -> [TimedValue] {
        runs(of: values).flatMap { run in
            if !continues(run[0]) { interrupt() }
            // What was held up, or held, counts from when it would have come.
            if let newest = run.last(where: { $0.deviceTime != nil }), let time = newest.deviceTime {
                beats.observe(time, arrived: moment - (newest.age.isFinite ? max(0, newest.age) : 0))
            }
            return run.compactMap { place($0, at: moment, fit.line) }
        }
    }

    private mutating func place(_ value: DeviceValue, at moment: Seconds, _ line: ClockFit.Line) -> TimedValue? {
        guard value.values.count == channelCount else { return nil }
        var onset = moment - (value.age.isFinite ? max(0, value.age) : 0)
        if let time = value.deviceTime, time.isFinite {
            let isFirst = previous == nil && clock == .beats
            onset = self.onset(of: time, at: moment, line)
            if isFirst { onset = apart(onset, value.values[0], latest: min(moment, beats.latest(of: time))) }
        }
        // A stamp far from its arrival says nothing.
        if onset < moment - 86_400 { onset = moment }
        if clock == .host, let time = value.deviceTime, time.isFinite {
            last = max(last, onset)
            return TimedValue(onset: onset, values: value.values)
        }
        last = max(last, min(onset, moment))
        if let time = value.deviceTime, time.isFinite { previous = (time, last) }
        return TimedValue(onset: last, values: value.values)
    }

    private mutating func observe(_ values: [DeviceValue], at moment: Seconds, _ known: ClockFit?) {
        guard let newest = values.compactMap(\.deviceTime).filter(\.isFinite).max() else { return }
        if let known {
            // The streams that are sampled tell when the clock was set. Values that come late for a while, as beats do
            // after a pause, tell nothing of it.
            let delay = moment - known.host(of: newest)
            if delay <= ClockFit.latest { delays.add(max(0, delay)) }
            shared = known
            return
        }
        let before = fit.line
        guard case .jumped(let jump) = fit.observe(newest, arrived: moment) else { return }
        settle(by: before)
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

    private func onset(of time: Seconds, at moment: Seconds, _ line: ClockFit.Line) -> Seconds {
        if clock == .host { return time }
        let mapped = clock == .beats ? beats.host(of: time) : line.host(of: time)
        guard let previous else { return clock == .beats ? beats.earliest(of: time) : mapped }
        let step = time - previous.device
        let correction = mapped - previous.onset - step
        guard (0...Self.longestStep).contains(step), abs(correction) <= Self.largestCorrection else { return mapped }
        let most = Self.fastestSlew * min(step, 1)
        let onset = previous.onset + step + min(max(correction, -most), most)
        return clock == .beats ? min(onset, beats.latest(of: time)) : onset
    }
}
