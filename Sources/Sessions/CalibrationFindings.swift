import Foundation
import Pipeline
public import Study

extension CalibrationDesk {
    /// Checks that every noted model's card is there as it was noted: an error where it is the participant's latest for its
    /// prediction, a warning where a later one replaced it.
    /// - Parameter readsCards: false where it is enough that they are there.
    /// - Throws: `StudyError` when the bookkeeping cannot be read.
    public func modelFindings(readsCards: Bool = true) throws -> [StudyFinding] {
        let models = try bookkeeping.models()
        let latest = Set(
            Dictionary(grouping: models) { [$0.participant, $0.prediction] }.values.compactMap { $0.last?.id })
        return models.compactMap { model in
            let card = study.root.appendingPathComponent(model.file)
            guard FileManager.default.fileExists(atPath: card.path) else {
                return finding("is noted as a model but is not there", model, latest)
            }
            guard readsCards else { return nil }
            guard let hash = try? InputHash(of: card) else { return finding("cannot be read", model, latest) }
            return hash.sha256 == model.sha256 ? nil : finding("has changed since it was noted", model, latest)
        }
    }

    private func finding(_ problem: String, _ model: ModelRecord, _ latest: Set<Int64>) -> StudyFinding {
        let isLatest = latest.contains(model.id)
        return StudyFinding(
            severity: isLatest ? .error : .warning, path: model.file,
            problem: problem + (isLatest ? "; fit it again" : "; a later one replaced it"))
    }
}
