import Foundation
import TestSupport
import Testing

/// Terminals that know no escape codes, and people who want no colours.
struct PlainTerminalTests {
    /// What the program writes to standard error, or all of it, where that is a terminal.
    private static func messages(
        _ arguments: [String], _ environment: [String: String], in folder: URL, withResults: Bool = false
    ) throws -> String {
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        defer { close(terminal) }
        // TIOCSPTLCK and TIOCGPTN: the other end is unlocked, and called by its number.
        var (lock, number): (CInt, CInt) = (0, 0)
        let isOpen = ioctl(terminal, 0x4004_5431, &lock) == 0 && ioctl(terminal, 0x8004_5430, &number) == 0
        #expect(isOpen)
        let end = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        try #require(end >= 0, "there is no terminal")
        let process = Process()
        process.executableURL = Program.url
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "NO_COLOR" }
            .merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = withResults ? FileHandle(fileDescriptor: end) : FileHandle.nullDevice
        process.standardError = FileHandle(fileDescriptor: end)
        try process.run()
        close(end)
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
        while true {
            let count = read(terminal, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func aDumbTerminalGetsNoEscapeCodes() throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "s.edf", "--duration", "120", in: folder)
            for arguments in [["beats", "s.edf"], ["info", "missing.edf"]] {
                let drawn = try Self.messages(arguments, ["TERM": "xterm"], in: folder)
                #expect(drawn.contains("\u{1B}"), "\(drawn)")
                let plain = try Self.messages(arguments, ["TERM": "dumb"], in: folder)
                #expect(!plain.contains("\u{1B}") && !plain.contains("█"), "\(plain)")
            }
        }
    }

    @Test(arguments: [
        ["info"], ["info", "--tsv"], ["info", "--json"], ["beats"], ["eda"], ["convert", "a.edf", "--force"],
    ])
    func whatAFileHoldsIsNoOrderToTheTerminal(verb: [String]) throws {
        try withTemporaryFolder { folder in
            let attack = "\u{1B}]0;owned\u{07}\u{9B}2J"
            let rows = (0..<4_000).map { "\(Double($0) / 100),\(sin(Double($0) / 12)),\($0 == 2_000 ? attack : "")\n" }
            let name = "\(attack).csv"
            try Data(("time,ecg\(attack),marker\n" + rows.joined()).utf8).write(to: folder.appendingPathComponent(name))
            for file in [name, "missing" + name] {
                let arguments = [verb[0], file] + verb.dropFirst()
                let written = try Self.messages(arguments, ["TERM": "dumb"], in: folder, withResults: true)
                #expect(
                    !written.isEmpty
                        && !written.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" || $0 == "\u{07}" })
            }
        }
    }

    @Test func noColoursAreWrittenWhereNoneAreWanted() throws {
        try withTemporaryFolder { folder in
            func red(_ wish: String) throws -> Bool {
                let messages = try Self.messages(
                    ["info", "missing.edf"], ["TERM": "xterm", "NO_COLOR": wish], in: folder)
                #expect(messages.contains("missing.edf"), "\(messages)")
                return messages.contains("\u{1B}[31m")
            }
            let (unwanted, unsaid) = (try red("1"), try red(""))
            #expect(!unwanted)
            // "when present and not an empty string" (no-color.org).
            #expect(unsaid)
        }
    }
}
