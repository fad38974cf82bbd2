import Cardiac
import Pipeline
import Signals

extension Methods {
    /// How heart-rate variability was computed; nothing where it was not asked for, or where there was nothing to compute it
    /// from.
    static func variability(_ analysis: RecordingAnalysis, _ references: inout [Reference]) -> [String] {
        let parameters = analysis.parameters.hrv
        let indexes = HRVIndex.list(parameters)
        let sources = analysis.results.filter(\.takesIntervals)
        guard analysis.parameters.wants(.hrv), !sources.isEmpty else { return [] }
        var sentences: [String] = []
        if !indexes.isEmpty {
            references.append(
                Reference(
                    "Task Force of the European Society of Cardiology and the North American Society of Pacing and "
                        + "Electrophysiology. Heart rate variability: standards of measurement, physiological "
                        + "interpretation, and clinical use. Circulation 1996;93(5):1043-1065.",
                    doi: "10.1161/01.CIR.93.5.1043"))
            let window =
                parameters.window.map {
                    "windows of \(plain($0)) s every \(plain(parameters.step)) s, one over all of a shorter recording"
                }
                ?? "one window over the whole recording"
            sentences.append(
                "Heart-rate variability was computed after the Task Force (1996) in \(window); a window was used where "
                    + "normal-to-normal intervals covered at least \(Int((parameters.minimumCoverage * 100).rounded())) % "
                    + "of it.")
        }
        return sentences + spectra(parameters, indexes, sources) + nonlinear(indexes, &references)
            + turbulence(sources, &references)
    }

    /// The estimators that indexes rest on, and those that were drawn without any index of theirs.
    private static func spectra(
        _ parameters: HRVParameters, _ indexes: [HRVIndex], _ sources: [CardiacResult]
    ) -> [String] {
        let used = Set(indexes.compactMap(\.method))
        let drawn = Set(sources.flatMap { Spectrum.methods(of: $0.nn, parameters) }).subtracting(used)
        let bands = parameters.bands
        let how =
            "less \(trend(parameters.detrending)), with bands VLF \(words(bands.vlf)), LF \(words(bands.lf)) and HF "
            + "\(words(bands.hf)) Hz"
        func estimated(_ methods: Set<SpectralMethod>) -> String {
            SpectralMethod.allCases.filter { methods.contains($0) }.map { words($0, parameters) }.listed
        }
        var sentences: [String] = []
        if !used.isEmpty {
            sentences.append("Spectra were estimated by \(estimated(used)), \(how).")
        }
        if !used.isSubset(of: [.lomb]) {
            sentences.append(
                "Evenly sampled series bridged intervals that correction had estimated or that did not fit the rhythm around them; "
                    + "windows in which these were more than 2 % are marked in the column spectrumReason.")
        }
        if used.contains(.welch), let vlf = indexes.first(where: { $0.name == "vlf" }),
            vlf.needs(with: parameters).contains(where: { if case .welchSegment = $0 { true } else { false } })
        {
            sentences.append(
                "Segments of Welch's method were too short for VLF, which is missing there; the other estimators give it."
            )
        }
        if !drawn.isEmpty {
            let details = used.isEmpty ? ", \(how)" : ""
            sentences.append(
                "For figures alone, the spectrum of all intervals was drawn, estimated by \(estimated(drawn))\(details)."
            )
        }
        return sentences
    }

    private static func words(_ method: SpectralMethod, _ parameters: HRVParameters) -> String {
        let resampled = "intervals resampled at \(plain(parameters.resamplingRate)) Hz"
        return switch method {
        case .welch:
            "Welch's method (Hann segments of up to \(plain(parameters.welchSegment)) s, half overlapping) on \(resampled)"
        case .lomb: "the Lomb-Scargle periodogram of intervals at the times of their beats"
        case .autoregressive: "an autoregressive model (Burg's method) of \(resampled)"
        }
    }

    private static func trend(_ detrending: HRVDetrending) -> String {
        switch detrending {
        case .mean: "their mean"
        case .linear: "the straight line of least squares"
        case .smoothnessPriors: "a smooth trend (smoothness priors)"
        }
    }

    private static func words(_ band: FrequencyBand) -> String { "\(plain(band.lower))-\(plain(band.upper))" }

    /// The nonlinear indexes by their sources, as their declarations name these.
    private static func nonlinear(_ indexes: [HRVIndex], _ references: inout [Reference]) -> [String] {
        let chosen = indexes.filter { $0.domain == .nonlinear }
        guard !chosen.isEmpty else { return [] }
        var sources: [String] = []
        for index in chosen where !sources.contains(index.reference) { sources.append(index.reference) }
        references += sources.map { Reference($0) }
        let names = chosen.count > 12 ? "\(chosen.count)" : chosen.map(\.name).listed
        return [
            "Nonlinear indexes of the intervals (\(names)) were computed as their sources define them "
                + "(\(sources.map(citation).joined(separator: "; ")))."
        ]
    }

    /// Authors and year of a reference: what stands before the journal.
    private static func citation(_ reference: String) -> String {
        let words = reference.split(separator: " ").filter { $0 != "After" }
        guard let year = words.firstIndex(where: { Int($0.prefix(4)) != nil }) else { return reference }
        return (words[..<year] + [words[year].prefix(4)]).joined(separator: " ")
    }

    private static func turbulence(_ sources: [CardiacResult], _ references: inout [Reference]) -> [String] {
        guard sources.contains(where: { HeartRateTurbulence(of: $0.intervals).count > 0 }) else { return [] }
        references += [
            Reference(
                "Schmidt G, Malik M, Barthel P, et al. Heart-rate turbulence after ventricular premature beats as a "
                    + "predictor of mortality after acute myocardial infarction. Lancet 1999;353(9162):1390-1396.",
                doi: "10.1016/S0140-6736(98)08428-1"),
            Reference(
                "Bauer A, Malik M, Schmidt G, et al. Heart rate turbulence: standards of measurement, physiological "
                    + "interpretation, and clinical use. J Am Coll Cardiol 2008;52(17):1353-1365.",
                doi: "10.1016/j.jacc.2008.07.041"),
        ]
        return [
            "Heart rate turbulence was computed from the uncorrected intervals after premature beats (Schmidt et al. 1999; "
                + "Bauer et al. 2008)."
        ]
    }
}
