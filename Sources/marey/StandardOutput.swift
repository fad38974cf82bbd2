import Foundation
import Signals
import Synchronization

/// Where results are printed. A disk may be full, or who reads may be gone: that is noticed, and ends the program with a
/// message once its work is done.
enum StandardOutput {
    private static let firstFailure = Mutex<Failure?>(nil)

    /// What to end with because a text could not be printed; nil where all were. A result that was not printed weighs more
    /// than the mere words that something is done.
    static var failure: Failure? { firstFailure.withLock { $0 } }

    /// Prints a text that is what was asked for, and the end of its line.
    static func print(_ text: String, terminator: String = "\n") {
        do { try write(Array((text + terminator).utf8)) } catch { note(error) }
    }

    /// Prints words on work that is done, whether they can be read or not, and the end of their line.
    static func tell(_ text: String, terminator: String = "\n") {
        do { try write(Array((text + terminator).utf8)) } catch {
            note(
                Failure(
                    code: ExitStatus.someFailed,
                    message: "what was asked for was done, but could not be told: \(error.message)"))
        }
    }

    /// Prints a line of what goes on while the program works, and its end. Who reads may go away, which is no failure; what
    /// cannot be written for another reason is told when the work is done.
    /// - Returns: whether it could be written.
    @discardableResult
    static func follow(_ line: String) -> Bool {
        let number = put(Array((line + "\n").utf8))
        if number != 0, number != EPIPE {
            note(
                Failure(
                    code: ExitStatus.someFailed,
                    message: "the work was done, but its events could not be told: \(unwritable(number).message)"))
        }
        return number == 0
    }

    private static func note(_ failure: Failure) {
        firstFailure.withLock { first in
            if let known = first, known.code >= failure.code { return }
            first = failure
        }
    }

    /// Prints finished bytes.
    /// - Throws: `Failure` where they cannot be.
    static func write(_ bytes: [UInt8]) throws(Failure) {
        let number = put(bytes)
        if number != 0 { throw unwritable(number) }
    }

    /// Writes bytes; returns 0, or the number of the system's error.
    private static func put(_ bytes: [UInt8]) -> CInt {
        // A terminal acts on what files may hold; who reads a pipe gets every byte.
        let bytes = Terminal.showsResults ? Array(String(decoding: bytes, as: UTF8.self).shownLines.utf8) : bytes
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            written += count
        }
        return 0
    }

    private static func unwritable(_ number: CInt) -> Failure {
        let reason = number == EBADF ? "it is closed" : String(cString: strerror(number))
        return Failure.nothingDone("standard output cannot be written: \(reason); let it go to a file that has room")
    }

    /// Takes the numbers of standard input, output and messages where they are closed: the next file that is opened, such
    /// as a study's bookkeeping, would get them, and what is printed with them.
    static func holdClosedStreams() {
        for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) < 0 {
            // For reading, so that who writes to it is told.
            _ = open("/dev/null", O_RDONLY)
        }
    }
}
