public import Cohort
import Decoding
public import Pipeline
public import Signals
public import Study

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

extension PredictionPlan {
    /// Makes sure that the models fit the streams that were found before the session.
    /// - Throws: `PredictionRefusal` where one was made for other EEG; `ModelError` where a model is gone or was changed.
    public func demandFit(to streams: [StreamHeader], in study: StudyFolder, parameters: Parameters) throws {
        let request = try request(in: study)
        do { try request.demandFit(to: streams, parameters: parameters) } catch {
            throw PredictionRefusal.modelMismatch("\(error)")
        }
    }
}
