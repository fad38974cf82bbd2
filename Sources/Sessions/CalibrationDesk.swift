public import Decoding
import Formats
public import Foundation
public import Pipeline
import Reports
public import Signals
public import Study

/// Where the participants of a study stand with predictions, as its bookkeeping has it.
public struct CalibrationDesk: Sendable {
    /// The study.
    public let study: StudyFolder
    /// Its bookkeeping.
    public let bookkeeping: Bookkeeping
    private let who: String

    /// The desk of a study.
    /// - Parameter who: by whom changes are made.
    /// - Throws: `StudyError` when the bookkeeping cannot be used.
    public init(_ study: StudyFolder, who: String = NSUserName()) throws {
        self.init(study, try Bookkeeping(study), who: who)
    }

    /// The desk of a study whose bookkeeping is open.
    public init(_ study: StudyFolder, _ bookkeeping: Bookkeeping, who: String = NSUserName()) {
        (self.study, self.bookkeeping, self.who) = (study, bookkeeping, who)
    }

    /// The desk as somebody else makes changes at it.
    public func signed(by who: String) -> CalibrationDesk { CalibrationDesk(study, bookkeeping, who: who) }

    /// The one label of a participant, who may be written with `sub-` before it.
    /// - Throws: `SessionRefusal` when it is none.
    public static func participant(_ subject: String) throws -> String {
        guard let label = RunName.participant(subject) else {
            throw SessionRefusal.misuse("“\(subject)” is no participant's label: letters and digits")
        }
        return label
    }

    /// The label of a participant who is in the study.
    /// - Throws: `SessionRefusal` when nobody is called so.
    public func known(_ subject: String) throws -> String {
        let subject = try Self.participant(subject)
        guard try bookkeeping.participants().contains(subject) else {
            throw SessionRefusal.misuse(
                "there is no participant \(subject) in this study: check the label, or register them first")
        }
        return subject
    }

    /// Where one participant stands.
    public func book(of subject: String) throws -> CalibrationBook {
        Self.book(try history(of: subject))
    }

    /// The tests of models of a prediction so far, of all participants, in the order they were noted.
    public func tests(of prediction: Prediction) throws -> [(participant: String, test: ModelTest)] {
        try bookkeeping.calibrations().compactMap { entry in
            guard entry.prediction == prediction.name, let montage = entry.montage, let recording = entry.recording,
                let level = entry.level
            else { return nil }
            return (entry.participant, ModelTest(montage: montage, recording: recording, level: level))
        }
    }

    /// All changes of where one participant stands, in the order they were noted.
    public func history(of subject: String) throws -> [CalibrationEntry] {
        try bookkeeping.calibrations(of: Self.participant(subject))
    }

    /// Where everybody stands.
    public func books() throws -> [(subject: String, book: CalibrationBook)] {
        let entries = Dictionary(grouping: try bookkeeping.calibrations(), by: \.participant)
        return try bookkeeping.participants().map { ($0, Self.book(entries[$0] ?? [])) }
    }

    /// What is not allowed where it stands counts for nothing: older versions could note two changes at once.
    private static func book(_ entries: [CalibrationEntry]) -> CalibrationBook {
        var book = CalibrationBook()
        for entry in entries {
            guard let action = CalibrationAction(rawValue: entry.action) else { continue }
            var record = book.records[entry.prediction] ?? CalibrationRecord()
            _ = try? record.apply(
                action, cause: entry.cause, who: entry.who, at: Timestamp(secondsSince1970: entry.time),
                reason: entry.reason.flatMap(RefusalReason.init(rawValue:)))
            book.records[entry.prediction] = record
        }
        return book
    }

    /// The card of a participant's latest model; nil where there is none.
    /// - Throws: `ModelError` where its file is none, or not as it was when it was noted.
    public func card(of subject: String, _ prediction: Prediction) throws -> ModelCard? {
        let participant = try Self.participant(subject)
        guard let record = try bookkeeping.latestModel(participant: participant, prediction: prediction.name) else {
            return nil
        }
        return try ModelCard(
            reading: study.root.appendingPathComponent(record.file), noted: record.sha256, as: record.file)
    }

    /// The same where the participant's model may be used: what was given up here must not be used elsewhere.
    /// - Throws: `SessionRefusal` where it may not, else as `card`.
    public func usableCard(of subject: String, _ prediction: Prediction) throws -> ModelCard? {
        guard let card = try card(of: subject, prediction) else { return nil }
        try demandUsable(prediction, of: subject)
        return card
    }

    /// Makes sure that a participant's models of a prediction may be used.
    /// - Throws: `SessionRefusal` where they may not.
    func demandUsable(_ prediction: Prediction, of subject: String) throws {
        let status = try book(of: subject).status(prediction)
        guard status == .modelsAvailable else {
            throw SessionRefusal.unavailable(
                "participant \(subject) stands at \(status.name) with \(prediction.name): the model that is kept may not be used; "
                    + "see marey calibrate status")
        }
    }

    /// Writes a model's card into the study, as JSON and as a page, and notes it.
    /// - Returns: the card's path in the study.
    public func keep(_ card: ModelCard, of subject: String, at now: Timestamp) throws -> String {
        let subject = try Self.participant(subject)
        let folder = study.derivatives.appendingPathComponent("sub-\(subject)/models", isDirectory: true)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let bytes = try card.json()
        let name = card.fitted.model.prediction
        let last = try bookkeeping.latestModel(participant: subject, prediction: name)?.id ?? 0
        let url = try Self.reserve(name, after: last, in: folder)
        let page = url.deletingPathExtension().appendingPathExtension("html")
        do {
            try writeAtomically(bytes, to: url, isPrivate: true)
            let html = ModelCardPage(card, participant: subject, software: "Marey \(card.version)").html()
            try writeAtomically(Array(html.utf8), to: page, isPrivate: true)
            let file = study.relativePath(of: url) ?? url.relativePath
            try bookkeeping.noteModel(
                participant: subject, prediction: name, file: file,
                sha256: InputHash.sha256(of: bytes), version: card.version, at: now)
            return file
        } catch {
            // A model that is not noted is nobody's.
            for file in [url, page] { unlink(file.path) }
            throw error
        }
    }

