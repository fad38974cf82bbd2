import Formats
import Foundation

extension StudyFolder {
    /// Adds a line for `subject` to `participants.tsv` unless it has one; the other lines stay as they are.
    /// - Throws: `StudyError` when the file is not a table of UTF-8 text with a column of participants, or cannot be
    ///   written; it is not touched then.
    public func enroll(subject: String) throws {
        if try participantTable()?.has(subject) == true { return }
        try lockingParticipants {
            let empty = EncodedText(Array("participant_id\n".utf8)).flatMap { ParticipantTable($0) }
            guard var table = try participantTable() ?? empty, !table.has(subject) else { return }
            table.add("sub-\(subject)")
            try Self.write(Data(table.text.bytes), to: participants)
        }
    }

    /// `participants.tsv` as it is; nil when there is none, or it is empty.
    /// - Throws: `StudyError` when it is not a table of UTF-8 text with a column of participants.
    func participantTable() throws -> ParticipantTable? {
        guard ErasedFile.isThere(participants) else { return nil }
        let text = try EncodedText(reading: participants)
        let advice = "save it as UTF-8 text whose cells are separated by tabs; it was left as it is"
        switch text.encoding {
        case .utf8: break
        case .utf16: throw StudyError(participants, "is UTF-16 text, not UTF-8", advice: advice)
        case .latin1:
            throw StudyError(participants, "is not UTF-8 text: \(Self.firstInvalid(text.bytes))", advice: advice)
        }
        guard !text.content.isEmpty else { return nil }
        guard let table = ParticipantTable(text, separator: UInt8(ascii: "\t")) else {
            throw StudyError(
                participants, "has no column participant_id",
                advice: "its first line names the columns, participant_id first, separated by tabs")
        }
        return table
    }

    /// Writes a file, which appears under its name when it is whole and on the disk. A new one is its owner's alone; in
    /// the place of another, whoever could read and write that can do so still.
    /// - Throws: `StudyError` when it cannot be written; what was there before stays.
    static func write(_ data: Data, to url: URL) throws {
        do {
            try writeAtomically([UInt8](data), to: url, isPrivate: true, keepsRights: true)
        } catch let error as FormatError {
            throw StudyError(url, error.problem, advice: error.advice)
        } catch { throw StudyError(url, "cannot be written: \(SystemReason.text(error))") }
    }

    /// Where the first byte stands that is not UTF-8.
    private static func firstInvalid(_ bytes: [UInt8]) -> String {
        var (parser, iterator, place) = (Unicode.UTF8.ForwardParser(), bytes.makeIterator(), 0)
        while case .valid(let scalar) = parser.parseScalar(from: &iterator) { place += scalar.count }
        let line = bytes[..<place].count { $0 == 0x0A } + 1
        let byte = place < bytes.count ? String(bytes[place], radix: 16, uppercase: true) : "none"
        return "byte \(place) in line \(line) is 0x\(byte)"
    }
}
