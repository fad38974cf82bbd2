import Foundation
import Signals

/// What the program knows of where its output goes.
enum Terminal {
    /// Whether messages appear on a terminal.
    static let showsMessages = isatty(STDERR_FILENO) == 1
    /// Whether messages appear on a terminal whose lines can be written again, which takes escape codes.
    static let redrawsMessages = showsMessages && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    /// Whether results appear on a terminal.
    static let showsResults = isatty(STDOUT_FILENO) == 1
    /// Whether messages may be coloured (https://no-color.org).
    static let hasColour = redrawsMessages && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty

    /// Writes an error message to standard error.
    static func complain(_ message: String, prefixed: Bool = true) {
        let prefix = prefixed ? (hasColour ? "\u{1B}[31mmarey:\u{1B}[0m " : "marey: ") : ""
        write(prefix + message.shownLines + "\n")
    }

    /// Writes a line to standard error.
    static func note(_ message: String) {
        write(message.shownLines + "\n")
    }

    /// Writes to standard error. Where that is gone, as with a terminal that was closed, or its disk is full, the work
    /// goes on unseen.
    static func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
