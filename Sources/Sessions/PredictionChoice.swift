public import Cohort
import Decoding
public import Pipeline
public import Signals
public import Study

extension CalibrationDesk {
    /// The plan of a session with these predictions, whatever streams it will have.
    /// - Parameter allowed: the names that whoever asks may use; nil: all.
    /// - Returns: nil where none are asked for.
    /// - Throws: `PredictionRefusal` why they cannot run; `ModelError` where a model's file is gone.
    public func plan(
        _ names: [String], of subject: String, allowed: Set<String>? = nil
    ) throws -> PredictionPlan? {
        guard !names.isEmpty else { return nil }
        let predictions = try Prediction.named(names, allowed: allowed)
        let subject = try Self.participant(subject)
        let book = try book(of: subject)
        try Prediction.demand(predictions, streams: nil, statuses: book.status)
        return try PredictionPlan(predictions, of: subject, bookkeeping: bookkeeping)
    }
}

extension PredictionPlan {
    /// Makes sure that the streams that were found before the session are those that the predictions need, and those that
    /// their models were made for.
    /// - Throws: `PredictionRefusal` where they are not; `ModelError` where a model is gone or was changed.
    public func demandFit(to streams: [StreamHeader], in study: StudyFolder, parameters: Parameters) throws {
        try Prediction.demand(Prediction.named(predictions), among: Set(streams.map(\.kind)))
        let request = try request(in: study)
        do { try request.demandFit(to: streams, parameters: parameters) } catch {
            throw PredictionRefusal.modelMismatch("\(error)")
        }
    }
}
