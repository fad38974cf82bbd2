public import Signals
import Synchronization

/// Heart-rate variability of intervals that are in memory, and its table.
///
/// Definitions are those of the papers named with each index; where other programs differ is told by
/// `HRVDefinitions.disagreements` and in `docs/hrv-definitions.md`.
public enum HRV {
    /// The windows of a series of NN intervals in order of time.
    /// - Parameter signal: the time in which beats were sought, where that is known (`HRVStage.cover`).
    /// - Throws: the first parameter that has no meaning.
    public static func windows(
        of intervals: [NN], in signal: Range<Seconds>? = nil, parameters: HRVParameters = HRVParameters()
    ) throws(InvalidParameter) -> [HRVWindow] {
        var stage = try HRVStage(parameters)
        if let signal { stage.cover(signal) }
        var windows: [HRVWindow] = []
        stage.push(intervals.span, into: &windows)
        stage.finish(into: &windows)
        return windows
    }

    /// The windows of intervals that were not corrected.
    /// - Throws: the first parameter that has no meaning.
    public static func windows(
        of intervals: [IBI], parameters: HRVParameters = HRVParameters()
    ) throws(InvalidParameter) -> [HRVWindow] {
        try windows(of: intervals.map(NN.init), parameters: parameters)
    }

    /// The columns of the table of windows: where a window is, what it rests on, and the indexes that `parameters`
    /// asks for.
    public static func columns(_ parameters: HRVParameters = HRVParameters()) -> [Column] {
        // A batch asks for the same columns thousands of times.
        latestColumns.withLock { latest in
            if let latest, latest.parameters == parameters { return latest.columns }
            let columns = declaredColumns(parameters)
            latest = (parameters, columns)
            return columns
        }
    }

    private static let latestColumns = Mutex<(parameters: HRVParameters, columns: [Column])?>(nil)

    private static func declaredColumns(_ parameters: HRVParameters) -> [Column] {
        [
            Column("onset", unit: .seconds, "Start of the window from the start of the recording"),
            Column("duration", unit: .seconds, "Length of the window; a long gap is one window"),
            Column(
                "coverage", unit: .dimensionless,
                "Sum of the NN intervals whose beats both lie in the window over its length, 0 to 1, without those "
                    + "where quality drops the signal; below \(parameters.minimumCoverage) no index is given"),
            Column(
                "quality", unit: .dimensionless,
                "Quality of the signal in the window, 0 to 1: the mean of the quality windows whose middle lies in it"),
            Column("nBeats", unit: .dimensionless, "Number of beats that the intervals in the window join"),
            Column(
                "nCorrected", unit: .dimensionless,
                "Number of intervals in the window that correction changed or put in; those it took out are in desc-corrections"
            ),
            Column(
                "nEstimated", unit: .dimensionless,
                "Number of intervals in the window that were estimated from their neighbours: statistics of time and "
                    + "Lomb-Scargle leave them out, the other spectra bridge them, entropies and scaling exponents take them"
            ),
            Column(
                "spectrumReason",
                "Why spectra of the window are suspect; estimates: they bridge more than 2 % of its intervals, estimated ones and "
                    + "those that do not fit the rhythm around them"),
        ] + HRVIndex.columns(parameters)
    }

    /// The rows of `HRVRows`, in memory.
    public static func table(
        _ windows: [HRVWindow], parameters: HRVParameters = HRVParameters(), quality: [Double?]? = nil
    ) -> Table {
        Table(HRVRows(windows, parameters: parameters, quality: quality))
    }
}
