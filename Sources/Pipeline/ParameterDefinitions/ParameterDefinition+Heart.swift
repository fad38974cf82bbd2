extension ParameterDefinition {
    /// Beats and intervals.
    static let beats: [ParameterDefinition] = [
        ParameterDefinition(
            "ecg.refractoryPeriod", "s", .between(0, 2),
            "No two beats of an ECG are nearer than this."),
        ParameterDefinition(
            "ecg.longestBridge", "s", .between(0, 1),
            "The longest run of missing samples of an ECG that is bridged by a straight line."),
        ParameterDefinition(
            "ecg.fiducial", "", .words,
            "Which point of a QRS complex is its beat: the top of the largest deflection from the baseline, upward or downward, or the R wave, the largest upward one."
        ),
        ParameterDefinition(
            "bvp.fiducial", "", .words,
            "Which moment of a pulse is its beat: the peak placed from the upstroke, the pulse's own maximum, the steepest point of the upstroke, or the foot."
        ),
        ParameterDefinition(
            "bvp.polarity", "", .words,
            "The polarity of the pulses; `automatic` decides from their shape, once for each contact of the sensor."),
        ParameterDefinition(
            "bvp.shortestInterval", "s", .between(0.05, 5),
            "The time under which two pulses cannot follow each other."),
        ParameterDefinition(
            "bvp.longestInterval", "s", .told("above `bvp.shortestInterval`, at most 30"),
            "The time after which a missing pulse breaks the series."),
        ParameterDefinition(
            "bvp.leastConfidence", "", .between(0, 1),
            "The confidence under which a pulse is not told."),
        ParameterDefinition(
            "bvp.longestDropout", "s", .between(0, 3),
            "The longest run of missing samples over which the search for pulses goes on; no beat is told within it."),
        ParameterDefinition(
            "correction.method", "", .words,
            "The rule that finds wrong intervals, by Lipponen & Tarvainen 2019 unless told otherwise; `none` keeps all."
        ),
        ParameterDefinition(
            "correction.alpha", "quartile deviations", .between(0.1, 100),
            "Of `lipponenTarvainen`: the threshold of the classes of artefacts, over the 91 differences around a beat."),
        ParameterDefinition(
            "correction.c1", "", .between(0, 10),
            "Of `lipponenTarvainen`: slope of the line beyond which a beat is ectopic."),
        ParameterDefinition("correction.c2", "", .between(0, 10), "Of `lipponenTarvainen`: offset of that line."),
        ParameterDefinition(
            "correction.threshold", "s", .between(0.001, 10),
            "Of `threshold`: how far an interval may lie from the median of the eleven around it."),
        ParameterDefinition(
            "correction.quotient", "share", .between(0.001, 1),
            "Of `quotient`: by how much an interval may differ from the medians of the five before it and of the five after it."
        ),
        ParameterDefinition(
            "correction.longestInterpolation", "intervals", .between(1, 1000),
            "The longest stretch of wrong intervals whose lengths are estimated; a longer one is left out and breaks the series."
        ),
    ]

    /// Heart-rate variability.
    static let variability: [ParameterDefinition] = [
        ParameterDefinition(
            "hrv.window", "s", .between(10, 10_000_000),
            "Length of a window; `whole` is one window over the whole recording."),
        ParameterDefinition(
            "hrv.step", "s", .between(0.1, 10_000_000),
            "From the start of a window to the start of the next."),
        ParameterDefinition(
            "hrv.minimumCoverage", "share", .between(0, 1),
            "The least share of a window with intervals at which its indexes are computed."),
        ParameterDefinition(
            "hrv.minimumSeconds.meanHR", "s", .between(0, 10_000_000),
            "Seconds of accepted intervals from which on a condition has a mean heart rate, over all of them."),
        ParameterDefinition(
            "hrv.minimumSeconds.meanNN", "s", .between(0, 10_000_000),
            "The same for the mean NN interval of a condition."),
        ParameterDefinition(
            "hrv.minimumSeconds.rmssd", "s", .between(0, 10_000_000), "The same for RMSSD of a condition."),
        ParameterDefinition("hrv.domains", "", .words, "The families of indexes that are computed."),
        ParameterDefinition(
            "hrv.indexes", "", .told("names of indexes ([hrv-definitions.md](hrv-definitions.md))"),
            "The only indexes that are computed; none means all that `hrv.domains` and `hrv.spectralMethods` leave."),
        ParameterDefinition(
            "hrv.bands.ulf", "Hz", .told("two edges, the lower first"),
            "Edges of the ultra-low frequency band; bands may adjoin, not overlap, and end at half of `hrv.resamplingRate`."
        ),
        ParameterDefinition(
            "hrv.bands.vlf", "Hz", .told("two edges, the lower first"),
            "Edges of the very low frequency band."),
        ParameterDefinition(
            "hrv.bands.lf", "Hz", .told("two edges, the lower first"),
            "Edges of the low frequency band."),
        ParameterDefinition(
            "hrv.bands.hf", "Hz", .told("two edges, the lower first"),
            "Edges of the high frequency band."),
        ParameterDefinition(
            "hrv.bands.vhf", "Hz", .told("two edges, the lower first"),
            "Edges of the very high frequency band."),
        ParameterDefinition(
            "hrv.spectralMethods", "", .words,
            "The estimators of the spectrum: Welch's has the plain names of columns (`lf`), the others `lfLomb` and `lfAR`."
        ),
        ParameterDefinition(
            "hrv.resamplingRate", "Hz", .between(1, 100),
            "Rate of the evenly spaced series for Welch's and the autoregressive spectrum."),
        ParameterDefinition(
            "hrv.welchSegment", "s", .between(10, 1_000_000),
            "The longest segment of Welch's method; segments overlap by half. VLF needs 240: 300 is the default of earlier versions."
        ),
        ParameterDefinition("hrv.autoregressiveOrder", "", .between(1, 256), "Order of the autoregressive model."),
        ParameterDefinition(
            "hrv.detrending", "", .words,
            "What is taken out of the series before a spectrum is computed."),
        ParameterDefinition(
            "hrv.smoothness", "", .above(0, atMost: 1_000_000_000),
            "Of `smoothnessPriors`: how smooth the trend is."),
        ParameterDefinition(
            "hrv.entropyDimension", "intervals", .between(1, 10),
            "Length of the patterns that entropies compare."),
        ParameterDefinition(
            "hrv.entropyTolerance", "standard deviations", .above(0, atMost: 10),
            "How far intervals may differ and still match in entropies."),
        ParameterDefinition(
            "hrv.prsaLimit", "share", .above(0, atMost: 10),
            "By how much an interval may differ from the one before and still anchor deceleration or acceleration capacity."
        ),
        ParameterDefinition(
            "hrv.prsaMargin", "intervals", .between(2, 10_000),
            "How many intervals an anchor needs before it and after it."),
        ParameterDefinition(
            "hrv.dfaShort", "beats", .told("a rising pair within 3 to 10000"),
            "Sizes of the boxes of the short-term scaling exponent."),
        ParameterDefinition(
            "hrv.dfaLong", "beats", .told("a rising pair within 3 to 10000"),
            "Sizes of the boxes of the long-term scaling exponent."),
    ]

    /// Rhythm and respiration.
    static let rhythm: [ParameterDefinition] = [
        ParameterDefinition(
            "rhythm.minimumDuration", "s", .between(0, 3600),
            "Minimum duration of a gap-free segment with a rhythm; 0 with `rhythm.minimumIntervals` 1 gives a rhythm to any."
        ),
        ParameterDefinition(
            "rhythm.minimumIntervals", "intervals", .between(1, 1000),
            "Minimum number of intervals of a gap-free segment with a rhythm."),
        ParameterDefinition(
            "rhythm.irregularIntervals", "intervals", .between(12, 1000),
            "How many intervals irregularity is judged over."),
        ParameterDefinition(
            "rhythm.fewestIrregularIntervals", "intervals", .told("8 to `rhythm.irregularIntervals`"),
            "Fewer in one piece are never called irregular."),
        ParameterDefinition(
            "rhythm.irregularFrom", "share of the mean interval", .between(0.001, 1),
            "Irregular from this sparsity of the Poincaré plot on; in proportion less in a rhythm above `rhythm.tachycardiaRate`, down to 0.6 of it."
        ),
        ParameterDefinition(
            "rhythm.irregularUntil", "share of the mean interval", .told("0.001 to `rhythm.irregularFrom`"),
            "Irregular until the sparsity falls below this."),
        ParameterDefinition(
            "rhythm.prematureRatio", "share", .between(0.3, 0.99),
            "An interval is premature when it is shorter than this part of the one before and of one of the next that follow."
        ),
        ParameterDefinition(
            "rhythm.ectopicBeats", "beats", .between(1, 100),
            "How many premature beats make an ectopic rhythm."),
        ParameterDefinition("rhythm.ectopicSpacing", "intervals", .between(1, 100), "How far apart these may be."),
        ParameterDefinition(
            "rhythm.tachycardiaRate", "1/min", .told("above `rhythm.bradycardiaRate`, at most 1000"),
            "Tachycardia above this rate."),
        ParameterDefinition("rhythm.bradycardiaRate", "1/min", .between(5, 400), "Bradycardia below this rate."),
        ParameterDefinition(
            "rhythm.rateHysteresis", "1/min", .between(0, 100),
            "By how much the rate must come back before either ends."),
        ParameterDefinition(
            "rhythm.rateIntervals", "intervals", .between(1, 1000),
            "How many intervals around the rate is the median of."),
        ParameterDefinition(
            "rhythm.asystole", "s", .between(1, 60),
            "Minimum time without a beat for `asystole` in a usable ECG, and for `noBeats` in a usable pulse wave."),
        ParameterDefinition(
            "rhythm.shortestUnreadable", "s", .between(0, 60),
            "A shorter stretch in which nothing can be said does not interrupt a rhythm."),
        ParameterDefinition("respiration.window", "s", .between(20, 600), "Length of a window."),
        ParameterDefinition(
            "respiration.step", "s", .between(1, 600),
            "From the start of a window to the start of the next."),
        ParameterDefinition("respiration.lowestRate", "1/min", .between(2, 90), "The slowest rate that is looked for."),
        ParameterDefinition(
            "respiration.lowestIntervalRate", "1/min",
            .told("from `respiration.lowestRate` to below `respiration.highestRate`"),
            "The slowest rate that the lengths of intervals alone may tell; lower it where slow breathing is paced."),
        ParameterDefinition(
            "respiration.highestRate", "1/min", .told("above `respiration.lowestRate`, at most 90"),
            "The fastest rate that is looked for."),
        ParameterDefinition(
            "respiration.minimumCoverage", "share", .between(0, 1),
            "The least share of a window with data."),
        ParameterDefinition(
            "respiration.minimumPeak", "share", .between(0, 1),
            "The least share of the power between the slowest and the fastest rate that must lie around the highest peak."
        ),
        ParameterDefinition(
            "respiration.largestDisagreement", "1/min", .between(0, 60),
            "The largest standard deviation of the rates that are fused."),
        ParameterDefinition(
            "pulseRate.minimumConfidence", "share", .between(0, 1),
            "The minimum confidence at which a window with acceleration has a heart rate."),
        ParameterDefinition(
            "pulseRate.minimumConfidenceAlone", "share", .between(0, 1),
            "The minimum confidence at which a window without acceleration has a heart rate."),
        ParameterDefinition(
            "pulseRate.movement", "g", .above(0, atMost: 10),
            "The root mean square of the acceleration without gravity from which on a window counts as moving."),
    ]
}
