import Foundation
import Signals

/// The header of an ISHNE Holter file (Badilini F. for ISHNE, "The ISHNE Holter Standard Output File Format", Annals of
/// Noninvasive Electrocardiology 3, 1998).
struct ISHNEHeader {
    static let magic = Array("ISHNE1.0".utf8)
    static let byteCount = 522
    /// Leads a header has room for.
    private static let mostLeads = 12

    private(set) var samplesPerLead: Int
    private(set) var offset: Int
    private(set) var leads: [(label: String, nanovolts: Double)] = []
    private(set) var sampleRate: Double
    private(set) var start: Timestamp?
    private(set) var recorder: String
    private(set) var isPaced: Bool
    private(set) var isChecksumRight: Bool

    /// - Throws: `FormatError` naming the byte that cannot be right.
    init(_ bytes: [UInt8], file: URL) throws {
        guard bytes.starts(with: Self.magic) else { throw FormatError(file, "does not begin with ISHNE1.0") }
        guard bytes.count >= Self.byteCount else {
            throw FormatError(file, "ends after \(bytes.count) bytes, the header has \(Self.byteCount)")
        }
        func word(_ place: Int) -> Int { Int(Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)) }
        func long(_ place: Int) -> Int { Int(UInt16(bitPattern: Int16(word(place)))) | word(place + 2) << 16 }
        samplesPerLead = long(14)
        offset = long(22)
        let count = word(156)
        let rate = word(272)
        guard (1...Self.mostLeads).contains(count) else {
            throw FormatError(file, at: "byte 156", "has \(count) leads, expected 1 to \(Self.mostLeads)")
        }
        guard rate > 0 else { throw FormatError(file, at: "byte 272", "has \(rate) samples a second") }
        guard offset >= Self.byteCount else {
            throw FormatError(file, at: "byte 22", "its samples begin at byte \(offset), within the header")
        }
        sampleRate = Double(rate)
        for lead in 0..<count {
            let nanovolts = word(206 + 2 * lead)
            guard nanovolts > 0 else {
                throw FormatError(
                    file, at: "byte \(206 + 2 * lead)", "lead \(lead + 1) has a resolution of \(nanovolts) nV")
            }
            leads.append((Self.label(word(158 + 2 * lead), lead), Double(nanovolts)))
        }
        start = Self.start((word(138), word(140), word(142)), (word(150), word(152), word(154)))
        recorder = String(decoding: bytes[232..<272].prefix { $0 != 0 }, as: UTF8.self)
            .trimmingCharacters(in: .whitespaces)
        isPaced = word(230) > 0
        let stated = UInt16(bytes[8]) | UInt16(bytes[9]) << 8
        isChecksumRight = offset > bytes.count || Self.checksum(bytes[10..<offset]) == stated
    }

    private static let leadNames = [
        "bipolar", "X", "Y", "Z", "I", "II", "III", "aVR", "aVL", "aVF", "V1", "V2", "V3", "V4", "V5", "V6", "ES",
        "AS", "AI",
    ]

    /// The lead's name; those without one are numbered.
    private static func label(_ code: Int, _ lead: Int) -> String {
        guard code > 1, code <= leadNames.count else { return "lead \(lead + 1)" }
        return leadNames[code - 1]
    }

    private static func start(_ date: (Int, Int, Int), _ time: (Int, Int, Int)) -> Timestamp? {
        guard (1900...9999).contains(date.2), Timestamp.exists(year: date.2, month: date.1, day: date.0),
            (0...23).contains(time.0), (0...59).contains(time.1), (0...60).contains(time.2)
        else { return nil }
        return Timestamp(
            year: date.2, month: date.1, day: date.0, hour: time.0, minute: time.1, second: Double(time.2))
    }

    /// CRC-CCITT, polynomial 0x1021 from 0xFFFF, of all that lies between the checksum and the samples.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        bytes.reduce(0xFFFF) { sum, byte in
            var sum = sum ^ UInt16(byte) << 8
            for _ in 0..<8 { sum = sum & 0x8000 != 0 ? sum << 1 ^ 0x1021 : sum << 1 }
            return sum
        }
    }
}
