import Foundation

/// The BIDS entities that name one run: participant, session, task and run (BIDS 1.10, "Entities").
public struct RunName: Hashable, Codable, Sendable, CustomStringConvertible {
    /// Participant label, without `sub-`.
    public var subject: String
    /// Session label, without `ses-`.
    public var session: String?
    /// Task label, without `task-`.
    public var task: String?
    /// Run number, from 1 on.
    public var run: Int?

    /// A run of these labels, given with or without their prefixes.
    /// - Returns: nil when a label is not made of letters and digits alone, or the run number is below 1.
    public init?(subject: String, session: String? = nil, task: String? = nil, run: Int? = nil) {
        func label(_ text: String, _ prefix: String) -> String? {
            let label = text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
            return Self.isLabel(label) ? label : nil
        }
        guard let subject = label(subject, "sub-") else { return nil }
        self.subject = subject
        if let session {
            guard let session = label(session, "ses-") else { return nil }
            self.session = session
        }
        if let task {
            guard let task = label(task, "task-") else { return nil }
            self.task = task
        }
        if let run, run < 1 { return nil }
        self.run = run
    }

    /// The first label that `init` refuses, with the corrected form; nil where the labels name a run.
    public static func problem(subject: String, session: String? = nil, task: String? = nil, run: Int? = nil) -> String?
    {
        for (name, prefix, text) in [
            ("subject", "sub-", subject), ("session", "ses-", session), ("task", "task-", task),
        ] {
            guard let text else { continue }
            let bare = text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
            if isLabel(bare) { continue }
            let corrected = label(from: bare)
            return "the \(name) label '\(text)' must have letters and digits only"
                + (corrected.isEmpty ? "" : "; try \(corrected)")
        }
        if let run, run < 1 { return "the run number is \(run); runs are counted from 1" }
        return nil
    }

    /// Reads the entities at the start of a file name such as `sub-01_ses-02_task-rest_run-1_ecg.edf`.
    /// - Returns: nil when the name does not begin with `sub-<label>`.
    public init?(fileName: String) {
        let stem = fileName.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        var entities: [Substring: String] = [:]
        for part in stem.split(separator: "_") {
            let pair = part.split(separator: "-", maxSplits: 1)
            if pair.count == 2 { entities[pair[0]] = String(pair[1]) }
        }
        guard let subject = entities["sub"] else { return nil }
        self.init(
            subject: subject, session: entities["ses"], task: entities["task"], run: entities["run"].flatMap { Int($0) }
        )
    }

    /// A participant's label, given with or without `sub-`: one person has one, however it is written.
    /// - Returns: nil when it is not made of letters and digits alone.
    public static func participant(_ text: String) -> String? { RunName(subject: text)?.subject }

    /// Whether `text` may serve as a label: ASCII letters and digits, at least one.
    public static func isLabel(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { ("0"..."9").contains(UnicodeScalar($0)) || isLetter($0) }
    }

    /// What becomes of a text as label: its letters and digits, letters of Latin script as ASCII spells them (ä as ae, é
    /// as e). A text in other letters alone becomes their numbers in Unicode, 山田 u5C71u7530; empty is what has neither
    /// letters nor digits.
    public static func label(from text: String) -> String {
        let spelled = text.map { spellings[$0] ?? String($0) }.joined()
        let label = String(
            spelled.decomposedStringWithCanonicalMapping.unicodeScalars.filter { isLabel(String($0)) }.map(
                Character.init))
        guard label.isEmpty else { return label }
        return text.precomposedStringWithCanonicalMapping.filter { $0.isLetter || $0.isNumber }.unicodeScalars.map {
            "u" + String($0.value, radix: 16, uppercase: true)
        }.joined()
    }

    /// Letters that lose more than a mark.
    private static let spellings: [Character: String] = [
        "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe",
        "Œ": "Oe", "ø": "oe", "Ø": "Oe", "å": "aa", "Å": "Aa", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ł": "l",
        "Ł": "L", "đ": "d", "Đ": "D", "ı": "i",
    ]

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// `sub-01_ses-02_task-rest_run-1`: the stem of every file of this run.
    public var stem: String {
        var parts = ["sub-\(subject)"]
        if let session { parts.append("ses-\(session)") }
        if let task { parts.append("task-\(task)") }
        if let run { parts.append("run-\(run)") }
        return parts.joined(separator: "_")
    }

    /// `sub-01/ses-02`: the folder of this run below `sourcedata` and below `derivatives/marey`.
    public var folder: String {
        "sub-\(subject)" + (session.map { "/ses-\($0)" } ?? "")
    }

    /// The stem of its files.
    public var description: String { stem }
}
