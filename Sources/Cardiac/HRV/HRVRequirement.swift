public import Signals

/// Data that an index needs.
public enum HRVRequirement: Hashable, Sendable {
    /// So many measured intervals.
    case intervals(Int)
    /// So many differences between successive measured intervals.
    case differences(Int)
    /// So many intervals in a row, without a gap; interpolated ones count.
    case run(Int)
    /// No more than so many intervals in a row: the time to compute grows with the square of their number.
    case runAtMost(Int)
    /// A stretch without a gap that lasts so long, in seconds.
    case runDuration(Seconds)
    /// A stretch that the estimator resolves, of so many seconds: a segment of Welch's method, the longest run without a
    /// gap for an autoregressive model, first to last beat for Lomb-Scargle. Intervals that the window's ends cut count
    /// with the part that lies in it, so that a window of as many seconds without a gap suffices.
    case spectrum(SpectralMethod, Seconds)
    /// A setting of Welch's method that lets segments be so many seconds long.
    case welchSegment(Seconds)
    /// So many stretches of `duration` seconds that lie wholly in the window, each at least half covered by measured
    /// intervals.
    case segments(Int, duration: Seconds)

    /// What is found where too little is; nil where there is enough.
    func shortfall(in series: HRVSeries) -> Double? {
        func below(_ found: Double, _ least: Double) -> Double? { found < least ? found : nil }
        switch self {
        case .intervals(let count): return below(Double(series.nn.count), Double(count))
        case .differences(let count): return below(Double(series.differences.count), Double(count))
        case .run(let count): return below(Double(series.longestRun.count), Double(count))
        case .runAtMost(let count):
            return series.longestRun.count > count ? Double(series.longestRun.count) : nil
        case .runDuration(let duration): return below(series.longestSpan, duration)
        case .spectrum(let method, let duration):
            // Times are kept to 0.1 ms.
            let found = series.resolvedDuration(method)
            return found < duration - 1e-6 ? found : nil
        case .welchSegment(let duration):
            // Where the data are too short themselves the setting is not what is missing.
            return series.longestSpan < duration - 1e-6 ? nil : below(series.parameters.welchSegment, duration)
        case .segments(let count, let duration):
            return below(Double(series.segments(of: duration).count), Double(count))
        }
    }
}

extension HRVRequirement: CustomStringConvertible {
    /// Whether it asks for so many seconds.
    var isDuration: Bool {
        switch self {
        case .runDuration, .spectrum, .welchSegment: true
        case .intervals, .differences, .run, .runAtMost, .segments: false
        }
    }

    /// In words for the reader.
    public var description: String {
        switch self {
        case .intervals(let count): "\(count) measured intervals"
        case .differences(let count): "\(count.counted("difference")) between successive measured intervals"
        case .run(let count): "\(count) intervals in a row without a gap"
        case .runAtMost(let count): "at most \(count) intervals in a row"
        case .runDuration(let duration): "a stretch of \(Int(duration)) s without a gap"
        case .spectrum(.welch, let duration): "segments of \(Int(duration)) s without a gap"
        case .spectrum(.lomb, let duration): "\(Int(duration)) s from the first beat to the last"
        case .spectrum(.autoregressive, let duration): "a stretch of \(Int(duration)) s without a gap"
        case .welchSegment(let duration):
            "hrv.welchSegment of \(Int(duration)) s or more (the Lomb-Scargle column does without)"
        case .segments(let count, let duration):
            "\(count) whole stretches of \(Int(duration / 60)) min that are at least half covered"
        }
    }
}

/// Why an index has no value in a window.
public enum HRVMissing: Error, Hashable, Sendable, CustomStringConvertible {
    /// The intervals cover too little of the window.
    case lowCoverage(Double, least: Double)
    /// The index needs more data than the window has.
    case unmet(HRVRequirement, found: Double)
    /// Its formula has no value for these data: a ratio to zero, a pattern that never occurs.
    case undefined

    /// In words for the reader.
    public var description: String {
        func number(_ value: Double) -> String {
            value == value.rounded() ? String(Int(value)) : roundedDown(value)
        }
        switch self {
        case .lowCoverage(let found, let least):
            return "coverage \(Percentage(found, below: least)) is below \(Percentage(least))"
        case .unmet(let need, let found):
            return "needs \(need); found \(number(found))" + (need.isDuration ? " s" : "")
        case .undefined: return "not defined for these intervals"
        }
    }
}

/// In hundredths, never above the value: what is too little must not read as enough.
func roundedDown(_ value: Double) -> String { String((value * 100 + 1e-7).rounded(.down) / 100) }

/// In hundredths, never below the value: what is too much must not read as allowed.
func roundedUp(_ value: Double) -> String { String((value * 100 - 1e-7).rounded(.up) / 100) }

/// In hundredths.
func roundedToHundredths(_ value: Double) -> String { String((value * 100).rounded() / 100) }
