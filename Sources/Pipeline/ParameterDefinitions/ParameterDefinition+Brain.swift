extension ParameterDefinition {
    /// EEG.
    static let brain: [ParameterDefinition] = [
        ParameterDefinition("eeg.cleaning.lowest", "Hz", .atLeast(0.05), "The lowest frequency that passes unchanged."),
        ParameterDefinition(
            "eeg.cleaning.highest", "Hz", .told("above `eeg.cleaning.lowest`"),
            "The highest frequency that passes unchanged, where the sample rate allows for it."),
        ParameterDefinition(
            "eeg.cleaning.mains", "Hz", .told("a list of numbers from 1 to 1000"),
            "Where the mains' hum may be; it is removed where the band that passes holds it."),
        ParameterDefinition(
            "eeg.cleaning.reference", "",
            .told(
                "`{ asRecorded: {} }`, `{ average: {} }`, `{ electrodes: { _0: [A1, A2] } }`, or pairs ([eeg.md](eeg.md))"
            ),
            "What the voltages are measured against."),
        ParameterDefinition(
            "eeg.cleaning.removesBursts", "", .told("`true` or `false`"),
            "Whether bursts are rebuilt by artefact subspace reconstruction."),
        ParameterDefinition(
            "eeg.cleaning.subspace.cutoff", "standard deviations", .above(0, atMost: nil),
            "Beyond how much of its clean amplitude a component is an artefact."),
        ParameterDefinition(
            "eeg.cleaning.subspace.window", "s", .between(0.1, 10),
            "Length of the windows amplitudes are told of."),
        ParameterDefinition(
            "eeg.cleaning.subspace.mostDimensions", "share", .above(0, atMost: 1),
            "The largest share of dimensions that may be rebuilt at a time."),
        ParameterDefinition("eeg.epochs.length", "s", .between(0.1, 3600), "Length of an epoch."),
        ParameterDefinition(
            "eeg.epochs.step", "s", .between(0.05, 3600),
            "From the start of an epoch to the start of the next."),
        ParameterDefinition(
            "eeg.features.families", "", .words,
            "The kinds of features that are computed ([eeg-features.md](eeg-features.md))."),
        ParameterDefinition(
            "eeg.features.indexes", "", .told("names of features ([eeg-features.md](eeg-features.md))"),
            "The only features that are computed; none means all of `eeg.features.families`."),
        ParameterDefinition(
            "eeg.features.bands.delta", "Hz", .told("two edges, the lower first"),
            "Edges of the δ band; the lower counts to a band, the upper does not."),
        ParameterDefinition(
            "eeg.features.bands.theta", "Hz", .told("two edges, the lower first"),
            "Edges of the θ band."),
        ParameterDefinition(
            "eeg.features.bands.alpha", "Hz", .told("two edges, the lower first"),
            "Edges of the α band."),
        ParameterDefinition(
            "eeg.features.bands.alphaSearch", "Hz", .told("two edges, the lower first"),
            "Where a person's own α rhythm may lie."),
        ParameterDefinition(
            "eeg.features.bands.beta", "Hz", .told("two edges, the lower first"),
            "Edges of the β band."),
        ParameterDefinition(
            "eeg.features.bands.lowBeta", "Hz", .told("two edges, the lower first"),
            "Edges of the low β band."),
        ParameterDefinition(
            "eeg.features.bands.highBeta", "Hz", .told("two edges, the lower first"),
            "Edges of the high β band."),
        ParameterDefinition(
            "eeg.features.bands.gamma", "Hz", .told("two edges, the lower first"),
            "Edges of the γ band."),
        ParameterDefinition(
            "eeg.features.bands.total", "Hz", .told("two edges, the lower first"),
            "What relative power, spectral edge and entropy refer to."),
        ParameterDefinition(
            "eeg.features.estimator", "",
            .told("`{ multitaper: { bandwidth: HZ } }`, `{ welch: { segment: SECONDS, overlap: SHARE } }`"),
            "How the spectrum of an epoch is estimated; bandwidth and segment above 0, overlap below 1."),
        ParameterDefinition(
            "eeg.features.spectralEdge", "share", .told("above 0, below 1"),
            "The share of the total power below the spectral edge."),
        ParameterDefinition(
            "eeg.features.aperiodic.range", "Hz", .told("two edges, the lower first"),
            "The frequencies that the 1/f background is fitted to."),
        ParameterDefinition(
            "eeg.features.aperiodic.peakWidths", "Hz", .told("two widths above 0, the lower first"),
            "The narrowest and the widest peak above the background, as two standard deviations."),
        ParameterDefinition("eeg.features.aperiodic.mostPeaks", "", .between(0, 12), "The most peaks."),
        ParameterDefinition(
            "eeg.features.aperiodic.leastHeight", "log10(µV²/Hz)", .atLeast(0),
            "How high a peak must be above the background."),
        ParameterDefinition(
            "eeg.features.aperiodic.threshold", "standard deviations", .atLeast(0),
            "How high a peak must be above what is left."),
        ParameterDefinition(
            "eeg.features.permutationOrder", "values", .between(2, 7),
            "Length of the patterns of permutation entropy."),
        ParameterDefinition(
            "eeg.features.entropyDimension", "values", .between(1, 5),
            "Length of the patterns of sample entropy."),
        ParameterDefinition(
            "eeg.features.entropyTolerance", "standard deviations", .above(0, atMost: nil),
            "How far values may differ and still match in sample entropy."),
        ParameterDefinition(
            "eeg.features.higuchiLag", "samples", .between(2, 64),
            "The longest lag of Higuchi's dimension."),
        ParameterDefinition(
            "eeg.features.connectivityWindow", "s", .above(0, atMost: 86_400),
            "What connectivity is computed over; `null` is no connectivity."),
    ]
}
