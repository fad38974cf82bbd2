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
                "by convex optimisation (cvxEDA; Greco et al. 2016) in overlapping blocks of "
                + "\(plain(parameters.blockLength)) s"
        case .highPass: separation = "by a low-pass filter at 0.05 Hz"
        case .median: separation = "by a running median of \(plain(parameters.medianWindow)) s"
        }
        references.append(
            Reference(
                "Kleckner IR, Jones RM, Wilder-Smith O, et al. Simple, transparent, and flexible automated quality "
                    + "assessment procedures for ambulatory electrodermal activity data. IEEE Trans Biomed Eng "
                    + "2018;65(7):1460-1467.", doi: "10.1109/TBME.2017.2758643"))
        let told = [
            "Skin conductance outside its possible range or changing faster than skin does was marked as artefact (after "
                + "Kleckner et al. 2018), and so were steps that came as an accelerometer of the same device moved, where one "
                + "was recorded, and moments for which the quality of the signal was below 0.5. It was separated into tonic and "
                + "phasic components \(separation); responses of at least \(plain(parameters.responses.leastAmplitude)) µS were "
                + "taken from the recorded conductance, with level and responses told in windows of "
                + "\(plain(parameters.window)) s."
        ]
        return told + events(analysis, &references)
    }

    private static func events(_ analysis: RecordingAnalysis, _ references: inout [Reference]) -> [String] {
        guard analysis.electrodermal.contains(where: { !$0.events.isEmpty }) else { return [] }
        let latency = analysis.parameters.eda.responseLatency
        references.append(Reference("Boucsein W. Electrodermal Activity. 2nd ed. New York: Springer; 2012."))
        return [
            "The response to an event was the first that began \(plain(latency.lowerBound)) to \(plain(latency.upperBound)) s "
                + "after it (Boucsein 2012); where none did though that time was well recorded, its amplitude was "
                + "taken as 0."
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
                "Movement was described in epochs of \(plain(parameters.epoch)) s by the mean of what exceeds 1 g (ENMO; van Hees et al. "
                    + "2013), the mean amplitude deviation (Vähä-Ypyä et al. 2015), angles, counts and steps; epochs of which half "
                    + "or more was not usable have none.")
            sentences += inactivity(analysis, &references)
        }
        if kinds.contains(.temperature) {
            sentences.append("Skin temperature was averaged over windows of \(plain(parameters.temperatureWindow)) s.")
        }
        return sentences
    }

    /// How sleep was told from acceleration, where it could be.
    private static func inactivity(_ analysis: RecordingAnalysis, _ references: inout [Reference]) -> [String] {
        let told = analysis.motion.filter { $0.sleep.contains { $0.asleep != nil } }
        guard !told.isEmpty else { return [] }
        references.append(
            Reference(
                "van Hees VT, Sabia S, Anderson KN, et al. A novel, open method to assess sleep duration using a wrist-worn "
                    + "accelerometer. PLoS ONE 2015;10(11):e0142533.", doi: "10.1371/journal.pone.0142533"))
        let isScored = told.contains { $0.sleepSource == .acceleration }
        let what =
            isScored
            ? "Sleep and wake were classified in epochs of \(plain(SleepEpoch.length)) s by sustained inactivity"
            : "Epochs of \(plain(SleepEpoch.length)) s were searched for sustained inactivity"
        let scoring =
            isScored
            ? ""
            : " It was not scored as sleep, as less than \(plain(analysis.parameters.motion.minimumNight)) h were known to lie "
                + "between 21:00 and 09:00 local time."
        return [
            what + ": the angle of the "
                + "accelerometer's last axis to the horizontal did not change by more than 5° from one mean of 5 s to the next "
                + "for five minutes or more (van Hees et al. 2015); hours in which the sensor did not move at all were taken as "
                + "not worn (van Hees et al. 2013)." + scoring
        ]
    }
}
