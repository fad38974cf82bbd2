import Decoding
public import Foundation
public import Pipeline
import Study

extension CalibrationDesk {
    /// The card in a file, for use on a recording. One that lies in a study is used as its bookkeeping allows: as in a
    /// session, not where the participant is blocked, the model expired, or another calibration is waited for.
    /// - Throws: `SessionRefusal` where it may not be used, `ModelError` where it is none or not as it was when it was noted,
    ///   `StudyError` when the bookkeeping cannot be read.
    public static func usableCard(at file: URL) throws -> ModelCard {
        // As it is named and as it lies: a study's results may be a link to another disk.
        for place in [file, file.resolvingSymlinksInPath()] {
            guard let study = study(around: place) else { continue }
            let desk = try CalibrationDesk(study)
            guard let record = try desk.record(of: place) else { continue }
            let card = try ModelCard(reading: place, noted: record.sha256, as: file.relativePath)
            if let prediction = Prediction.named(record.prediction) {
                try desk.demandUsable(prediction, of: record.participant)
            }
            return card
        }
        return try ModelCard(reading: file)
    }

    /// The innermost study with a bookkeeping that a file lies in: a study's results are a data set of their own.
    private static func study(around file: URL) -> StudyFolder? {
        var place = file
        while let study = StudyFolder(around: place) {
            if FileManager.default.fileExists(atPath: study.database.path) { return study }
            place = study.root
        }
        return nil
    }

    /// What is noted of the model in a file, or of that which it is a copy of; nil where nothing is.
    private func record(of file: URL) throws -> ModelRecord? {
        let models = try bookkeeping.models()
        if let path = study.relativePath(of: file), let noted = models.first(where: { $0.file == path }) {
            return noted
        }
        let hash = try? InputHash(of: file).sha256
        return models.last { $0.sha256 == hash }
    }
}