    /// Takes the place of a model's card by making its file. Earlier models stay; their numbers rise over the whole study,
    /// and of two that are kept at once the later takes the next number.
    private static func reserve(_ name: String, after last: Int64, in folder: URL) throws -> URL {
        var number = last
        while true {
            number += 1
            let url = folder.appendingPathComponent("\(name)-\(number).json")
            let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor < 0 else {
                close(descriptor)
                return url
            }
            guard errno == EEXIST else {
                throw FormatError(url, "cannot be written: \(String(cString: strerror(errno)))")
            }
        }
    }

    /// Takes in a model that was fitted elsewhere.
    /// - Returns: the card's path in the study.
    /// - Throws: `ModelError` where it is none that may be used, `CalibrationRefusal` where the prediction is blocked.
    public func adopt(_ card: ModelCard, of subject: String, cause: String, at now: Timestamp) throws -> String {
        let name = card.fitted.model.prediction
        guard let prediction = Prediction.named(name), prediction.calibration == .ownTask else {
            throw ModelError.unreadable("it is of “\(name)”, which has no model of its own")
        }
        if case .refused(let reason, _) = card.fitted.verdict {
            throw ModelError.unreadable("it was refused: \(reason)")
        }
        try complete(prediction, of: subject, cause: cause, at: now)
        let file = try keep(card, of: subject, at: now)
        try apply(.accept, to: prediction, of: subject, cause: cause, at: now)
        return file
    }

    /// Notes a change, when it is allowed.
    /// - Returns: where the participant stands then.
    /// - Throws: `CalibrationRefusal` where it is not.
    @discardableResult
    public func apply(
        _ action: CalibrationAction, to prediction: Prediction, of subject: String, cause: String, at now: Timestamp,
        reason: RefusalReason? = nil, test: ModelTest? = nil
    ) throws -> CalibrationStatus {
        try change(prediction, of: subject, at: now) { _ in
            [Change(action: action, cause: cause, reason: reason, test: test)]
        }
    }

    /// Notes a change that somebody asks for, when it makes sense.
    /// - Returns: where the participant stands then.
    /// - Throws: `SessionRefusal` where the prediction has no calibration of its own to change, or nobody is called so;
    ///   `CalibrationRefusal` where the change is not allowed.
    @discardableResult
    public func request(
        _ action: CalibrationAction, of prediction: Prediction, for subject: String, cause: String, at now: Timestamp
    ) throws -> CalibrationStatus {
        if ![.block, .unblock].contains(action), prediction.calibration != .ownTask {
            throw SessionRefusal.misuse(
                "\(prediction.name) has no calibration of its own: it can be blocked and unblocked, nothing else")
        }
        // Whoever is registered is new; anybody else must be there.
        let subject = try action == .register ? Self.participant(subject) : known(subject)
        return try apply(action, to: prediction, of: subject, cause: cause, at: now)
    }

    /// Notes that the calibration task was done; a participant who is new to the prediction is registered.
    /// - Throws: `CalibrationRefusal` where the prediction is blocked.
    public func complete(
        _ prediction: Prediction, of subject: String, cause: String, at now: Timestamp
    ) throws {
        try change(prediction, of: subject, at: now) { status in
            (status == .unknown ? [Change(action: .register, cause: "calibrated")] : [])
                + [Change(action: .complete, cause: cause)]
        }
    }

    /// Notes that no model comes of the task that was done: whoever waits for one needs the calibration again.
    /// - Parameter cause: why, in words a person understands.
    public func withdraw(_ prediction: Prediction, of subject: String, cause: String, at now: Timestamp) throws {
        try change(prediction, of: subject, at: now) {
            $0 == .calibrationDone ? [Change(action: .refuse, cause: cause, reason: .unusable)] : []
        }
    }

    /// A change that is to be noted.
    private struct Change {
        var action: CalibrationAction
        var cause: String
        var reason: RefusalReason?
        var test: ModelTest?
    }

    /// Notes changes that are decided from where the participant stands, all of them or none.
    @discardableResult
    private func change(
        _ prediction: Prediction, of subject: String, at now: Timestamp,
        _ decide: (CalibrationStatus) -> [Change]
    ) throws -> CalibrationStatus {
        var book = CalibrationBook()
        let subject = try Self.participant(subject)
        try bookkeeping.noteCalibration(of: subject) { entries in
            book = Self.book(entries)
            var record = book.records[prediction.name] ?? CalibrationRecord()
            let entries = try decide(record.status).map { change in
                let noted = try record.apply(
                    change.action, cause: change.cause, who: who, at: now, reason: change.reason)
                return CalibrationEntry(
                    participant: subject, prediction: prediction.name, time: now, action: change.action.rawValue,
                    status: noted.status.rawValue, cause: change.cause, who: noted.who,
                    reason: change.reason?.rawValue, montage: change.test?.montage, recording: change.test?.recording,
                    level: change.test?.level)
            }
            book.records[prediction.name] = record
            return entries
        }
        // Whoever is noted has a line among the participants, as whoever is recorded.
        try study.enroll(subject: subject)
        return book.status(prediction)
    }
}
