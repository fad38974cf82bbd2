import Cardiac
import Pipeline
import Signals

extension Methods {
    /// What was done, as a paragraph for a paper.
    init(describing analysis: RecordingAnalysis, version: String) {
        var sentences = ["Recordings were analyzed with Marey \(version)."]
        var references: [Reference] = []
        let kinds = Set(analysis.results.map(\.source.kind))
        if kinds.contains(.ecg) {
            sentences.append(
                "R peaks were detected in the electrocardiogram by a streaming detector and refined on the original "
                    + "samples.")
        }
        if kinds.contains(.bvp) {
            sentences.append("Systolic peaks were detected in the blood volume pulse by a streaming detector.")
        }
        if kinds.contains(.ibi) { sentences.append("Inter-beat intervals were taken as the device recorded them.") }
        sentences.append(
            "No interval was taken across a gap in the recording or across signal in which no beat could be seen.")
        sentences += Self.correction(analysis.parameters.correction, &references)
        sentences += Self.variability(analysis.parameters.hrv, &references)
        if kinds.contains(.ecg) || kinds.contains(.bvp) {
            sentences.append("Signal quality was assessed in overlapping windows from 0 (unusable) to 1 (clean).")
        }
        self.init(paragraph: sentences.joined(separator: " "), references: references)
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
                "Intervals further than \(parameters.threshold) s from the median of the eleven around them were "
                    + "replaced by interpolation."
            ]
        case .quotient:
            return [
                "Intervals that differed by more than \(Int((parameters.quotient * 100).rounded())) % from the median of "
                    + "their neighbours were left out."
            ]
        }
    }

    private static func variability(_ parameters: HRVParameters, _ references: inout [Reference]) -> [String] {
        references.append(
            Reference(
                "Task Force of the European Society of Cardiology and the North American Society of Pacing and "
                    + "Electrophysiology. Heart rate variability: standards of measurement, physiological "
                    + "interpretation, and clinical use. Circulation 1996;93(5):1043-1065.",
                doi: "10.1161/01.CIR.93.5.1043"))
        let window =
            parameters.window.map { "windows of \(plain($0)) s every \(plain(parameters.step)) s" }
            ?? "one window over the whole recording"
        let bands = parameters.bands
        return [
            "Heart-rate variability was computed after the Task Force (1996) in \(window); a window was used where "
                + "normal-to-normal intervals covered at least \(Int((parameters.minimumCoverage * 100).rounded())) % of it.",
            "Spectra were estimated by Welch's method on intervals resampled at \(plain(parameters.resamplingRate)) Hz, "
                + "with bands VLF \(band(bands.vlf)), LF \(band(bands.lf)) and HF \(band(bands.hf)) Hz.",
        ]
    }

    private static func band(_ band: FrequencyBand) -> String { "\(plain(band.lower))-\(plain(band.upper))" }

    private static func plain(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e9 ? String(Int(value)) : String(value)
    }
}
