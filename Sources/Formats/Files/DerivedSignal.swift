import Signals

/// Names of values that a program computed from a signal, such as the columns that NeuroKit2's `bio_process` adds:
/// `ECG_Rate`, `RSP_Phase`, `SCR_Peaks`. They name the signal but are not it.
enum DerivedSignal {
    /// The kind of a derived value: heart rate, or `other`; nil for the name of a signal.
    static func kind(ofWords words: [String], unit: Unit) -> StreamKind? {
        guard words.count > 1 || words.first.map(closed.contains) == true else { return nil }
        let stems = words.map { word in String(word.reversed().drop(while: \.isNumber).reversed()) }
        let named = stems.filter { !values.contains($0) && !rates.contains($0) && !isAmplitude($0) }
        if stems.contains(where: values.contains) { return .other }
        // `SCR/min`: responses, not conductance.
        if stems.contains("SCR"), stems.contains("MIN") { return .other }
        if stems.contains(where: rates.contains) {
            if named.contains("FLOW") || named.contains("SAMPLE") || named.contains("SAMPLING") { return nil }
            let isOfHeart = named.contains { word in
                hearts.contains(word) || ["PULS", "CARDI", "ELECTROCARDIO"].contains { word.hasPrefix($0) }
            }
            return isOfHeart && !UnitEvidence.contradicts(.heartRate, unit) ? .heartRate : .other
        }
        // `ECG amplitude (mV)` is how some call the axis of a plot.
        return stems.contains(where: isAmplitude) && unit.factor(to: .volts) == nil ? .other : nil
    }

    /// The name of a signal without the word that says that it was cleaned; nil where none says so.
    static func cleaned(_ label: String) -> String? {
        let words = words(label)
        guard words.count > 1, words.contains(where: clean.contains) else { return nil }
        return words.filter { !clean.contains($0) }.joined(separator: " ")
    }

    /// The name of a signal without the word that says that it is as it was recorded.
    static func raw(_ label: String) -> String {
        words(label).filter { $0 != "RAW" }.joined(separator: " ")
    }

    private static func words(_ text: String) -> [String] {
        text.uppercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map(String.init)
    }

    private static func isAmplitude(_ word: String) -> Bool { word == "AMPLITUDE" || word == "AMPLITUDES" }

    private static let clean: Set<String> = ["CLEAN", "CLEANED", "FILTERED", "FILT", "DENOISED"]
    private static let rates: Set<String> = ["RATE", "RATES", "BPM"]
    private static let hearts: Set<String> = ["HEART", "ECG", "EKG", "PPG", "BVP", "HR", "HEARTRATE"]
    /// Words in one piece.
    private static let closed: Set<String> = ["SIGNALQUALITY", "PPGQUALITY", "ECGQUALITY", "HRQUALITY"]
    private static let values: Set<String> = [
        "QUALITY", "SQI", "PEAK", "PEAKS", "TROUGH", "TROUGHS", "ONSET", "ONSETS", "OFFSET", "OFFSETS", "PHASE",
        "PHASIC",
        "TONIC", "HEIGHT", "RISETIME", "RECOVERY", "RECOVERYTIME", "RVT", "SYMMETRY", "COMPLETION", "BLINK", "BLINKS",
        "VALIDITY", "CONFIDENCE", "SIGNALQUALITY", "PPGQUALITY", "ECGQUALITY", "HRQUALITY",
    ]
}
