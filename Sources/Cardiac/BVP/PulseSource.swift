/// The kind of sensor a pulse wave comes from, as far as its name says: an expectation of its polarity.
public enum PulseSource: String, Codable, CaseIterable, Sendable {
    /// The name says nothing. Most devices write pulses upright.
    case unknown
    /// A pulse wave, as monitors and wristbands write it: upright.
    case volume
    /// Light that a photodiode or camera receives, in counts or intensity: it falls as the blood volume rises.
    case intensity

    /// The source that a channel's label names: `PLETH`, `BVP` or `pulse` a volume; `RED`, `IR`, `green` or `raw` an
    /// intensity.
    public init(label: String) {
        let words = label.uppercased().split { !$0.isLetter }
        let isIntensity = words.contains { word in
            Self.intensities.contains(word) || word.hasPrefix("INFRARED") || word.hasPrefix("INTENSIT")
        }
        let isVolume = words.contains { word in ["PLETH", "BVP", "PULSE", "PULS"].contains { word.hasPrefix($0) } }
        self = isIntensity ? .intensity : isVolume ? .volume : .unknown
    }

    private static let intensities: Set<Substring> = ["R", "G", "B", "RED", "GREEN", "BLUE", "IR", "NIR", "RAW", "LED"]

    /// The log-odds that its pulses are upright.
    var logOdds: Float {
        switch self {
        case .unknown: 0.7
        case .volume: 0.8
        case .intensity: -0.7
        }
    }
}
