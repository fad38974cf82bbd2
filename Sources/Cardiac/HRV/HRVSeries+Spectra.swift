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
    /// run of the autoregressive model, first to last beat for Lomb-Scargle.
    func resolvedDuration(_ method: SpectralMethod) -> Seconds {
        switch method {
        case .welch: welchSegmentDuration
        case .lomb:
            intervals.isEmpty ? 0 : intervals[intervals.count - 1].onset - (intervals[0].onset - intervals[0].duration)
        case .autoregressive: longestRunDuration
        }
    }

    /// Runs that are long enough to take part in spectra: at least half as long as the longest, and long enough for
    /// every band that the longest is long enough for.
    private var spectralRuns: [Range<Int>] {
        let longest = longestRunDuration
        let needed = HRVIndex.bandDurations.filter { $0 <= min(longest, parameters.welchSegment) }.max() ?? 0
        return runs.filter { $0.count > 3 && duration(of: $0) >= max(longest / 2, needed) }
    }

    /// Samples at the resampling rate, run by run.
    func computeEvenRuns() -> [[Double]] {
        spectralRuns.map { run in
            EvenSampling.samples(
                times: intervals[run].map(\.onset), values: intervals[run].map(\.milliseconds), rate: plan.rate)
        }
    }

    /// The same, each run without its trend.
    func computeStretches() -> [[Double]] {
        evenRuns.map { parameters.detrending.removed(from: $0, smoothness: parameters.smoothness) }
    }

    /// All segments are equally long, so that they resolve alike: as long as the parameters allow and the shortest run
    /// that takes part.
    private var welchSegment: Int {
        min(Int(parameters.welchSegment * plan.rate), evenRuns.map(\.count).min() ?? 0)
    }

    private var welchSegmentDuration: Seconds {
        // Samples span the later beats of the intervals; the first interval's own length comes on top.
        let shortest = spectralRuns.map(duration(of:)).min() ?? 0
        return min(parameters.welchSegment, shortest)
    }

    /// A mean or a line is taken off each segment: of a long run it leaves its segments at levels of their own, whose
    /// power would leak into the lowest bands. A smooth trend is that of the run, and follows it closely enough.
    func computeWelch() -> IntervalSpectrum? {
        switch parameters.detrending {
        case .mean, .linear: plan.welch(evenRuns, segment: welchSegment, without: parameters.detrending)
        case .smoothnessPriors: plan.welch(stretches, segment: welchSegment, without: .mean)
        }
    }

    func computeAutoregressive() -> IntervalSpectrum? {
        AutoregressiveModel(order: parameters.autoregressiveOrder, stretches: stretches)?
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
            let times = intervals[run].map(\.onset)
            let lengths = intervals[run].map(\.milliseconds)
            let even = EvenSampling.samples(times: times, values: lengths, rate: plan.rate)
            let trend = HRVDetrending.smoothTrend(even, lambda: lambda)
            for (place, interval) in intervals[run].enumerated() where interval.status != .interpolated {
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
