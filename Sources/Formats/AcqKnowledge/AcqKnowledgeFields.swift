import Foundation

/// The numbers and texts of an AcqKnowledge file, in its byte order and encoding.
struct AcqKnowledgeFields {
    let input: InputFile
    let isBigEndian: Bool
    /// Whether texts are UTF-8, as from version 4 on; before they are Latin-1.
    var isUnicode = false

    private func bytes(_ place: Int, _ count: Int) throws -> [UInt8] {
        guard place >= 0, count >= 0, place + count <= input.size else {
            throw FormatError(input.url, at: "byte \(place)", "ends within its headers or markers")
        }
        return try input.read(at: place, count: count)
    }

    private func number<Stored: FixedWidthInteger>(_ place: Int, as type: Stored.Type) throws -> Stored {
        let stored = try bytes(place, MemoryLayout<Stored>.size).withUnsafeBytes { $0.loadUnaligned(as: type) }
        return isBigEndian ? Stored(bigEndian: stored) : Stored(littleEndian: stored)
    }

    func byte(_ place: Int) throws -> UInt8 { try number(place, as: UInt8.self) }
    func int16(_ place: Int) throws -> Int { Int(try number(place, as: Int16.self)) }
    func int32(_ place: Int) throws -> Int { Int(try number(place, as: Int32.self)) }
    func uint64(_ place: Int) throws -> UInt64 { try number(place, as: UInt64.self) }
    func double(_ place: Int) throws -> Double { Double(bitPattern: try number(place, as: UInt64.self)) }

    /// The text up to a zero.
    func text(_ place: Int, _ count: Int) throws -> String {
        let bytes = try bytes(place, count).prefix { $0 != 0 }
        let text =
            isUnicode
            ? String(decoding: bytes, as: UTF8.self)
            : String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
