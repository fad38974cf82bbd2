import Crypto
public import Formats
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
        var hash = ContentHash()
        var offset = 0
        // A piece stays in the processor's cache between being read and being hashed.
        try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
            while true {
                let count = try input.read(at: offset, into: buffer)
                hash.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                offset += count
                if count < buffer.count { break }
            }
        }
        file = url.lastPathComponent
        bytes = offset
        sha256 = hash.hexadecimal()
    }

    /// SHA-256 of bytes, in hexadecimal.
    public static func sha256(of bytes: [UInt8]) -> String {
        bytes.withUnsafeBytes { bytes in
            var hash = SHA256()
            hash.update(bufferPointer: bytes)
            return hash.finalize().hexadecimal
        }
    }

    /// SHA-256 of a text, in hexadecimal.
    public static func sha256(of text: String) -> String {
        sha256(of: Array(text.utf8))
    }

    /// One hash for several inputs: SHA-256 of their hashes in the order given; that of the only one when it is alone.
    public static func combined(_ inputs: [InputHash]) -> String { combined(inputs.map(\.sha256)) }

    /// The same from the hashes alone.
    public static func combined(_ hashes: [String]) -> String {
        hashes.count == 1 ? hashes[0] : sha256(of: hashes.joined(separator: "\n"))
    }
}

/// SHA-256 of bytes that come one after another.
public struct ContentHash: GrowingHash {
    private var hash = SHA256()

    /// That of nothing yet.
    public init() {}

    /// Adds bytes.
    public mutating func add(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

    /// The hash, in hexadecimal.
    public func hexadecimal() -> String { hash.finalize().hexadecimal }
}

extension Sequence where Element == UInt8 {
    fileprivate var hexadecimal: String {
        let digits: StaticString = "0123456789abcdef"
        var codes: [UInt8] = []
        codes.reserveCapacity(64)
        for byte in self {
            codes.append(digits.utf8Start[Int(byte >> 4)])
            codes.append(digits.utf8Start[Int(byte & 15)])
        }
        return String(decoding: codes, as: UTF8.self)
    }
}
