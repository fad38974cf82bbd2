import Formats
import Signals

/// Rows of a stream without a declared rate, held until the stamps of its first ten seconds decide whether they come evenly
/// (`EvenPace`).
struct UndecidedRows: Sendable {
    /// A row, its stamp in seconds, and the same as the sender gave it, by which a row that comes twice is known.
    typealias Row = (stamp: Seconds, raw: Seconds, values: [Double])

    /// Seconds to wait for the stamps that decide, after the first came.
    private static let patience: Seconds = 11
    /// Fewest rows of which the pace is worth a note.
    private static let fewest = 20

    private var pace = EvenPace()
    /// The rows so far, in the order of arrival.
    private(set) var rows: [Row] = []
    /// The moment at which the rows so far decide; nil before the first.
    private(set) var due: Seconds?

    /// Takes rows that arrived at `moment`, and asks to be woken after the first.
    /// - Returns: true when their stamps decide.
    mutating func take(_ next: [Row], at moment: Seconds, into actions: inout [ConversationAction]) -> Bool {
        if due == nil, !next.isEmpty {
            due = moment + Self.patience
            actions.append(.wake(at: moment + Self.patience))
        }
        pace.take(next.map(\.stamp))
        rows += next
        return pace.isComplete
    }

    /// True after ten seconds of stamps.
    var isComplete: Bool { pace.isComplete }
    /// The rate in Hz of rows that come evenly; nil of others.
    var rate: Double? { pace.rate }

    /// The note on the decision: `subject` names the sender in the sentence's beginning. Nil for few rows.
    func note(_ subject: String) -> String? {
        if let rate {
            return
                "\(subject); by the stamps of its first \(Int(EvenPace.span)) s its samples come evenly, at \(Self.text(rate)) Hz, "
                + "and are recorded so"
        }
        guard rows.count >= Self.fewest else { return nil }
        return "\(subject) and its values come unevenly: each is recorded at its stamp"
    }

    private static func text(_ number: Double) -> String { "\((number * 100).rounded() / 100)" }
}
