import Brain
import Pipeline
import Signals

extension Methods {
    /// How EEG was analysed; nothing where there is none, or nothing was asked for that needs it.
    static func brain(_ analysis: RecordingAnalysis, _ references: inout [Reference]) -> [String] {
        let brains = analysis.brains.filter { $0.doubt == nil }
        let measured = brains.filter { $0.epochs.count > 0 }
        let sleep = brains.filter { $0.sleep.contains { $0.asleep != nil } }
        var sentences: [String] = []
        if !measured.isEmpty || !sleep.isEmpty {
            sentences += cleaning(analysis.parameters.eeg, &references)
        }
        if !measured.isEmpty { sentences += spectra(analysis.parameters.eeg.features, &references) }
        let hasPairs = brains.contains { !$0.pairs.isEmpty }
        if hasPairs, let window = analysis.parameters.eeg.features.connectivityWindow {
            sentences.append(connectivity(window, &references))
        }
        if analysis.parameters.wants(.eyes) { sentences += eyes(brains, &references) }
        return sentences + Self.sleep(sleep, &references)
    }

    private static func cleaning(_ parameters: BrainParameters, _ references: inout [Reference]) -> [String] {
        let cleaning = parameters.cleaning
        let mains = cleaning.mains.map(plain).listed
        let hum = mains.isEmpty ? "" : "hum at \(mains) Hz removed where the band holds it, "
        var sentences = [
            "EEG was band-passed from \(plain(cleaning.lowest)) to \(plain(cleaning.highest)) Hz by a linear-phase filter, "
                + "\(hum)referenced \(words(cleaning.reference)) and cut into epochs of \(plain(parameters.epochs.length)) s "
                + "every \(plain(parameters.epochs.step)) s, none of which spans a gap."
        ]
        if cleaning.removesBursts {
            references.append(
                Reference(
                    "Mullen TR, Kothe CAE, Chi YM, et al. Real-time neuroimaging and cognitive monitoring using wearable dry "
                        + "EEG. IEEE Trans Biomed Eng 2015;62(11):2553-2567.", doi: "10.1109/TBME.2015.2481482"))
            sentences.append(
                "Bursts beyond \(plain(cleaning.subspace.cutoff)) standard deviations of clean EEG were rebuilt by artifact "
                    + "subspace reconstruction (Mullen et al. 2015), calibrated on the recording's first clean seconds."
            )
        }
        sentences.append(
            "Channels that were flat, cut off, popping, noisy or unlike all others were left out of an epoch.")
        return sentences
    }

    private static func spectra(_ parameters: EEGFeatureParameters, _ references: inout [Reference]) -> [String] {
        var sentences = ["Spectra of epochs were estimated by \(words(parameters.estimator))."]
        if EEGFeature.list(parameters).contains(where: { $0.family == .aperiodic }) {
            references.append(
                Reference(
                    "Donoghue T, Haller M, Peterson EJ, et al. Parameterizing neural power spectra into periodic and "
                        + "aperiodic components. Nat Neurosci 2020;23:1655-1665.", doi: "10.1038/s41593-020-00744-x"))
            sentences.append(
                "The aperiodic background and the peaks above it were fitted after Donoghue et al. (2020).")
        }
        return sentences
    }

