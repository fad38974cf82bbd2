import Decoding
import Signals
import Study

/// A change of a calibration as it is listed: its status has the name that the table has for it, `code`, beside that which
/// the bookkeeping has, `status`.
struct ListedCalibration: Encodable {
    let entry: CalibrationEntry

    init(_ entry: CalibrationEntry) { self.entry = entry }

    private enum CodingKeys: CodingKey { case code }

    func encode(to encoder: any Encoder) throws {
        try entry.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(entry.status, forKey: .code)
    }
}

/// Calibrations as tables for people.
enum CalibrationTables {
    static func overview(_ statuses: [PredictionStatus]) -> Table {
        Table(
            columns: [
                Column("prediction", "Name of the prediction."), Column("status", "Name of the status."),
                Column("code", "Code of the status."),
                Column("reason", "Cause of a refusal, for programs."), Column("cause", "Why it is so."),
            ],
            rows: statuses.map {
                [
                    .text($0.name), .text($0.statusName), .integer($0.status),
                    $0.reason.map { .text($0.rawValue) } ?? .missing, $0.cause.map { .text($0) } ?? .missing,
                ]
            })
    }

    static func list(_ books: [(subject: String, book: CalibrationBook)]) -> Table {
        let predictions = Prediction.all.filter { $0.calibration != .none }
        return Table(
            columns: [Column("participant", "Label of the participant.")]
                + predictions.map { Column($0.name, "Name of the status.") },
            rows: books.map { subject, book in
                [.text(subject)] + predictions.map { .text(book.status($0).name) }
            })
    }

    static func history(_ entries: [CalibrationEntry]) -> Table {
        Table(
            columns: [
                Column("time", "When."), Column("prediction", "Name of the prediction."),
                Column("action", "What happened."), Column("code", "Code of the status it led to."),
                Column("who", "Who did it."), Column("cause", "Why."),
            ],
            rows: entries.map {
                [
                    .text(Timestamp(secondsSince1970: $0.time).description), .text($0.prediction), .text($0.action),
                    .integer($0.status), .text($0.who), .text($0.cause),
                ]
            })
    }
}
