import Acquisition
import Cohort
import Decoding
import Pipeline
import Sessions
import Signals
import Study

/// What follows when a session is over: its results, and the models of the calibration tasks that were done in it.
struct SessionAftermath: Sendable {
    /// The session's number.
    let id: Int
    let target: SessionTarget
    let study: StudyFolder
    let parameters: Parameters
    let now: @Sendable () -> Timestamp
    /// Told what could not be done, without the participant.
    let complain: @Sendable (String) -> Void

    /// Takes seconds: for a thread of its own.
    /// - Returns: what is left to do, in words.
    func conclude(_ summary: SessionSummary, _ calibrated: [Prediction]) -> [String] {
        var notes: [String] = []
        do { notes = try compute(summary) } catch let error as StudyError where error == .erasedMeanwhile(in: study) {
            tell(error)
            return [error.problem]
        } catch {
            tell(error)
            notes = [
                "what was recorded is whole, but not noted: \(Discretion.text(error)); run marey recover --in-place on it"
            ]
        }
        for prediction in calibrated {
            do { try fit(prediction) } catch {
                complain("fitting \(prediction.name) to session \(id): \(Discretion.text(error))")
            }
        }
        return notes
    }

    /// The session failed. Whoever did a calibration task in it does not wait for a model that cannot come.
    func giveUp(_ calibrated: [Prediction], because problem: String) {
        tell(problem)
        do { try target.note(.failed, because: problem, at: now()) } catch { tell(error) }
        guard let subject = target.name?.subject else { return }
        for prediction in calibrated {
            do {
                try CalibrationDesk(study, who: "service").withdraw(
                    prediction, of: subject,
                    cause: "the session failed before its recording was whole: repeat the calibration", at: now())
            } catch { tell(error) }
        }
    }

    private func compute(_ summary: SessionSummary) throws -> [String] {
        let hasSignals = summary.streams.contains { $0.count > 0 }
        let conclusion = try target.conclude(hasArrived: summary.hasArrived, markers: summary.events, now: now) {
            guard hasSignals, let name = target.name else { return }
            var analysis = StudyAnalysis(study: study, parameters: parameters)
            analysis.takesFinishing = true
            analysis.tell = { if case .failed(_, let error) = $0 { tell(error) } }
            _ = try analysis.run(only: name)
        }
        conclusion.problems.forEach(tell)
        guard summary.hasArrived else { return ["nothing arrived: there is nothing to compute"] }
        return conclusion.copying(of: study).map { [$0] } ?? []
    }

    /// The recording is whole; `marey study status` tells what could not be computed.
    private func tell(_ error: any Error) { tell("\(error)") }

    private func tell(_ words: String) { complain("after session \(id): \(Discretion.text(words))") }

    private func fit(_ prediction: Prediction) throws {
        guard let subject = target.name?.subject else { return }
        _ = try CalibrationFitting(CalibrationDesk(study, who: "service"), parameters: parameters).fitAfterTask(
            prediction, of: subject, to: target.file, at: now())
    }
}
