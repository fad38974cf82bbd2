/// What a respiration rate is told from.
public enum RespirationMethod: String, Codable, CaseIterable, Sendable {
    /// Respiratory sinus arrhythmia: the lengths of NN intervals.
    case rsa
    /// Height of the QRS complexes of the ECG.
    case ecgAmplitude
    /// Height of the pulses of the BVP.
    case bvpAmplitude
    /// Level of the BVP, midway between foot and peak of each pulse.
    case bvpBaseline
    /// Intervals between the pulses of the BVP.
    case bvpInterval
    /// Amplitude, baseline and interval of the BVP together.
    case bvpFusion
    /// Several methods together.
    case fusion
    /// Breaths in the signal of a belt, of chest impedance or of airflow.
    case belt

    /// Whether it rests on the lengths of intervals between beats.
    var restsOnIntervals: Bool { self == .rsa || self == .bvpInterval }

    /// Whether ectopic beats, which come early and fill less, swing it more than breathing does.
    var suffersFromEctopy: Bool { self != .bvpBaseline }
}
