import Foundation

/// Single keys from the terminal, without waiting for the end of a line. Restores the terminal when it ends.
final class KeyReader: @unchecked Sendable {
    private var original = termios()
    private let source: any DispatchSourceRead

    /// Calls `pressed` for each key; nil when standard input is no terminal.
    init?(_ pressed: @escaping @Sendable (Character) -> Void) {
        guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &original) == 0 else { return nil }
        var raw = original
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(STDIN_FILENO, TCSANOW, &raw)
        source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
        source.setEventHandler {
            var byte: UInt8 = 0
            guard read(STDIN_FILENO, &byte, 1) == 1 else { return }
            pressed(Character(UnicodeScalar(byte)))
        }
        source.resume()
    }

    func end() {
        source.cancel()
        tcsetattr(STDIN_FILENO, TCSANOW, &original)
    }
}
