import Foundation

/// The lines of standard input, as they come, until it ends.
enum CommandLines {
    static func read() -> AsyncStream<String> {
        AsyncStream { lines in
            // Waiting for a line takes a thread of its own; it ends with the program.
            Thread.detachNewThread {
                while let line = readLine() {
                    if !line.allSatisfy(\.isWhitespace) { lines.yield(line) }
                }
                lines.finish()
            }
        }
    }
}
