import Foundation

/// What an LSL inlet gave, as bytes: so that it can be logged and replayed as other devices' bytes are. Each message
/// is one arrival on the stream endpoint. The first byte tells its kind, numbers are little-endian:
///
/// - `I`: JSON of `LSLStreamInfo`; the first message;
/// - `R`: JSON of an array of `LSLStreamInfo`;
/// - `T`: seconds to add to the sender's clock to get this machine's (f64);
/// - `C`: number of samples and of channels (u32 each), the stamps (f64 each), the values sample by sample (f64 each);
/// - `L`: the same with 64-bit integers as values (i64 each);
/// - `S`: a sample of texts: stamp (f64), then for each channel its length in bytes (u32) and the UTF-8 text.
public enum LSLMessage: Hashable, Sendable {
    case info(LSLStreamInfo)
    /// Other streams that fit what was asked for, which are not recorded.
    case rivals([LSLStreamInfo])
    case correction(Double)
    /// Stamps on the sender's clock; values sample by sample.
    case chunk(stamps: [Double], values: [Double])
    /// The same of a stream of 64-bit integers.
    case integers(stamps: [Double], values: [Int64])
    case text([String], stamp: Double)

    /// The message's bytes.
    public var bytes: [UInt8] {
        var bytes: [UInt8]
        switch self {
        case .info(let info): bytes = [UInt8(ascii: "I")] + Self.json(info)
        case .rivals(let infos): bytes = [UInt8(ascii: "R")] + Self.json(infos)
        case .correction(let offset):
            bytes = [UInt8(ascii: "T")]
            Self.append(offset.bitPattern, &bytes)
        case .chunk(let stamps, let values):
            bytes = Self.chunk("C", stamps, values.map(\.bitPattern))
        case .integers(let stamps, let values):
            bytes = Self.chunk("L", stamps, values.map { UInt64(bitPattern: $0) })
        case .text(let texts, let stamp):
            bytes = [UInt8(ascii: "S")]
            Self.append(stamp.bitPattern, &bytes)
            for text in texts {
                Self.append(UInt32(truncatingIfNeeded: text.utf8.count), &bytes)
                bytes += text.utf8
            }
        }
        return bytes
    }

    /// Reads a message.
    /// - Throws: `MalformedMessage`.
    public init(_ bytes: [UInt8]) throws(MalformedMessage) {
        let content = bytes.dropFirst()
        let found: LSLMessage?
        switch bytes.first {
        case UInt8(ascii: "I"):
            found = (try? JSONDecoder().decode(LSLStreamInfo.self, from: Data(content))).map { .info($0) }
        case UInt8(ascii: "R"):
            found = (try? JSONDecoder().decode([LSLStreamInfo].self, from: Data(content))).map { .rivals($0) }
        case UInt8(ascii: "T"):
            found = content.count == 8 ? .correction(Self.double(content, 0)) : nil
        case UInt8(ascii: "C"):
            found = Self.chunk(content).map { .chunk(stamps: $0, values: $1.map { Double(bitPattern: $0) }) }
        case UInt8(ascii: "L"):
            found = Self.chunk(content).map { .integers(stamps: $0, values: $1.map { Int64(bitPattern: $0) }) }
        case UInt8(ascii: "S"): found = Self.text(content)
        default: found = nil
        }
        guard let found else { throw MalformedMessage(place: "LSL message", problem: "not of its form", bytes: bytes) }
        self = found
    }

    private static func json(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(value)).map { Array($0) } ?? []
    }

    private static func chunk(_ kind: Unicode.Scalar, _ stamps: [Double], _ values: [UInt64]) -> [UInt8] {
        var bytes = [UInt8(ascii: kind)]
        bytes.reserveCapacity(9 + 8 * (stamps.count + values.count))
        append(UInt32(truncatingIfNeeded: stamps.count), &bytes)
        append(UInt32(truncatingIfNeeded: stamps.isEmpty ? 0 : values.count / stamps.count), &bytes)
        for stamp in stamps { append(stamp.bitPattern, &bytes) }
        for value in values { append(value, &bytes) }
        return bytes
    }

    private static func chunk(_ content: ArraySlice<UInt8>) -> (stamps: [Double], values: [UInt64])? {
        guard content.count >= 8 else { return nil }
        let frames = Int(number(content, 0, as: UInt32.self))
        let channels = Int(number(content, 4, as: UInt32.self))
        guard frames <= 1 << 20, channels <= 1 << 16, content.count == 8 + 8 * frames * (1 + channels) else {
            return nil
        }
        let stamps = (0..<frames).map { double(content, 8 + 8 * $0) }
        let values = (0..<frames * channels).map { number(content, 8 + 8 * (frames + $0), as: UInt64.self) }
        return (stamps, values)
    }

    private static func text(_ content: ArraySlice<UInt8>) -> LSLMessage? {
        guard content.count >= 8 else { return nil }
        let stamp = double(content, 0)
        var place = 8
        var texts: [String] = []
        while place < content.count {
            guard content.count >= place + 4 else { return nil }
            let length = Int(number(content, place, as: UInt32.self))
            place += 4
            guard content.count >= place + length else { return nil }
            let start = content.startIndex + place
            texts.append(String(decoding: content[start..<start + length], as: UTF8.self))
            place += length
        }
        return .text(texts, stamp: stamp)
    }

    private static func append(_ number: some FixedWidthInteger, _ bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func number<Number: FixedWidthInteger>(
        _ content: ArraySlice<UInt8>, _ offset: Int, as: Number.Type
    ) -> Number {
        content.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
    }

    private static func double(_ content: ArraySlice<UInt8>, _ offset: Int) -> Double {
        Double(bitPattern: number(content, offset, as: UInt64.self))
    }
}
