public import Signals

/// Heart-rate variability of intervals that are in memory, and its table.
///
/// ## Where programs disagree
///
/// Definitions are those of the papers named with each index. On the same intervals other programs differ for these
/// reasons; where none is given for an index, NeuroKit 0.2, antropy 0.2 and hrv-analysis agree with this one to
/// rounding.
///
/// | index | here | elsewhere |
/// |---|---|---|
/// | `pnn50`, `pnn20` | percent of the differences | NeuroKit divides by the number of intervals; HeartPy gives a fraction |
/// | `sdsd` | SD of the signed differences, n − 1 | HeartPy takes the SD of their sizes; hrv-analysis divides by n |
/// | `sdnn` | n − 1 | HeartPy divides by n; BioSPPy takes a trend out first |
/// | `meanHR` | mean of the rates of the intervals | Kubios: rate of the mean interval |
/// | `vlf`, `lf`, `hf` | ms², one Hann segment of up to 300 s, each bin cut at the band's edge | NeuroKit scales to a sum of 1 by default, and its segments are shorter; the PhysioNet toolbox sums whole bins |
/// | `lfLomb` … | integral is the variance | pyHRV and the PhysioNet toolbox do not multiply by the mean interval |
/// | `lfNu`, `hfNu` | percent of LF + HF | NeuroKit: fractions of the total power |
/// | `sd2` | root of 2 SDNN² − SDSD²/2 | NeuroKit and pyHRV: SD of the pairs' sums, which leaves out half of the first and last interval |
/// | `sd1Sd2` | SD1 / SD2 | Kubios, hrv-analysis and pyHRV print SD2 / SD1 (here `csi`) |
/// | `pip`, `pss`, `pas` | percent of intervals or differences | NeuroKit: fractions, `pss` and `pas` of the number of segments |
/// | `fuzzyEn` | membership exp(−(d/r)²), free of units | Chen et al. and NeuroKit: exp(−dⁿ/r), which depends on the unit |
/// | `shanEn` | of a histogram of 1/128 s | NeuroKit: of the distinct values |
/// | `lzc` | above the median | NeuroKit: above the mean |
/// | `dfaAlpha1` | boxes of 4 to 16, every size | NeuroKit and Kubios: 4 to 11 or 12; antropy: one exponent over all sizes |
/// | `apEn` | Pincus 1991, with self-matches | the PhysioNet toolbox's values follow another definition |
/// | `dc`, `ac` | changes up to 5 %, every anchor | the PhysioNet toolbox: up to 20 %, 30 intervals on either side |
public enum HRV {
    /// The windows of a series of NN intervals in order of time.
    /// - Throws: the first parameter that has no meaning.
    public static func windows(
        of intervals: [NN], parameters: HRVParameters = HRVParameters()
    ) throws(InvalidParameter) -> [HRVWindow] {
        var stage = try HRVStage(parameters)
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
        [
            Column("onset", unit: .seconds, "Start of the window from the start of the recording"),
            Column("duration", unit: .seconds, "Length of the window"),
            Column(
                "coverage", unit: .dimensionless,
                "Sum of the NN intervals whose beats both lie in the window over its length, 0 to 1"),
            Column("quality", unit: .dimensionless, "Quality of the signal in the window, 0 to 1"),
            Column("nBeats", unit: .dimensionless, "Number of beats that the intervals in the window join"),
            Column("nCorrected", unit: .dimensionless, "Number of intervals in the window that correction changed"),
        ] + HRVIndex.list(parameters).map { $0.column(parameters) }
    }

    /// The table of windows.
    /// - Parameters:
    ///   - windows: computed with `parameters`.
    ///   - quality: the quality of the signal in each window, 0…1; nil, or nil for a window, where it is not known.
    public static func table(
        _ windows: [HRVWindow], parameters: HRVParameters = HRVParameters(), quality: [Double?]? = nil
    ) -> Table {
        var table = Table(columns: columns(parameters))
        for (number, window) in windows.enumerated() {
            let known = quality.flatMap { $0.indices.contains(number) ? $0[number] : nil }
            table.append(
                [
                    .onset(window.onset), .onset(window.duration), .number(window.coverage), .optional(known),
                    .integer(window.nBeats), .integer(window.nCorrected),
                ] + window.values.map(Cell.optional))
        }
        return table
    }
}
