/// What may happen to a participant's calibration.
public enum CalibrationAction: String, Codable, CaseIterable, Sendable {
    /// The participant is to use the prediction.
    case register
    /// The calibration task was done.
    case complete
    /// A model was fitted and is better than chance.
    case accept
    /// No model that is better than chance could be fitted.
    case refuse
    /// The model is too old, or the person's signals have drifted away from it.
    case expire
    /// All starts again.
    case reset
    /// The prediction is closed to the participant.
    case block
    /// It is opened again, and stands where it stood.
    case unblock

    /// The status it leads to from `status`, with `before` what a block interrupted; nil where it is not allowed.
    func result(from status: CalibrationStatus, before: CalibrationStatus) -> CalibrationStatus? {
        switch (self, status) {
        case (.block, .blocked): nil
        case (.block, _): .blocked
        case (.unblock, .blocked): before
        case (_, .blocked), (.unblock, _): nil
        case (.register, .unknown): .needsCalibration
        case (.complete, .needsCalibration), (.complete, .calibrationDone), (.complete, .modelsAvailable):
            .calibrationDone
        case (.accept, .calibrationDone): .modelsAvailable
        case (.refuse, .calibrationDone), (.expire, .modelsAvailable): .needsCalibration
        case (.reset, .needsCalibration), (.reset, .calibrationDone), (.reset, .modelsAvailable): .needsCalibration
        default: nil
        }
    }
}

/// An action that the calibration's status does not allow.
public struct CalibrationRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was to happen.
    public var action: CalibrationAction
    /// Where the participant stands.
    public var status: CalibrationStatus

    /// The refusal of an action.
    public init(action: CalibrationAction, status: CalibrationStatus) {
        (self.action, self.status) = (action, status)
    }

    /// What is wrong, and what to do.
    public var description: String {
        let allowed = CalibrationAction.allCases.filter { $0.result(from: status, before: .needsCalibration) != nil }
        return "cannot \(action.rawValue) a calibration whose status is \(status.name): from there one can "
            + allowed.map(\.rawValue).joined(separator: ", ")
    }
}
