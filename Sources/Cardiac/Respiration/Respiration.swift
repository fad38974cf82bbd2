public import Signals

/// The table of respiration windows.
public enum Respiration {
    /// The columns, in order.
    public static let columns: [Column] = [
        Column("onset", unit: .seconds, "Start of the window from the start of the recording"),
        Column("duration", unit: .seconds, "Length of the window; a long gap is one window"),
        Column(
            "method",
            "What the rate is told from: rsa (NN intervals), ecgAmplitude (height of QRS complexes), bvpAmplitude, "
                + "bvpBaseline and bvpInterval (height, level and spacing of pulses), bvpFusion (these three), fusion "
                + "(several), belt (breaths in a respiration signal)",
            reference: "Moody et al. 1985, Comput Cardiol 12:113-116; Charlton et al. 2016, Physiol Meas 37:610-626"),
        Column("coverage", unit: .dimensionless, "Share of the window with data, 0 to 1"),
        Column(
            "respirationRate", unit: Unit("breaths/min"),
            "Breaths per minute: the frequency of the highest peak in the Lomb-Scargle periodogram of what breathing "
                + "modulates; the mean of several methods, weighted by quality, where these agree, or one that stands "
                + "out, but never the height of pulses alone, and intervals alone only well above the slow waves of blood "
                + "pressure; the mean interval between "
                + "breaths for a belt",
            reference: "Charlton et al. 2018, IEEE Rev Biomed Eng 11:2-20; Karlen et al. 2013, IEEE Trans Biomed Eng "
                + "60:1946-1953",
            leastData: "half the window covered, \(ModulationSpectrum.leastBeats) beats and three breaths, and a peak "
                + "that stands out"),
        Column(
            "respirationQuality", unit: .dimensionless,
            "How far the rate can be trusted, 0 to 1: share of the power around the highest peak, less where methods "
                + "differ; for a belt, likeness of the breaths in shape and length",
            reference:
                "Birrenkott et al. 2018, IEEE Trans Biomed Eng 65:2033-2041; Charlton et al. 2021, Biomed Signal "
                + "Process Control 65:102339"),
        Column("respirationReason", "Why there is no rate"),
    ]

    /// The table of windows.
    public static func table(_ windows: [RespirationWindow]) -> Table {
        var table = Table(columns: columns)
        for window in windows {
            table.append([
                .onset(window.onset), .onset(window.duration), .text(window.method.rawValue),
                .number(window.coverage), .optional(window.rate), .number(window.quality),
                window.missing.map { .text($0.description) } ?? .missing,
            ])
        }
        return table
    }
}
