/// Why a stretch of signal is not good: one set of reasons for all modalities.
public enum QualityReason: String, Codable, CaseIterable, Sendable {
    /// Samples are missing, or were not recorded.
    case gap
    /// The signal does not change.
    case flat
    /// The signal is cut off at the end of the amplifier's range.
    case saturated
    /// Muscle or other fast noise is as large as what is to be measured.
    case noise
    /// The baseline moves far more than what is to be measured.
    case baselineWander
    /// The mains' hum is as large as what is to be measured.
    case mains
    /// The level jumps: an electrode lost its hold.
    case electrodePop
    /// The body moved.
    case motion
    /// No beats where there should be some.
    case noBeats
    /// Beats that follow each other faster or slower than a heart can.
    case implausibleRate
    /// The beats do not look like one another.
    case lowTemplateCorrelation
    /// The pulse is far weaker than it was.
    case lowPerfusion
    /// Two different detectors find different beats.
    case detectorsDisagree
    /// The sensor is not on the body, or comes off.
    case offBody
    /// The skin conducts less than skin does: an electrode has no hold.
    case lowConductance
    /// The values cannot be what they are said to be.
    case outOfRange
    /// The signal changes faster than what is measured can.
    case implausibleChange
    /// The channel has nothing in common with the others, or is the same as they are.
    case uncorrelated
    /// Not two other channels bear it out: noise of its spectrum would look as good. It may be used.
    case unconfirmed
    /// The eyes blink all the time.
    case manyBlinks
    /// The headband is not on the head.
    case headbandOffHead
    /// The head moves too much.
    case motionTooHigh
    /// The EEG is not usable.
    case eegFailure

    /// The code of the headband's status stream, whose 0 means passed; nil for reasons it does not know.
    public var wireCode: Int? {
        switch self {
        case .headbandOffHead, .offBody: 1
        case .motionTooHigh: 2
        case .eegFailure: 3
        default: nil
        }
    }

    /// What the reason says, in a few words for a reader of a report.
    public var explanation: String {
        switch self {
        case .gap: "samples missing"
        case .flat: "flat line"
        case .saturated: "cut off at the range's end"
        case .noise: "muscle or other fast noise"
        case .baselineWander: "baseline wander"
        case .mains: "mains hum"
        case .electrodePop: "electrode pop"
        case .motion: "motion"
        case .noBeats: "no beats"
        case .implausibleRate: "implausible rate"
        case .lowTemplateCorrelation: "beats unlike one another"
        case .lowPerfusion: "weak pulse"
        case .detectorsDisagree: "detectors disagree"
        case .offBody: "sensor off the body"
        case .lowConductance: "electrode without hold"
        case .outOfRange: "values out of range"
        case .implausibleChange: "implausibly fast change"
        case .uncorrelated: "nothing in common with other channels"
        case .unconfirmed: "not borne out by other channels"
        case .manyBlinks: "blinks all the time"
        case .headbandOffHead: "headband off head"
        case .motionTooHigh: "motion too high"
        case .eegFailure: "EEG failure"
        }
    }
}
