import Acquisition
import Cohort
import Decoding
import Pipeline
import Sessions
import Signals
import Study

/// What follows when a session is over: its results, and the models of the calibration tasks that were done in it.
struct SessionConclusion: Sendable {
    /// The session's number.
    let id: Int
    let target: SessionTarget
    let study: StudyFolder
    let parameters: Parameters
    let now: @Sendable () -> Timestamp
    /// Told what could not be done, without the participant.
    let complain: @Sendable (String) -> Void

    /// Takes seconds: for a thread of its own.
    func conclude(_ summary: SessionSummary, _ calibrated: [Prediction]) {
        do { try compute(summary) } catch {
            // The recording is whole; `marey study status` tells what could not be computed.
            complain("after session \(id): \(Discretion.text(error))")
        }
        for prediction in calibrated {
            do { try fit(prediction) } catch {
                complain("fitting \(prediction.name) to session \(id): \(Discretion.text(error))")
            }
        }
    }

    private func compute(_ summary: SessionSummary) throws {
        try target.note(.finishing, at: now())
        try target.note(.finished, at: now())
        if summary.streams.contains(where: { $0.count > 0 }), let name = target.name {
            _ = try StudyAnalysis(study: study, parameters: parameters).run(only: name)
        }
        _ = try target.queueUpload(at: now())
    }

    private func fit(_ prediction: Prediction) throws {
        guard let subject = target.name?.subject else { return }
        _ = try CalibrationFitting(CalibrationDesk(study, who: "service"), parameters: parameters).fitAfterTask(
            prediction, of: subject, to: target.file, at: now())
    }
}
