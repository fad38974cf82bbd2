import Foundation

/// Puts the headband's JSON together from notifications that hold pieces of it.
public struct MuseControlText: Sendable {
    private var text: [UInt8] = []
    private var isInString = false
    private var isEscaped = false
    private var depth = 0

    /// Nothing read yet.
    public init() {}

    /// No object of a headband is longer.
    private static let longest = 4_096

    /// Takes one notification, whose first byte says how many of the rest count.
    /// - Returns: the objects that are complete now, and whether something had to be thrown away.
    public mutating func take(notification bytes: [UInt8]) -> (objects: [MuseReply], isDamaged: Bool) {
        guard let length = bytes.first, Int(length) < bytes.count else { return ([], true) }
        return take(bytes[1..<1 + Int(length)])
    }

    /// Takes a piece of text.
    public mutating func take(_ piece: some Sequence<UInt8>) -> (objects: [MuseReply], isDamaged: Bool) {
        var objects: [MuseReply] = []
        var isDamaged = false
        for byte in piece {
            // Between objects only an opening brace means anything.
            if depth == 0, byte != UInt8(ascii: "{") {
                if byte > 0x20 { isDamaged = true }
                continue
            }
            text.append(byte)
            follow(byte)
            if depth == 0 {
                if let object = MuseReply(json: text) { objects.append(object) } else { isDamaged = true }
                reset()
            } else if text.count >= Self.longest {
                isDamaged = true
                reset()
            }
        }
        return (objects, isDamaged)
    }

    /// Forgets half an object.
    public mutating func reset() { self = MuseControlText() }

    private mutating func follow(_ byte: UInt8) {
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: "}"): depth -= 1
        default: break
        }
    }
}

/// One JSON object of the control characteristic.
public struct MuseReply: Hashable, Sendable {
    /// Its values as text.
    public var values: [String: String]

    /// Reads an object; nil when it is not JSON.
    public init?(json: [UInt8]) {
        guard let object = try? JSONSerialization.jsonObject(with: Data(json)) as? [String: Any] else { return nil }
        values = object.mapValues { value in (value as? String) ?? "\(value)" }
    }

    /// 0 when the command went well; nil in replies without it.
    public var code: Int? { values["rc"].flatMap { Int($0) } }
}
