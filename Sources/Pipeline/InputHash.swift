import Crypto
import Formats
public import Foundation

/// One file that went into a result, pinned by its content.
public struct InputHash: Hashable, Codable, Sendable {
    /// The file's name, without its folder: paths may carry personal information.
    public var file: String
    /// Its length in bytes.
    public var bytes: Int
    /// SHA-256 of its content, in hexadecimal.
    public var sha256: String

    /// Hashes the content of `url`.
    /// - Throws: `FormatError` when it cannot be read.
    public init(of url: URL) throws {
        let input = try InputFile(url)
        var hash = SHA256()
        var offset = 0
        // A piece stays in the processor's cache between being read and being hashed.
        try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
            while true {
                let count = try input.read(at: offset, into: buffer)
                hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                offset += count
                if count < buffer.count { break }
            }
        }
        file = url.lastPathComponent
        bytes = offset
        sha256 = hash.finalize().hexadecimal
    }

    /// SHA-256 of bytes, in hexadecimal.
    public static func sha256(of bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).hexadecimal
    }

    /// SHA-256 of a text, in hexadecimal.
    public static func sha256(of text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).hexadecimal
    }

    /// One hash for several inputs: SHA-256 of their hashes in the order given; that of the only one when it is alone.
    public static func combined(_ inputs: [InputHash]) -> String { combined(inputs.map(\.sha256)) }

    /// The same from the hashes alone.
    public static func combined(_ hashes: [String]) -> String {
        hashes.count == 1 ? hashes[0] : sha256(of: hashes.joined(separator: "\n"))
    }
}

extension Sequence where Element == UInt8 {
    fileprivate var hexadecimal: String {
        let digits: StaticString = "0123456789abcdef"
        var codes: [UInt8] = []
        for byte in self { codes += [digits.utf8Start[Int(byte >> 4)], digits.utf8Start[Int(byte & 15)]] }
        return String(decoding: codes, as: UTF8.self)
    }
}
