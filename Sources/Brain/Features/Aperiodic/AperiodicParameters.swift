/// How the 1/f background of a spectrum and the peaks above it are fitted.
public struct AperiodicParameters: Hashable, Codable, Sendable {
    /// The frequencies that are fitted, both edges included.
    public var range = EEGBand(2, 40)
    /// The narrowest and the widest peak, as bandwidths of two standard deviations in hertz.
    public var peakWidths = EEGBand(1, 12)
    /// The most peaks, 0…12.
    public var mostPeaks = 6
    /// How high a peak must be above the background, in log10 of power.
    public var leastHeight = 0.0
    /// How high a peak must be above what is left, in standard deviations of it.
    public var threshold = 2.0

    /// The default parameters: those of specparam, but for the number of peaks and, as epochs are short, narrowest width.
    public init() {}

    func check() throws(BrainError) {
        typealias Check = EEGFeatureParameters
        try Check.demand(range.isValid, "aperiodic.range", range.description, "a lower and a larger upper edge in Hz")
        try Check.demand(
            peakWidths.isValid && peakWidths.lower > 0, "aperiodic.peakWidths", peakWidths.description,
            "a narrowest width above 0 and a larger widest one in Hz")
        try Check.demand((0...12).contains(mostPeaks), "aperiodic.mostPeaks", mostPeaks, "0 to 12")
        try Check.demand(leastHeight >= 0, "aperiodic.leastHeight", leastHeight, "0 or more")
        try Check.demand(threshold >= 0, "aperiodic.threshold", threshold, "0 or more")
    }
}
