/// Why a channel of an epoch is not used.
public enum EpochReason: String, Codable, CaseIterable, Sendable {
    /// The recording has no samples for part of the epoch: it begins, ends or pauses within it.
    case gap
    /// The source marks samples of this channel as missing.
    case missing
    /// The channel does not change.
    case flat
    /// The channel stands at the amplifier's rail.
    case railed
    /// The mains' hum is larger than the EEG.
    case mains
    /// Muscle or other fast noise is larger than the EEG.
    case muscle
    /// The head moves.
    case motion
    /// The headband says that it is off the head, or that an electrode of the channel has no contact.
    case offBody
    /// The channel goes far beyond what a brain or an eye can do.
    case amplitude
    /// The channel was bad for longer than this epoch: it varies far more, or less, than the others.
    case deviant
    /// The channel was bad for longer than this epoch: it has nothing in common with the others, though its reference is
    /// theirs.
    case uncorrelated
    /// The channel is what all are measured against, and nothing is left of it; or fewer than half of the channels, which make
    /// no average, may be used.
    case reference

    /// What the reason says, in a few words for a reader of a report.
    public var explanation: String {
        switch self {
        case .gap: "recording incomplete"
        case .missing: "samples marked as missing"
        case .flat: "flat line"
        case .railed: "at the amplifier's rail"
        case .mains: "mains hum"
        case .muscle: "muscle or other fast noise"
        case .motion: "motion"
        case .offBody: "electrode off the body"
        case .amplitude: "amplitude beyond that of EEG"
        case .deviant: "variance unlike that of the other channels"
        case .uncorrelated: "nothing in common with the other channels"
        case .reference: "the reference itself, or too few channels for an average"
        }
    }
}
