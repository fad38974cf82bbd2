public import Formats
public import Foundation

/// A MethodSCRIPT as it is sent to an instrument: comments and blank lines left out, since an empty line ends a
/// script, with the place of each line in its file.
public struct MethodSCRIPTScript: Hashable, Sendable {
    /// What it is called: its file's name.
    public let name: String
    /// The lines to send, without their ends.
    public let lines: [String]
    /// For each of them its number in the file, from 1 on.
    public let fileLines: [Int]

    /// The longest line that the protocol's description allows, in characters. Newer firmware takes longer ones, and the
    /// vendor's own examples have them.
    public static let documentedLine = 128
    /// The longest line that is sent, in characters; a longer one is no line of a script.
    public static let longestLine = 4_096
    private static let mostLines = 10_000

    /// A script from its text.
    /// - Throws: `FormatError` when a line is too long or has characters beyond ASCII, or nothing is left.
    public init(text: String, name: String = "script") throws(FormatError) {
        var lines: [String] = []
        var fileLines: [Int] = []
        let all = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, line) in all.enumerated() {
            let trimmed = String(
                line.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
            if trimmed.isEmpty || trimmed.hasPrefix("#") { continue }
            let place = "line \(index + 1)"
            guard trimmed.utf8.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 }) else {
                throw FormatError(name, at: place, "has characters beyond ASCII, which instruments do not take")
            }
            guard trimmed.utf8.count <= Self.longestLine else {
                throw FormatError(
                    name, at: place, "has \(trimmed.utf8.count) characters; a line may have \(Self.longestLine)")
            }
            lines.append(trimmed)
            fileLines.append(index + 1)
        }
        // A command that went before the script in a file made to be sent as it is.
        if lines.first == "e" || lines.first == "l" {
            lines.removeFirst()
            fileLines.removeFirst()
        }
        guard !lines.isEmpty else { throw FormatError(name, "has no line of a script") }
        guard lines.count <= Self.mostLines else { throw FormatError(name, "has more than \(Self.mostLines) lines") }
        self.name = name
        self.lines = lines
        self.fileLines = fileLines
    }

    /// A script from a file.
    /// - Throws: `FormatError` when it cannot be read or is no script.
    public init(contentsOf url: URL) throws {
        let file = try InputFile(url)
        guard file.size <= 1 << 20 else { throw FormatError(url, "is too large for a script (\(file.size) bytes)") }
        let bytes = try file.read(at: 0, count: file.size)
        try self.init(text: String(decoding: bytes, as: UTF8.self), name: url.relativePath)
    }

    /// The place in the file of the line that an instrument counts as `line`, from 1 on; nil beyond the script.
    public func fileLine(_ line: Int) -> Int? {
        fileLines.indices.contains(line - 1) ? fileLines[line - 1] : nil
    }

    /// What is sent: the command, the script, the empty line.
    var message: [String] { ["e"] + lines + [""] }
}