    private static func connectivity(_ window: Seconds, _ references: inout [Reference]) -> String {
        references += [
            Reference(
                "Carter GC. Coherence and time delay estimation. Proc IEEE 1987;75(2):236-255.",
                doi: "10.1109/PROC.1987.13723"),
            Reference(
                "Nolte G, Bai O, Wheaton L, et al. Identifying true brain interaction from EEG data using the imaginary part "
                    + "of coherency. Clin Neurophysiol 2004;115(10):2292-2307.", doi: "10.1016/j.clinph.2004.04.029"),
            Reference(
                "Lachaux JP, Rodriguez E, Martinerie J, Varela FJ. Measuring phase synchrony in brain signals. Hum Brain Mapp "
                    + "1999;8(4):194-208."),
            Reference(
                "Vinck M, Oostenveld R, van Wingerden M, Battaglia F, Pennartz CMA. An improved index of "
                    + "phase-synchronization for electrophysiological data in the presence of volume-conduction, noise and "
                    + "sample-size bias. NeuroImage 2011;55(4):1548-1565.", doi: "10.1016/j.neuroimage.2011.01.055"),
        ]
        return
            "Connectivity of each pair of channels was computed from the cross-spectra (Hann) of the epochs in windows of "
            + "\(plain(window)) s, where both channels were usable in \(ConnectivityMeasure.leastEpochs) of them or more, and "
            + "averaged over each band: coherence (Carter 1987), the imaginary part of coherency (Nolte et al. 2004), the phase "
            + "locking value (Lachaux et al. 1999) and the weighted phase lag index (Vinck et al. 2011)."
    }

    /// What was looked for in the channels near the eyes, whether or not there was any.
    private static func eyes(_ brains: [BrainResult], _ references: inout [Reference]) -> [String] {
        let isWatched = brains.contains { brain in
            !brain.runs.isEmpty
                && EyeEventDetector(channels: brain.source.channels, sampleRate: brain.source.sampleRate) != nil
        }
        guard isWatched else { return [] }
        references += [
            Reference(
                "Caffier PP, Erdmann U, Ullsperger P. Experimental evaluation of eye-blink parameters as a drowsiness measure. "
                    + "Eur J Appl Physiol 2003;89:319-325.", doi: "10.1007/s00421-003-0807-5"),
            Reference(
                "Engbert R, Kliegl R. Microsaccades uncover the orientation of covert attention. Vision Res "
                    + "2003;43(9):1035-1045.", doi: "10.1016/S0042-6989(03)00084-1"),
        ]
        return [
            "Blinks and sideways saccades were looked for in the EEG of the electrodes near the eyes, band-passed from 1 to 10 "
                + "Hz: blinks by the height, flanks and width of their tops (Caffier et al. 2003), saccades, where both temples have "
                + "electrodes, by the speed of the step between these (after Engbert & Kliegl 2003)."
        ]
    }

    /// How sleep was told from wake.
    /// - Parameter brains: those of which it could be told.
    private static func sleep(_ brains: [BrainResult], _ references: inout [Reference]) -> [String] {
        guard !brains.isEmpty else { return [] }
        references.append(
            Reference(
                "Lendner JD, Helfrich RF, Mander BA, et al. An electrophysiological marker of arousal level in humans. "
                    + "eLife 2020;9:e55092.", doi: "10.7554/eLife.55092"))
        let sleepers = brains.filter { $0.sleep.contains { $0.asleep == 1 } }
        let limit =
            sleepers.isEmpty
            ? "; nothing was certain sleep, so that only what is plainly wake was told"
            : ", with a limit set within the recording"
        var sentences = [
            "Sleep was told from wake in \(plain(SleepEpoch.length)) s by the power from 16 to 30 Hz over that from 1 to 4 Hz "
                + "and the slope of the spectrum from 30 to 45 Hz (after Lendner et al. 2020)\(limit)."
        ]
        let besides = [
            sleepers.contains { $0.source.muscle != nil } ? "the muscle tone of the chin" : nil,
            sleepers.contains { $0.source.eyes != nil } ? "the movements of the eyes" : nil,
        ].compactMap(\.self)
        if !besides.isEmpty { sentences.append("Epochs near the limit were decided by \(besides.listed).") }
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
        case .multitaper(let bandwidth): "multitapers with a bandwidth of \(plain(bandwidth)) Hz"
        case .welch(let segment, let overlap):
            "Welch's method in segments of \(plain(segment)) s, overlapping by \(plain(overlap))"
        }
    }
}
