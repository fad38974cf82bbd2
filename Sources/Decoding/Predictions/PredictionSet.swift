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

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .unknown(let name):
            "no prediction is called \(name); there are \(Prediction.all.map(\.name).joined(separator: ", "))"
        case .stream(let name, let needs):
            "\(name) needs \(needs.joined(separator: " or ")): connect a device that has it"
        case .notCalibrated(let name, let status): "\(name) is not ready for this participant: \(status.explanation)"
        case .excludesOthers(let name): "\(name) runs alone: leave out the other predictions"
        }
    }
}

extension Prediction {
    /// Throws why `predictions` cannot run with these streams and for a participant who stands there; nothing where they
    /// can.
    public static func demand(
        _ predictions: [Prediction], streams: Set<StreamKind>, statuses: (Prediction) -> CalibrationStatus
    ) throws(PredictionRefusal) {
        if predictions.count > 1, let alone = predictions.first(where: \.excludesOthers) {
            throw .excludesOthers(alone.name)
        }
        for prediction in predictions {
            for needs in prediction.streams where needs.isDisjoint(with: streams) {
                throw .stream(prediction.name, needs: needs.map(\.rawValue).sorted())
            }
            let status = statuses(prediction)
            guard status == .modelsAvailable else { throw .notCalibrated(prediction.name, status) }
        }
    }
}
