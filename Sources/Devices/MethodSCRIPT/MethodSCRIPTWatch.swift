import Formats
import Signals

/// Detects that an instrument's output over Bluetooth stopped while a script runs, which counts as a lost link.
///
/// A script may be silent for hours. After `SilenceWatch.limit` without output the instrument is asked `t`; while a script runs it
/// answers `t!0006`. Without an answer in time the characteristic counts as stopped.
struct MethodSCRIPTWatch: Hashable, Sendable {
    /// Seconds to wait for the answer.
    static let patience: Seconds = 5

    /// The moment at which the output was last heard; nil before the first output of a connection.
    private var heard: Seconds?
    /// The moment of the question that was not answered yet.
    private(set) var asked: Seconds?
    /// The number of answers to come.
    private(set) var answers = 0

    /// A script begins to run.
    mutating func begin() { asked = nil }

    /// Output came.
    mutating func hear(at moment: Seconds) { (heard, asked) = (moment, nil) }

    /// The next moment to look at; nil before the first output.
    var due: Seconds? { asked.map { $0 + Self.patience } ?? heard.map { $0 + SilenceWatch.limit } }

    /// The instrument was asked.
    mutating func ask(at moment: Seconds) {
        asked = moment
        answers += 1
    }

    /// The answer came.
    mutating func answered() { answers = max(0, answers - 1) }
}

extension MethodSCRIPTConversation {
    /// True while a script runs over Bluetooth.
    var isWatched: Bool { settings.link == .bluetooth && phase == .running && !isLeaving }

    /// Asks a silent instrument, and ends the connection to one that does not answer.
    mutating func look(at moment: Seconds, _ actions: inout [ConversationAction]) {
        guard let due = watch.due, moment >= due else { return }
        guard watch.asked != nil else {
            watch.ask(at: moment)
            return send([Question.version.rawValue], at: moment, &actions)
        }
        actions.emit(
            .failed(
                .silent(
                    "The notifications of \(MethodSCRIPTSettings.output) stopped while a script runs; the instrument is connected "
                        + "again.")))
        actions.append(.close)
        watch = MethodSCRIPTWatch()
    }

    /// Takes the answer to `look`, which is no output of the script.
    mutating func isAnswerToWatch(_ line: [UInt8]) -> Bool {
        guard watch.answers > 0, let failure = MethodSCRIPTFailure(line: String(decoding: line, as: UTF8.self)),
            failure.command == Question.version.rawValue
        else { return false }
        watch.answered()
        return true
    }
}
