import Brain
import Cardiac
import Pipeline
import Quality
import Signals

extension Methods {
    /// What was done, as a paragraph for a paper.
    /// - Throws: `EncodingError` where a parameter is no finite number.
    init(describing analysis: RecordingAnalysis, version: String) throws {
        var sentences = ["Recordings were analyzed with Marey \(version)."]
        var references: [Reference] = []
        let kinds = Set(analysis.results.map(\.source.kind))
        if kinds.contains(.ecg) {
            sentences.append(
                "R peaks were detected in the electrocardiogram by a streaming detector and refined on the original "
                    + "samples.")
        }
        if kinds.contains(.bvp) {
            let place =
                switch analysis.parameters.bvp.fiducial {
                case .systolicPeak: "at their systolic peaks"
                case .pulsePeak: "at their highest points"
                case .foot: "at their onsets (the foot before the upstroke)"
                case .upstroke: "at their steepest upstroke"
                }
            sentences.append(
                "Pulses were detected in the blood volume pulse by a streaming detector and timed \(place).")
            sentences += Self.cancellation(analysis, &references) + Self.pulseRate(analysis, &references)
        }
        if kinds.contains(.ibi) { sentences.append("Inter-beat intervals were taken as the device recorded them.") }
        sentences += Self.quality(analysis)
        if analysis.results.contains(where: \.takesIntervals) {
            sentences.append(
                "No interval was taken across a gap in the recording or across signal in which no beat could be seen.")
            sentences += Self.judgement(analysis) + Self.edits(analysis)
            sentences += Self.correction(analysis.parameters.correction, &references)
        }
        sentences += Self.variability(analysis, &references)
        sentences += Self.rhythm(analysis, &references) + Self.respiration(analysis, &references)
        sentences += Self.heartSleep(analysis, &references)
        sentences += Self.conductance(analysis, &references) + Self.brain(analysis, &references)
        sentences += Self.motion(analysis, &references) + Self.electrochemistry(analysis, &references)
        sentences.append(try Self.differences(of: analysis.parameters, version: version))
        self.init(paragraph: sentences.joined(separator: " "), references: references)
    }

    /// How signal quality was assessed, wherever something rests on it.
    private static func quality(_ analysis: RecordingAnalysis) -> [String] {
        let isUsed =
            analysis.verdict.grade != nil || analysis.results.contains(where: \.judgesIntervals)
            || !analysis.electrodermal.isEmpty || analysis.motion.contains { $0.source.kind != .battery }
        guard isUsed else { return [] }
        let parameters = analysis.parameters.quality
        return [
            "Signal quality was assessed in windows of \(plain(parameters.window)) s every \(plain(parameters.step)) s from 0 "
                + "(unusable) to 1 (clean)."
        ]
    }

    /// Which intervals the quality of the signal left out, and how many these were.
    private static func judgement(_ analysis: RecordingAnalysis) -> [String] {
        let judged = analysis.results.filter(\.judgesIntervals)
        guard !judged.isEmpty else { return [] }
        let counts = judged.map {
            "\($0.droppedIntervals) of \($0.intervals.count.counted("interval")) of \($0.source.name)"
        }
        let rule =
            "Intervals that reach into time of which every window has a quality below 0.5 were left out (\(counts.listed))."
        return [rule] + toleration(analysis.parameters.quality)
    }

    /// What the acceleration of its own device explains of a pulse wave.
    private static func cancellation(_ analysis: RecordingAnalysis, _ references: inout [Reference]) -> [String] {
        let streams = analysis.results.compactMap(\.source.acceleration?.stream)
        guard streams.contains(where: { analysis.inventory.streams[$0].samples > 0 }) else { return [] }
        references.append(
            Reference(
                "Widrow B, Glover JR, McCool JM, et al. Adaptive noise cancelling: principles and applications. Proc IEEE "
                    + "1975;63(12):1692-1716.", doi: "10.1109/PROC.1975.10036"))
        return [
            "What the acceleration of the same device explains of the pulse wave was taken out of it by recursive least squares "
                + "(Widrow et al. 1975)."
        ]
    }

    /// The heart rate from pulse wave and acceleration.
    private static func pulseRate(_ analysis: RecordingAnalysis, _ references: inout [Reference]) -> [String] {
        let windows = analysis.results.flatMap(\.pulseRates)
        guard !windows.isEmpty else { return [] }
        references += [
            Reference(
                "Zhang Z, Pi Z, Liu B. TROIKA: a general framework for heart rate monitoring using wrist-type "
                    + "photoplethysmographic signals during intensive physical exercise. IEEE Trans Biomed Eng "
                    + "2015;62(2):522-531.", doi: "10.1109/TBME.2014.2359372"),
            Reference(
                "Bieri V, Streli P, Demirel BU, Holz C. BeliefPPG: uncertainty-aware heart rate estimation from PPG signals "
                    + "via belief propagation. Proc UAI 2023;216:176-186."),
        ]
        let motion =
            windows.contains { $0.movement != nil }
            ? "an oscillation together with the part that the acceleration of the same device explains (after Zhang et al. 2015)"
            : "an oscillation in the pulse wave alone"
        return [
            "The heart rate of windows of \(plain(PulseRateParameters.window)) s every \(plain(PulseRateParameters.step)) s was "
                + "estimated by least squares as that of \(motion) and followed from window to window with a hidden Markov "
                + "model (after Bieri et al. 2023); windows below a confidence of "
                + "\(plain(analysis.parameters.pulseRate.minimumConfidence)) "
                + "(\(plain(analysis.parameters.pulseRate.minimumConfidenceAlone)) without acceleration) have no heart rate."
        ]
    }

