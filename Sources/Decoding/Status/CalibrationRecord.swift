public import Signals

/// One change of a calibration's status.
public struct CalibrationTransition: Hashable, Codable, Sendable {
    /// When.
    public var time: Timestamp
    /// What happened.
    public var action: CalibrationAction
    /// Where it led.
    public var status: CalibrationStatus
    /// Why, in words a person understands.
    public var cause: String
    /// Who did it.
    public var who: String
    /// The cause of a refusal, for programs; nil for other changes, and for those of versions that noted none.
    public var reason: RefusalReason?

    /// A change as it was noted.
    public init(
        time: Timestamp, action: CalibrationAction, status: CalibrationStatus, cause: String, who: String,
        reason: RefusalReason? = nil
    ) {
        (self.time, self.action, self.status, self.cause, self.who) = (time, action, status, cause, who)
        self.reason = reason
    }
}

/// Where a participant stands with one prediction, and how it came to that. Its history is the truth: the status is
/// that of its last transition.
public struct CalibrationRecord: Hashable, Codable, Sendable {
    /// All changes, in order of time.
    public private(set) var history: [CalibrationTransition] = []

    /// A participant of whom nothing is known.
    public init() {}

    /// The record with this history.
    /// - Throws: the first change that is not allowed where it stands.
    public init(history: [CalibrationTransition]) throws(CalibrationRefusal) {
        for transition in history {
            try apply(
                transition.action, cause: transition.cause, who: transition.who, at: transition.time,
                reason: transition.reason)
        }
    }

    /// Where the participant stands.
    public var status: CalibrationStatus { history.last?.status ?? .unknown }

    /// The transition to the present status; nil when nothing has happened.
    public var latest: CalibrationTransition? { history.last }

    /// Notes that something happened.
    /// - Throws: `CalibrationRefusal` where the present status does not allow it; nothing is noted then.
    /// - Returns: what was noted.
    @discardableResult
    public mutating func apply(
        _ action: CalibrationAction, cause: String, who: String, at time: Timestamp, reason: RefusalReason? = nil
    ) throws(CalibrationRefusal) -> CalibrationTransition {
        let before = history.last { $0.status != .blocked }?.status ?? .unknown
        guard let next = action.result(from: status, before: before) else {
            throw CalibrationRefusal(action: action, status: status)
        }
        let transition = CalibrationTransition(
            time: time, action: action, status: next, cause: cause, who: who, reason: reason)
        history.append(transition)
        return transition
    }
}

extension Prediction {
    /// Where a participant stands with this prediction, `own` being the status of its own record and `others` that of the
    /// predictions it rests on.
    ///
    /// One that needs no calibration is available unless it is blocked; one that rests on others stands where the least
    /// of them does.
    public func status(own: CalibrationStatus, others: (String) -> CalibrationStatus) -> CalibrationStatus {
        if own == .blocked { return .blocked }
        switch calibration {
        case .none: return .modelsAvailable
        case .ownTask: return own
        case .others(let names):
            let statuses = names.map(others)
            if statuses.contains(.blocked) { return .blocked }
            return statuses.min { $0.rawValue < $1.rawValue } ?? .unknown
        }
    }
}
