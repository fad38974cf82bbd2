public import Devices
public import Signals

/// Places the values of an irregular stream in time, as they arrive: by the device's stamps where it has any, mapped to
/// the host's clock, else by their arrival and age. Times never run backwards, and none is later than its arrival.
public struct ValueTimeline: Sendable {
    private let channelCount: Int
    /// What the stream's times rest on.
    public let clock: DeviceClock
    private var fit = ClockFit()
    private var report_: ClockReport
    private var last: Seconds = -.infinity

    /// A timeline of a stream stamped by `clock`.
    public init(_ header: StreamHeader, clock: DeviceClock) {
        (channelCount, self.clock) = (header.channels.count, clock)
        report_ = ClockReport(clock: clock.rawValue)
    }

    /// What was measured of the clock.
    public var report: ClockReport {
        var report = report_
        report.measure(fit, nominalRate: 0)
        return report
    }

    /// The connection began anew; the device's clock may have, too.
    public mutating func interrupt() {
        fit.restart()
    }

    /// Places values that arrived at `moment`, in seconds from the recording's start.
    public mutating func place(_ values: [DeviceValue], arrived moment: Seconds) -> [TimedValue] {
        guard moment.isFinite else { return [] }
        if clock != .host, let newest = values.compactMap(\.deviceTime).filter(\.isFinite).max(),
            case .jumped(let jump) = fit.observe(newest, arrived: moment)
        {
            report_.jumped(moment, by: jump)
            report_.restarts += 1
        }
        return values.compactMap { value in
            guard value.values.count == channelCount else { return nil }
            var onset = moment - (value.age.isFinite ? max(0, value.age) : 0)
            if let time = value.deviceTime, time.isFinite { onset = clock == .host ? time : fit.host(of: time) }
            // A stamp far from its arrival says nothing.
            if onset < moment - 86_400 { onset = moment }
            last = max(last, min(onset, moment))
            return TimedValue(onset: last, values: value.values)
        }
    }

    /// When something the device stamped happened, by the same clock; the arrival when that is not known.
    public func onset(ofDeviceTime time: Seconds?, arrived moment: Seconds) -> Seconds {
        guard let time, time.isFinite, !fit.isEmpty else { return moment }
        let onset = fit.host(of: time)
        return onset > moment - 3_600 ? min(onset, moment) : moment
    }
}
