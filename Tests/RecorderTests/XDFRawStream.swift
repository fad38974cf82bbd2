import Foundation
import Signals

/// A stream of an XDF file as its bytes have it, without any reading of times.
struct XDFRawStream {
    var xml: String
    var stamps: [Seconds] = []
    var values: [Double] = []
    var integers: [Int64] = []
    var texts: [String] = []
    /// The number of samples that its footer counts; nil without a footer.
    var footerCount: Int?

    /// All streams, by name.
    static func all(in bytes: [UInt8]) -> [String: XDFRawStream] {
        var (streams, names): ([UInt32: XDFRawStream], [UInt32: String]) = ([:], [:])
        var place = 4
        func number<T: FixedWidthInteger>(_ at: Int, _: T.Type) -> T {
            bytes.withUnsafeBytes { T(littleEndian: $0.loadUnaligned(fromByteOffset: at, as: T.self)) }
        }
        func length(_ at: inout Int) -> Int {
            let size = Int(bytes[at])
            defer { at += 1 + size }
            return size == 1
                ? Int(bytes[at + 1]) : size == 4 ? Int(number(at + 1, UInt32.self)) : Int(number(at + 1, UInt64.self))
        }
        while place < bytes.count {
            let count = length(&place)
            let end = place + count
            let tag = number(place, UInt16.self)
            let id = [2, 3, 6].contains(tag) ? number(place + 2, UInt32.self) : 0
            var at = place + 6
            if tag == 2 {
                let xml = String(decoding: bytes[at..<end], as: UTF8.self)
                names[id] = text("name", xml)
                streams[id] = XDFRawStream(xml: xml)
            } else if tag == 6 {
                streams[id]?.footerCount = Int(text("sample_count", String(decoding: bytes[at..<end], as: UTF8.self)))
            } else if tag == 3, var stream = streams[id] {
                let format = text("channel_format", stream.xml)
                let channels = Int(text("channel_count", stream.xml)) ?? 1
                for _ in 0..<length(&at) {
                    if bytes[at] == 8 { stream.stamps.append(Double(bitPattern: number(at + 1, UInt64.self))) }
                    at += 1 + Int(bytes[at])
                    for _ in 0..<channels {
                        switch format {
                        case "string":
                            let size = length(&at)
                            stream.texts.append(String(decoding: bytes[at..<at + size], as: UTF8.self))
                            at += size
                        case "int64":
                            stream.integers.append(number(at, Int64.self))
                            at += 8
                        case "double64":
                            stream.values.append(Double(bitPattern: number(at, UInt64.self)))
                            at += 8
                        case "int32":
                            stream.values.append(Double(number(at, Int32.self)))
                            at += 4
                        default:
                            stream.values.append(Double(Float(bitPattern: number(at, UInt32.self))))
                            at += 4
                        }
                    }
                }
                streams[id] = stream
            }
            place = end
        }
        return Dictionary(
            streams.map { (names[$0.key] ?? "", $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    private static func text(_ name: String, _ xml: String) -> String {
        guard let start = xml.range(of: "<\(name)>"), let end = xml.range(of: "</\(name)>") else { return "" }
        return String(xml[start.upperBound..<end.lowerBound])
    }
}
