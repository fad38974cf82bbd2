/// What a stream measures.
public enum StreamKind: String, Codable, CaseIterable, Sendable {
    case ecg, bvp, eda, temperature, acceleration, gyroscope, eeg, respiration
    case ibi, heartRate, battery, marker
    case potential, current, impedance
    case other
}
