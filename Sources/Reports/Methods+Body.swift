import Brain
import Electrodermal
import Motion
import Pipeline
import Signals

extension Methods {
    /// How skin conductance was analysed; nothing where there is none.
    static func conductance(_ analysis: RecordingAnalysis, _ references: inout [Reference]) -> [String] {
        guard !analysis.electrodermal.isEmpty else { return [] }
        let parameters = analysis.parameters.eda
        let separation: String
        switch parameters.separation {
        case .convex:
            references.append(
                Reference(
                    "Greco A, Valenza G, Lanata A, Scilingo EP, Citi L. cvxEDA: a convex optimization approach to "
                        + "electrodermal activity processing. IEEE Trans Biomed Eng 2016;63(4):797-804.",
                    doi: "10.1109/TBME.2015.2474131"))
            separation =
                "by convex optimisation (cvxEDA; Greco et al. 2016) in overlapping blocks of \(parameters.blockLength) s"
        case .highPass: separation = "by a low-pass filter at 0.05 Hz"
        case .median: separation = "by a running median of \(parameters.medianWindow) s"
        }
        references.append(
            Reference(
                "Kleckner IR, Jones RM, Wilder-Smith O, et al. Simple, transparent, and flexible automated quality "
                    + "assessment procedures for ambulatory electrodermal activity data. IEEE Trans Biomed Eng "
                    + "2018;65(7):1460-1467.", doi: "10.1109/TBME.2017.2758643"))
        return [
            "Skin conductance outside its possible range or changing faster than skin does was marked as artefact (after "
                + "Kleckner et al. 2018), and so were steps that came as an accelerometer of the same device moved, where one "
                + "was recorded. It was separated into tonic and phasic components \(separation); responses of at "
                + "least \(parameters.responses.leastAmplitude) µS were taken from the recorded conductance, with level and "
                + "responses told in windows of \(parameters.window) s."
        ]
    }

    /// How movement and temperature were analysed; nothing where there is neither.
    static func motion(_ analysis: RecordingAnalysis, _ references: inout [Reference]) -> [String] {
        let kinds = Set(analysis.motion.map(\.source.kind))
        let parameters = analysis.parameters.motion
        var sentences: [String] = []
        if kinds.contains(.acceleration) {
            references += [
                Reference(
                    "van Hees VT, Gorzelniak L, Dean León EC, et al. Separating movement and gravity components in an "
                        + "acceleration signal and implications for the assessment of human daily physical activity. PLoS ONE "
                        + "2013;8(4):e61691.", doi: "10.1371/journal.pone.0061691"),
                Reference(
                    "Vähä-Ypyä H, Vasankari T, Husu P, Suni J, Sievänen H. A universal, accurate intensity-based "
                        + "classification of different physical activities using raw data of accelerometer. Clin Physiol Funct "
                        + "Imaging 2015;35(1):64-70.", doi: "10.1111/cpf.12127"),
            ]
            sentences.append(
                "Movement was described in epochs of \(parameters.epoch) s by the mean of what exceeds 1 g (ENMO; van Hees et al. "
                    + "2013), the mean amplitude deviation (Vähä-Ypyä et al. 2015), angles, counts and steps; epochs of which half "
                    + "or more was not usable have none.")
        }
        if kinds.contains(.temperature) {
            sentences.append("Skin temperature was averaged over windows of \(parameters.temperatureWindow) s.")
        }
        return sentences
    }

    /// How EEG was analysed; nothing where there is none.
    static func brain(_ analysis: RecordingAnalysis, _ references: inout [Reference]) -> [String] {
        guard analysis.brains.contains(where: { $0.doubt == nil && $0.epochs.count > 0 }) else { return [] }
        let parameters = analysis.parameters.eeg
        let cleaning = parameters.cleaning
        let mains = cleaning.mains.map { "\($0)" }.joined(separator: " and ")
        let hum = mains.isEmpty ? "" : "hum at \(mains) Hz removed where the band holds it, "
        var sentences = [
            "EEG was band-passed from \(cleaning.lowest) to \(cleaning.highest) Hz by a linear-phase filter, \(hum)"
                + "referenced \(words(cleaning.reference)) and cut into epochs of \(parameters.epochs.length) s every "
                + "\(parameters.epochs.step) s, none of which spans a gap."
        ]
        if cleaning.removesBursts {
            references.append(
                Reference(
                    "Mullen TR, Kothe CAE, Chi YM, et al. Real-time neuroimaging and cognitive monitoring using wearable dry "
                        + "EEG. IEEE Trans Biomed Eng 2015;62(11):2553-2567.", doi: "10.1109/TBME.2015.2481482"))
            sentences.append(
                "Bursts beyond \(cleaning.subspace.cutoff) standard deviations of clean EEG were rebuilt by artifact "
                    + "subspace reconstruction (Mullen et al. 2015), calibrated on the recording's first clean seconds."
            )
        }
        sentences.append(
            "Channels that were flat, cut off, popping, noisy or unlike all others were left out of an epoch. Spectra were "
                + "estimated by \(words(parameters.features.estimator)).")
        if parameters.features.families.contains(.aperiodic) {
            references.append(
                Reference(
                    "Donoghue T, Haller M, Peterson EJ, et al. Parameterizing neural power spectra into periodic and "
                        + "aperiodic components. Nat Neurosci 2020;23:1655-1665.", doi: "10.1038/s41593-020-00744-x"))
            sentences.append(
                "The aperiodic background and the peaks above it were fitted after Donoghue et al. (2020).")
        }
        if analysis.brains.contains(where: { $0.sleep.contains { $0.asleep == 1 } }) {
            references.append(
                Reference(
                    "Lendner JD, Helfrich RF, Mander BA, et al. An electrophysiological marker of arousal level in humans. "
                        + "eLife 2020;9:e55092.", doi: "10.7554/eLife.55092"))
            sentences.append(
                "Sleep was told from wake in 30 s by the power from 16 to 30 Hz over that from 1 to 4 Hz and the slope of "
                    + "the spectrum from 30 to 45 Hz (after Lendner et al. 2020), with a limit set within the recording."
            )
            let besides = [
                analysis.brains.contains { $0.source.muscle != nil } ? "the muscle tone of the chin" : nil,
                analysis.brains.contains { $0.source.eyes != nil } ? "the movements of the eyes" : nil,
            ].compactMap(\.self)
            if !besides.isEmpty {
                sentences.append("Epochs near the limit were decided by \(besides.joined(separator: " and ")).")
            }
        }
        return sentences
    }

    private static func words(_ reference: EEGReference) -> String {
        switch reference {
        case .asRecorded: "as recorded"
        case .average: "to the average of all channels"
        case .electrodes(let names): "to \(names.joined(separator: ", "))"
        case .bipolar: "in bipolar pairs"
        }
    }

    private static func words(_ estimator: SpectralEstimator) -> String {
        switch estimator {
        case .multitaper(let bandwidth): "multitapers with a bandwidth of \(bandwidth) Hz"
        case .welch(let segment, let overlap): "Welch's method in segments of \(segment) s, overlapping by \(overlap)"
        }
    }
}
