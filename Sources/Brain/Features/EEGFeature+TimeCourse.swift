import Signals

extension EEGFeature {
    static let timeCourse: [EEGFeature] = [
        EEGFeature(
            "hjorthActivity", Unit("µV²"), .hjorth, "Variance of the epoch.", reference: hjorth
        ) { $0.hjorth?.activity },
        EEGFeature(
            "hjorthMobility", Unit("1/s"), .hjorth,
            "Standard deviation of the slope over that of the signal; the slope is the difference of successive samples times the sample rate.",
            reference: hjorth
        ) { $0.hjorth?.mobility },
        EEGFeature(
            "hjorthComplexity", .dimensionless, .hjorth,
            "Mobility of the slope over mobility of the signal; 1 for a pure sine.", reference: hjorth
        ) { $0.hjorth?.complexity },
        EEGFeature(
            "permutationEntropy", .dimensionless, .complexity,
            "Entropy of the order of {order} successive values, as a share of the greatest possible, 0 to 1; equal values rank by their place.",
            reference: "Bandt & Pompe 2002, Physical Review Letters 88:174102"
        ) { $0.permutationEntropy },
        EEGFeature(
            "sampleEntropy", Unit("nat"), .complexity,
            "−ln of the share of matching pairs of patterns of {dimension} values that still match with one value more; values match within {tolerance} standard deviations of the epoch.",
            reference: "Richman & Moorman 2000, American Journal of Physiology 278:H2039",
            leastData: "pairs of patterns that match"
        ) { $0.sampleEntropy },
        EEGFeature(
            "higuchiDimension", .dimensionless, .complexity,
            "Higuchi's fractal dimension, lags 1 to {lag} samples: the slope of ln length over ln 1/lag.",
            reference: "Higuchi 1988, Physica D 31:277"
        ) { $0.higuchi },
    ]

    static let background: [EEGFeature] = [
        EEGFeature(
            "aperiodicOffset", Unit("log10(µV²/Hz)"), .aperiodic,
            "log10 of the density of the 1/f background at 1 Hz, fitted from {fit}.", reference: donoghue,
            leastData: fitted
        ) { $0.aperiodic?.offset },
        EEGFeature(
            "aperiodicExponent", .dimensionless, .aperiodic,
            "Exponent of the 1/f background: density falls with frequency to its power; fitted from {fit}.",
            reference: donoghue, leastData: fitted
        ) { $0.aperiodic?.exponent },
        EEGFeature(
            "aperiodicR2", .dimensionless, .aperiodic,
            "Squared correlation of log10 density and the model of background and peaks.", reference: donoghue,
            leastData: fitted
        ) { $0.aperiodic?.rSquared },
        EEGFeature(
            "periodicPeaks", .dimensionless, .aperiodic, "Number of peaks above the 1/f background.",
            reference: donoghue, leastData: fitted
        ) { $0.aperiodic.map { Double($0.peaks.count) } },
        EEGFeature(
            "peakFrequency", .hertz, .aperiodic, "Centre of the peak highest above the 1/f background.",
            reference: donoghue, leastData: "a peak"
        ) { $0.highestPeak?.frequency },
        EEGFeature(
            "peakPower", Unit("log10(µV²/Hz)"), .aperiodic,
            "Height of the highest peak above the 1/f background, in log10 of density.", reference: donoghue,
            leastData: "a peak"
        ) { $0.highestPeak?.power },
        EEGFeature(
            "peakBandwidth", .hertz, .aperiodic, "Two standard deviations of the highest peak.", reference: donoghue,
            leastData: "a peak"
        ) { $0.highestPeak?.bandwidth },
    ]

    private static let hjorth = "Hjorth 1970, Electroencephalography and Clinical Neurophysiology 29:306"
    private static let donoghue = "Donoghue et al. 2020, Nature Neuroscience 23:1655 (specparam)"
    private static let fitted = "density above 0 at every bin from {fit}"
}