    /// Beats that a person changed, and what follows from that.
    private static func edits(_ analysis: RecordingAnalysis) -> [String] {
        analysis.results.compactMap { result in
            let made = result.edits.filter { $0.failure == nil }
            guard !made.isEmpty else { return nil }
            let counts = BeatEdit.Action.allCases.compactMap { action -> String? in
                let count = made.count { $0.edit.action == action }
                return count > 0 ? "\(count) \(words[action] ?? "")" : nil
            }
            return
                "Beats of \(result.source.name) were looked at by a person (\(counts.joined(separator: ", "))), and its "
                + "intervals count whatever the quality of the signal."
        }
    }

    private static let words: [BeatEdit.Action: String] = [.add: "added", .move: "moved", .delete: "deleted"]

    private static func toleration(_ parameters: QualityParameters) -> [String] {
        guard !parameters.tolerated.isEmpty else { return [] }
        let reasons = parameters.tolerated.map { "\"\($0.explanation)\"" }.joined(separator: ", ")
        return ["Signal in which nothing but \(reasons) spoke against its quality was used for intervals all the same."]
    }

    private static func correction(_ parameters: CorrectionParameters, _ references: inout [Reference]) -> [String] {
        switch parameters.method {
        case .none: return ["Intervals were not corrected."]
        case .lipponenTarvainen:
            references.append(
                Reference(
                    "Lipponen JA, Tarvainen MP. A robust algorithm for heart rate variability time series artefact "
                        + "correction using novel beat classification. J Med Eng Technol 2019;43(3):173-181.",
                    doi: "10.1080/03091902.2019.1640306"))
            return [
                "Ectopic, missed, extra and misplaced beats were found and corrected with time-varying thresholds "
                    + "(Lipponen & Tarvainen 2019); every change is listed in the corrections table."
            ]
        case .threshold:
            return [
                "Intervals further than \(plain(parameters.threshold)) s from the median of the eleven around them were "
                    + "replaced by interpolation."
            ]
        case .quotient:
            return [
                "Intervals that differed by more than \(Int((parameters.quotient * 100).rounded())) % from the median of "
                    + "their neighbours were left out."
            ]
        }
    }

    private static func rhythm(_ analysis: RecordingAnalysis, _ references: inout [Reference]) -> [String] {
        guard analysis.results.contains(where: { !$0.rhythm.isEmpty }) else { return [] }
        references.append(
            Reference(
                "Lian J, Wang L, Muessig D. A simple method to detect atrial fibrillation using RR intervals. Am J Cardiol "
                    + "2011;107(10):1494-1497.", doi: "10.1016/j.amjcard.2011.01.028"))
        return [
            "The rhythm was described, without diagnostic intent, from the times of beats: as irregular where the "
                + "Poincaré plot of \(analysis.parameters.rhythm.irregularIntervals) intervals was filled without order (after "
                + "Lian et al. 2011), else by premature beats and rate."
        ]
    }

    private static func respiration(_ analysis: RecordingAnalysis, _ references: inout [Reference]) -> [String] {
        var sentences: [String] = []
        if analysis.results.contains(where: { !$0.respiration.isEmpty }) {
            references.append(
                Reference(
                    "Charlton PH, Birrenkott DA, Bonnici T, et al. Breathing rate estimation from the electrocardiogram and "
                        + "photoplethysmogram: a review. IEEE Rev Biomed Eng 2018;11:2-20.",
                    doi: "10.1109/RBME.2017.2763681"))
            sentences.append(
                "Respiration rate was estimated from the modulation of beats by breathing in windows of "
                    + "\(plain(analysis.parameters.respiration.window)) s (Charlton et al. 2018).")
        }
        if !analysis.belts.isEmpty {
            sentences.append("Respiration rate was also taken from the breaths in the respiration signal.")
        }
        return sentences
    }

    private static func heartSleep(_ analysis: RecordingAnalysis, _ references: inout [Reference]) -> [String] {
        guard analysis.results.contains(where: { $0.sleep.contains { $0.asleep != nil } }) else { return [] }
        references += [
            Reference(
                "Perez-Pozuelo I, Posa M, Spathis D, et al. Detecting sleep outside the clinic using wearable heart rate "
                    + "devices. Sci Rep 2022;12:7956.", doi: "10.1038/s41598-022-11792-7"),
            Reference(
                "Ben-Dov IZ, Kark JD, Ben-Ishay D, et al. Blunted heart rate dip during sleep and all-cause mortality. Arch "
                    + "Intern Med 2007;167(19):2116-2121.", doi: "10.1001/archinte.167.19.2116"),
        ]
        return [
            "Sleep was told from wake in 30 s by sustained low heart rate (after Perez-Pozuelo et al. 2022), with a limit set "
                + "within the recording, where one period of it was \(plain(HeartSleep.leastSleep)) h or longer and the mean rate "
                + "fell by \(plain((HeartSleep.leastDip * 100).rounded())) % or more (Ben-Dov et al. 2007)."
        ]
    }
}
