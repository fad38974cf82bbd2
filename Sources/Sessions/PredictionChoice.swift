public import Cohort
import Decoding
public import Signals

extension CalibrationDesk {
    /// The plan of a session with these predictions.
    /// - Parameters:
    ///   - allowed: the names that whoever asks may use; nil: all.
    ///   - streams: the kinds of streams that are there; nil where that is not known yet.
    /// - Returns: nil where none are asked for.
    /// - Throws: `PredictionRefusal` why they cannot run; `ModelError` where a model's file is gone.
    public func plan(
        _ names: [String], of subject: String, allowed: Set<String>? = nil, streams: Set<StreamKind>? = nil
    ) throws -> PredictionPlan? {
        guard !names.isEmpty else { return nil }
        let predictions = try Prediction.named(names, allowed: allowed)
        let subject = try Self.participant(subject)
        let book = try book(of: subject)
        try Prediction.demand(predictions, streams: streams, statuses: book.status)
        return try PredictionPlan(predictions, of: subject, bookkeeping: bookkeeping)
    }
}
