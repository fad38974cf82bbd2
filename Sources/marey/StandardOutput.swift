import Foundation
import Signals
import Synchronization

/// Where results are printed. A disk may be full, or who reads may be gone: that is noticed, and ends the program with a
/// message once its work is done.
enum StandardOutput {
    private static let firstFailure = Mutex<String?>(nil)

    /// Why a text could not be printed; nil where all were.
    static var failure: String? { firstFailure.withLock(\.self) }

    /// Prints a text and the end of its line.
    static func print(_ text: String, terminator: String = "\n") {
        do { try write(Array((text + terminator).utf8)) } catch {
            firstFailure.withLock { $0 = $0 ?? error.message }
        }
    }

    /// Prints finished bytes.
    /// - Throws: `Failure` where they cannot be.
    static func write(_ bytes: [UInt8]) throws(Failure) {
        // A terminal acts on what files may hold; who reads a pipe gets every byte.
        let bytes = Terminal.showsResults ? Array(String(decoding: bytes, as: UTF8.self).shownLines.utf8) : bytes
        do { try FileHandle.standardOutput.write(contentsOf: bytes) } catch {
            throw Failure.nothingDone("standard output cannot be written: \(error.localizedDescription)")
        }
    }
}
