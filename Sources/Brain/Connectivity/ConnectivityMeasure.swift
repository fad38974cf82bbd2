import Signals

/// How alike two channels are at one frequency, over epochs.
public enum ConnectivityMeasure: String, Codable, CaseIterable, Sendable {
    /// |Σ S| / √(Σ|X|²·Σ|Y|²) of the cross-spectra S = X·Y*.
    case coherence
    /// Im Σ S / √(Σ|X|²·Σ|Y|²).
    case imaginaryCoherence
    /// |Σ S/|S|| / n.
    case plv
    /// |Σ Im S| / Σ |Im S|.
    case wpli

    /// The fewest epochs that give a value.
    public static let leastEpochs = 8

    /// What it is, in words without an end.
    var definition: String {
        switch self {
        case .coherence:
            "Coherence, not squared: magnitude of the mean cross-spectrum over the root of the product of the mean auto-spectra"
        case .imaginaryCoherence:
            "Imaginary part of coherency, of the mean cross-spectrum over the root of the product of the mean auto-spectra; positive where the second channel lags"
        case .plv: "Phase locking value: magnitude of the mean cross-spectrum of unit length"
        case .wpli:
            "Weighted phase lag index: magnitude of the mean imaginary part of the cross-spectrum over its mean magnitude"
        }
    }

    /// Where its definition comes from.
    var reference: String {
        switch self {
        case .coherence: "Carter 1987, Proceedings of the IEEE 75:236"
        case .imaginaryCoherence: "Nolte et al. 2004, Clinical Neurophysiology 115:2292"
        case .plv: "Lachaux et al. 1999, Human Brain Mapping 8:194"
        case .wpli: "Vinck et al. 2011, NeuroImage 55:1548"
        }
    }

    /// What follows a band's name in the name of a column.
    var suffix: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// The bands connectivity is given for.
    static func bands(_ bands: EEGBands) -> [(name: String, title: String, band: EEGBand)] {
        [
            ("delta", "delta", bands.delta), ("theta", "theta", bands.theta), ("alpha", "alpha", bands.alpha),
            ("lowBeta", "low beta", bands.lowBeta), ("highBeta", "high beta", bands.highBeta),
            ("gamma", "gamma", bands.gamma),
        ]
    }

    /// A column per band and measure: the bands' order, and within a band that of `allCases`.
    static func columns(_ parameters: EEGFeatureParameters) -> [Column] {
        bands(parameters.bands).flatMap { name, title, band in
            allCases.map { measure in
                Column(
                    "\(name)\(measure.suffix)", unit: .dimensionless,
                    "\(measure.definition); over the window's epochs (Hann), averaged over the bins of the \(title) band, \(band.description).",
                    reference: measure.reference, leastData: "\(leastEpochs) epochs in which both channels are usable")
            }
        }
    }
}
