import Signals

extension HRVSeries {
    /// The spectrum by `method`; nil where there is none.
    func spectrum(_ method: SpectralMethod) -> IntervalSpectrum? {
        // Of a constant rhythm a spectrum would show rounding errors.
        if sdnn <= 1e-9 * meanNN { return IntervalSpectrum(spacing: 1, density: [0]) }
        return switch method {
        case .welch: welchSpectrum
        case .lomb: lombSpectrum
        case .autoregressive: autoregressiveSpectrum
        }
    }

    /// How long, in seconds, the stretch is that the spectrum by `method` resolves: a segment of Welch's, the longest
    /// run of the autoregressive model, first to last beat for Lomb-Scargle; at the window's ends see `span`.
    func resolvedDuration(_ method: SpectralMethod) -> Seconds {
        switch method {
        case .welch: min(parameters.welchSegment, welchRuns.map(span(of:)).min() ?? 0)
        case .lomb: span(of: intervals.indices)
        case .autoregressive: longestSpan
        }
    }

    /// The longest stretch that a band asks for and `time` gives.
    private func needed(within time: Seconds) -> Seconds {
        parameters.leastDurations.filter { $0 <= time + 1e-6 }.max() ?? 0
    }

    /// Runs that take part in Welch's method: at least half as long as a segment, and long enough for every band that a
    /// segment is long enough for. A segment lasts as long as the parameters allow and the longest run.
    private var welchRuns: [Range<Int>] {
        let segment = min(longestSpan, parameters.welchSegment)
        let least = max(segment / 2, needed(within: segment))
        return runs.filter { hasSpectrum($0) && span(of: $0) >= least - 1e-6 }
    }

    /// True where a run has the measured intervals that a curve needs.
    private func hasSpectrum(_ run: Range<Int>) -> Bool {
        run.count > 3 && intervals[run].count { $0.status != .interpolated } > 3
    }

    /// Runs that take part in the autoregressive model, which reaches back a few seconds only: all that are long enough
    /// for every band above ULF that the longest is long enough for.
    private var modelledRuns: [Range<Int>] {
        let bands = parameters.leastDurations.dropFirst()
        let least = bands.filter { $0 <= longestSpan + 1e-6 }.max() ?? 0
        return runs.filter { hasSpectrum($0) && span(of: $0) >= least - 1e-6 }
    }

    /// The values of a run for evenly sampled spectra.
    private func bridged(_ run: Range<Int>) -> BridgedValues {
        if let known = bridgedByRun[run] { return known }
        let bridged = BridgedValues(intervals[run])
        bridgedByRun[run] = bridged
        return bridged
    }

    /// The number of measured intervals that spectra bridge because they do not fit the rhythm around them.
    var setAside: Int {
        runs.reduce(0) { $0 + (hasSpectrum($1) ? bridged($1).setAside : 0) }
    }

    /// Samples of a run at the resampling rate. Intervals that were estimated make up their time with their neighbours, as a
    /// premature beat that resets the sinus node leaves less time than normal intervals take: they would be a dip of
    /// the curve, so that values that follow from the rhythm around them replace them.
    private func samples(of run: Range<Int>) -> [Double] {
        if let known = samplesByRun[run] { return known }
        var (times, values) = (intervals[run].map(\.onset), bridged(run).values)
        if values == nil {
            let measured = intervals[run].filter { $0.status != .interpolated }
            (times, values) = (measured.map(\.onset), measured.map(\.milliseconds))
        }
        let samples = EvenSampling.samples(times: times, values: values ?? [], rate: plan.rate)
        samplesByRun[run] = samples
        return samples
    }

    /// The same, without the trend of the run.
    private func detrendedSamples(of run: Range<Int>) -> [Double] {
        if let known = detrendedByRun[run] { return known }
        let detrended = parameters.detrending.removed(from: samples(of: run), smoothness: parameters.smoothness)
        detrendedByRun[run] = detrended
        return detrended
    }

    /// A mean or a line is taken off each segment: of a long run it leaves its segments at levels of their own, whose
    /// power would leak into the lowest bands. A smooth trend is that of the run, and follows it closely enough.
    ///
    /// All segments are equally long, so that they resolve alike: as long as the parameters allow and the shortest run
    /// that takes part.
    func computeWelch() -> IntervalSpectrum? {
        let runs = welchRuns
        let shortest = runs.map { samples(of: $0).count }.min() ?? 0
        let segment = min(Int(parameters.welchSegment * plan.rate), shortest)
        switch parameters.detrending {
        case .mean, .linear:
            return plan.welch(runs.map { samples(of: $0) }, segment: segment, without: parameters.detrending)
        case .smoothnessPriors:
            return plan.welch(runs.map { detrendedSamples(of: $0) }, segment: segment, without: .mean)
        }
    }

    func computeAutoregressive() -> IntervalSpectrum? {
        let stretches = modelledRuns.map { detrendedSamples(of: $0) }
        return AutoregressiveModel(order: parameters.autoregressiveOrder, stretches: stretches)?
            .spectrum(rate: plan.rate, spacing: plan.spacing, highest: highestFrequency)
    }

    /// The upper edge of the highest band.
    private var highestFrequency: Double {
        let bands = parameters.bands
        return [bands.ulf, bands.vlf, bands.lf, bands.hf, bands.vhf].map(\.upper).max() ?? 0
    }

    func computeLomb() -> IntervalSpectrum? {
        let measured = intervals.filter { $0.status != .interpolated }
        guard measured.count > 3, let first = measured.first, let last = measured.last else { return nil }
        let times = measured.map { $0.onset - first.onset }
        let span = last.onset - first.onset + first.duration
        return LombSpectrum.density(
            times: times, values: lombValues(measured, times), spacing: 1 / (4 * span), highest: highestFrequency,
            meanSpacing: meanNN / 1_000)
    }

    /// Interval lengths without trend. A smooth trend is that of the even samples of each run.
    private func lombValues(_ measured: [NN], _ times: [Seconds]) -> [Double] {
        let values = measured.map(\.milliseconds)
        switch parameters.detrending {
        case .mean: return values.map { $0 - meanNN }
        case .linear: return HRVDetrending.withoutLine(times, values)
        case .smoothnessPriors: return withoutSmoothTrend(parameters.smoothness)
        }
    }

    private func withoutSmoothTrend(_ lambda: Double) -> [Double] {
        var values: [Double] = []
        for run in runs {
            let measured = intervals[run].filter { $0.status != .interpolated }
            let times = measured.map(\.onset)
            let lengths = measured.map(\.milliseconds)
            let even = EvenSampling.samples(times: times, values: lengths, rate: plan.rate)
            guard !even.isEmpty else {
                values += lengths.map { $0 - meanNN }
                continue
            }
            let trend = HRVDetrending.smoothTrend(even, lambda: lambda)
            for place in measured.indices {
                let position = (times[place] - times[0]) * plan.rate
                let before = min(Int(position), trend.count - 1)
                let after = min(before + 1, trend.count - 1)
                values.append(
                    lengths[place] - trend[before] - (position - Double(before)) * (trend[after] - trend[before]))
            }
        }
        return values
    }
}
