import Electrochemistry
import Pipeline

extension Methods {
    /// What was computed of what potentiostats measured; nothing where there is none.
    static func electrochemistry(_ analysis: RecordingAnalysis, _ references: inout [Reference]) -> [String] {
        let results = analysis.electrochemistry
        var sentences: [String] = []
        if results.contains(where: { !$0.sweeps.isEmpty }) {
            sentences.append(
                "Voltammetry, linear or cyclic, was cut into sweeps in which the potential as a whole rises or falls evenly over "
                    + "at least ten points, and each peak of current was told by its potential and by its height over the line "
                    + "between its feet.")
        }
        if results.contains(where: { !$0.steps.isEmpty }) {
            sentences.append(
                "Chronoamperometry was cut into steps of potential; of each the baseline is the median current over its last "
                    + "fifth, the peak the current furthest from that, and the charge the integral of current over time."
            )
        }
        let spectra = results.flatMap(\.spectra)
        if spectra.contains(where: { $0.circle != nil }) {
            references.append(
                Reference(
                    "Kåsa I. A circle fitting procedure and its error analysis. IEEE Trans Instrum Meas 1976;IM-25(1):8-14.",
                    doi: "10.1109/TIM.1976.6312298"))
            sentences.append(
                "To the capacitive points of impedance spectra a semicircle was fitted by least squares (Kåsa 1976), whose ends on "
                    + "the real axis give the resistances of the solution and of charge transfer.")
        } else if !spectra.isEmpty {
            sentences.append("Impedance spectra were taken as measured; none has a semicircle that could be fitted.")
        }
        if !sentences.isEmpty { sentences.append("Points beyond the instrument's range were left out.") }
        return sentences
    }
}
