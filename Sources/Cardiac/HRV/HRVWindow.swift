public import Signals

/// The heart-rate variability of one window.
public struct HRVWindow: Hashable, Sendable {
    /// Where the window begins, in seconds from the recording's start.
    public var onset: Seconds
    /// How long it is, in seconds; longer than a window where a long gap is one.
    public var duration: Seconds
    /// The share of it that the NN intervals inside it cover, 0…1.
    public var coverage: Double
    /// How many beats the intervals inside it join.
    public var nBeats: Int
    /// How many of the intervals inside it correction changed.
    public var nCorrected: Int
    /// The number of them that are estimates from their neighbours, with no measurement behind them.
    public var nEstimated: Int
    /// Why its spectra are suspect; nil where they are not.
    public var spectrumDoubt: HRVSpectrumDoubt?
    /// The indexes in the order of `HRVIndex.list`; nil where an index has no value.
    public private(set) var values: HRVValues
    /// Why an index has no value, in the order of `values`; nil where it has one.
    public private(set) var missing = HRVReasons()

    /// Why no index has a value; nil where one has, or the reasons differ.
    public var commonReason: HRVMissing? {
        guard let first = missing.first, missing.allSatisfy({ $0 == first }) else { return nil }
        return first
    }

    /// Computes the indexes of one window from the intervals that lie inside it.
    init(_ series: HRVSeries, indexes: [HRVIndex]) {
        onset = series.onset
        duration = series.duration
        coverage = series.coverage
        nBeats = series.intervals.count + series.runs.count
        nCorrected = series.intervals.reduce(0) { $0 + ($1.isCorrected ? 1 : 0) }
        nEstimated = series.intervals.reduce(0) { $0 + ($1.status == .interpolated ? 1 : 0) }
        let bridged = series.parameters.domains.contains(.frequency) ? nEstimated + series.setAside : 0
        let isDoubtful = Double(bridged) > HRVSpectrumDoubt.mostEstimated * Double(series.intervals.count)
        spectrumDoubt = isDoubtful ? .estimates : nil
        values = HRVValues(capacity: indexes.count)
        let least = series.parameters.minimumCoverage
        for index in indexes {
            let result = coverage >= least ? index.value(of: series) : .failure(.lowCoverage(coverage, least: least))
            switch result {
            case .success(let value):
                values.append(value)
                missing.append(nil)
            case .failure(let reason):
                values.append(nil)
                missing.append(reason)
            }
        }
    }
}

/// Why the spectra of a window are suspect.
public enum HRVSpectrumDoubt: String, Codable, CaseIterable, Sendable {
    /// Spectra bridge more than 2 % of its intervals: estimates of correction, and those that do not fit the rhythm
    /// around them.
    case estimates

    /// The share of bridged intervals up to which LF and HF are within 10 % of those without premature beats.
    static let mostEstimated = 0.02
}
