public import Signals

/// Why predictions cannot run together, or at all.
public enum PredictionRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// No prediction has this name.
    case unknown(String)
    /// A stream is not there: the prediction, and the kinds of which one is needed.
    case stream(String, needs: [String])
    /// The prediction is not calibrated: where it stands.
    case notCalibrated(String, CalibrationStatus)
    /// This prediction runs alone.
    case excludesOthers(String)
    /// Whoever asks may not use this prediction.
    case notAuthorised(String)
    /// A model was made for other EEG than there is: why it does not fit.
    case modelMismatch(String)

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .unknown(let name):
            "no prediction is called \(name); there are \(Prediction.all.map(\.name).joined(separator: ", "))"
        case .stream(let name, let needs):
            "\(name) needs \(needs.joined(separator: " or ")): connect a device that has it"
        case .notCalibrated(let name, let status): "\(name) is not ready for this participant: \(status.explanation)"
        case .excludesOthers(let name): "\(name) runs alone: leave out the other predictions"
        case .notAuthorised(let name): "this key does not allow \(name): ask for one that does"
        case .modelMismatch(let why): "a model of this participant does not fit the EEG of these devices: \(why)"
        }
    }

    /// A stable word for programs.
    public var reason: String {
        switch self {
        case .unknown: "unknownPrediction"
        case .stream: "noStream"
        case .notCalibrated: "notCalibrated"
        case .excludesOthers: "excludesOthers"
        case .notAuthorised: "notAuthorised"
        case .modelMismatch: "modelMismatch"
        }
    }
}

extension Prediction {
    /// The predictions of these names.
    /// - Parameter allowed: the names that whoever asks may use; nil: all.
    public static func named(_ names: [String], allowed: Set<String>? = nil) throws(PredictionRefusal) -> [Prediction] {
        var found: [Prediction] = []
        for name in names {
            guard let prediction = named(name) else { throw .unknown(name) }
            if let allowed, !allowed.contains(name) { throw .notAuthorised(name) }
            if !found.contains(prediction) { found.append(prediction) }
        }
        return found
    }

    /// Throws why `predictions` cannot run with these streams and for a participant who stands there; nothing where they
    /// can.
    /// - Parameter streams: the kinds that are there; nil where that is not known yet.
    public static func demand(
        _ predictions: [Prediction], streams: Set<StreamKind>?, statuses: (Prediction) -> CalibrationStatus
    ) throws(PredictionRefusal) {
        if predictions.count > 1, let alone = predictions.first(where: \.excludesOthers) {
            throw .excludesOthers(alone.name)
        }
        if let streams { try demand(predictions, among: streams) }
        for prediction in predictions {
            let status = statuses(prediction)
            guard status == .modelsAvailable else { throw .notCalibrated(prediction.name, status) }
        }
    }

    /// Throws which of `predictions` needs a stream that is not among those of these kinds; nothing where all are there.
    public static func demand(
        _ predictions: [Prediction], among streams: Set<StreamKind>
    ) throws(PredictionRefusal) {
        for prediction in predictions {
            for needs in prediction.streams where needs.isDisjoint(with: streams) {
                throw .stream(prediction.name, needs: needs.map(\.rawValue).sorted())
            }
        }
    }
}
