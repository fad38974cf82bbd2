/// Where a participant stands with a prediction.
public enum CalibrationStatus: Int, Codable, CaseIterable, Sendable {
    /// Nothing is known.
    case unknown = -100
    /// The prediction is closed to the participant.
    case blocked = -1
    /// The calibration task is still to be done.
    case needsCalibration = 0
    /// The task is done; there is no model yet.
    case calibrationDone = 1
    /// There is a model that is better than chance.
    case modelsAvailable = 2

    /// The status' name (`needsCalibration`).
    public var name: String { "\(self)" }

    /// What it means, for people.
    public var explanation: String {
        switch self {
        case .unknown: "nothing is known yet"
        case .blocked: "blocked"
        case .needsCalibration: "the calibration task is still to be done"
        case .calibrationDone: "the calibration task is done, a model is not fitted yet"
        case .modelsAvailable: "a model is available"
        }
    }
}
