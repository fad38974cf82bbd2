import Decoding
import Formats
import Foundation
import Pipeline
import Signals
import Study

/// Where the participants of a study stand with predictions, as its bookkeeping has it.
struct CalibrationDesk {
    let study: StudyFolder
    let bookkeeping: Bookkeeping

    init(_ folder: String) throws {
        study = try StudyFolder(opening: URL(fileURLWithPath: folder, isDirectory: true))
        bookkeeping = try Bookkeeping(study)
    }

    /// Where one participant stands.
    func book(of subject: String) throws -> CalibrationBook {
        try Self.book(bookkeeping.calibrations(of: subject))
    }

    /// Where everybody stands.
    func books() throws -> [(subject: String, book: CalibrationBook)] {
        let entries = Dictionary(grouping: try bookkeeping.calibrations(), by: \.participant)
        return try bookkeeping.participants().map { ($0, try Self.book(entries[$0] ?? [])) }
    }

    private static func book(_ entries: [CalibrationEntry]) throws -> CalibrationBook {
        var book = CalibrationBook()
        for entry in entries {
            guard let action = CalibrationAction(rawValue: entry.action) else { continue }
            var record = book.records[entry.prediction] ?? CalibrationRecord()
            try record.apply(
                action, cause: entry.cause, who: entry.who, at: Timestamp(secondsSince1970: entry.time))
            book.records[entry.prediction] = record
        }
        return book
    }

    /// Writes a model's card into the study and notes it.
    /// - Returns: the card's path in the study.
    func keep(_ card: ModelCard, of subject: String, at now: Timestamp) throws -> String {
        let folder = study.derivatives.appendingPathComponent("sub-\(subject)/models", isDirectory: true)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let bytes = try Array(encoder.encode(card))
        let name = card.fitted.model.prediction
        // Earlier models stay; their numbers rise over the whole study.
        let number = (try bookkeeping.latestModel(participant: subject, prediction: name)?.id ?? 0) + 1
        let url = folder.appendingPathComponent("\(name)-\(number).json")
        try writeAtomically(bytes, to: url)
        let file = study.relativePath(of: url) ?? url.relativePath
        try bookkeeping.noteModel(
            participant: subject, prediction: name, file: file,
            sha256: InputHash.sha256(of: bytes), version: card.version, at: now)
        return file
    }

    /// Notes a change, when it is allowed, by the person who runs the program.
    /// - Returns: where the participant stands then.
    @discardableResult
    func apply(
        _ action: CalibrationAction, to prediction: Prediction, of subject: String, cause: String, at now: Timestamp
    ) throws -> CalibrationStatus {
        var book = try book(of: subject)
        var record = book.records[prediction.name] ?? CalibrationRecord()
        let noted = try record.apply(action, cause: cause, who: NSUserName(), at: now)
        try bookkeeping.noteCalibration(
            CalibrationEntry(
                participant: subject, prediction: prediction.name, time: now, action: action.rawValue,
                status: noted.status.rawValue, cause: cause, who: noted.who))
        book.records[prediction.name] = record
        return book.status(prediction)
    }
}
