import Foundation

/// Finds the header of a record from what the user named: the header, one of its signal files, or the record without
/// an extension.
enum WFDBPlace {
    /// The header of the record at `url`.
    static func header(of url: URL) -> URL {
        if url.pathExtension.lowercased() == "hea" { return url }
        let appended = url.appendingPathExtension("hea")
        if exists(appended) { return appended }
        if let head = head(of: url), looksLikeHeader(head) { return url }
        let replaced = url.deletingPathExtension().appendingPathExtension("hea")
        // A record that is not there is missed by the name of its header.
        return exists(replaced) ? replaced : exists(url) ? url : appended
    }

    /// Whether `url` is a header, a record's name, or a signal file that the header beside it names.
    static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        if url.pathExtension.lowercased() == "hea" { return head.isEmpty || isText(head) }
        if looksLikeHeader(head) { return true }
        if !exists(url) { return exists(url.appendingPathExtension("hea")) }
        let beside = url.deletingPathExtension().appendingPathExtension("hea")
        guard exists(beside), let header = try? WFDBHeader(reading: beside) else { return false }
        return header.signals.contains { $0.file == url.lastPathComponent }
    }

    /// Whether bytes begin like a header: a record line, then a signal or segment line that says the same.
    static func looksLikeHeader(_ head: [UInt8]) -> Bool {
        guard isText(head) else { return false }
        let lines = String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { $0.drop { $0 == " " || $0 == "\t" } }.filter { !$0.isEmpty && $0.first != "#" }
        guard lines.count >= 2 else { return false }
        let record = words(lines[0])
        let first = words(lines[1])
        guard record.count >= 2, record.count <= 6, let count = Int(record[1]), count > 0, first.count >= 2 else {
            return false
        }
        let names = record[0].split(separator: "/", omittingEmptySubsequences: false)
        guard let name = names.first, !name.isEmpty, name.allSatisfy(isNameCharacter) else { return false }
        if names.count == 2 { return Int(names[1]) != nil && Int(first[1]) != nil }
        let digits = first[1].prefix { $0.isNumber }
        return names.count == 1 && Int(digits).flatMap(WFDBSignalFormat.init) != nil
            && (first[0].contains(".") || first[0] == "~")
    }

    private static func words(_ line: Substring) -> [Substring] { line.split { $0 == " " || $0 == "\t" } }

    private static func isNameCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "_" || character == "-")
    }

    private static func isText(_ bytes: [UInt8]) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    }

    private static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

    private static func head(of url: URL) -> [UInt8]? { try? InputFile(url).read(at: 0, count: 4096) }
}
