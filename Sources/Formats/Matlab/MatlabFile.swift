import Foundation
import Signals

/// MATLAB files: read as the samples of a WFDB record where the header is beside them, else refused with what is
/// missing, since the file itself knows neither rate nor units.
enum MatlabFile {
    /// Whether a file begins like a MATLAB file: with the text of version 5, or the matrix of version 4 that WFDB
    /// writes (little-endian 16-bit or 32-bit integers or 8-bit ones, called `val`).
    static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        if head.starts(with: Array("MATLAB 5.0 MAT-file".utf8)) { return true }
        guard head.count >= 24 else { return false }
        func long(_ place: Int) -> UInt32 { (0..<4).reduce(0) { $0 | UInt32(head[place + $1]) << (8 * UInt32($1)) } }
        return [10, 20, 30, 50].contains(long(0)) && long(12) == 0 && long(16) == 4
            && head[20..<24].elementsEqual("val\0".utf8)
    }

    /// - Throws: `FormatError`, since a MATLAB file with the header beside it is recognised as a WFDB record.
    static func open(_ url: URL) throws -> any RecordingReader {
        let header = url.deletingPathExtension().lastPathComponent + ".hea"
        throw FormatError(
            url, "is a MATLAB file, which tells neither sample rate nor units",
            advice: "put its WFDB header \(header) beside it, or export the samples as CSV")
    }
}
