import Signals

/// A revision of the Engine.IO protocol, which a client names as `EIO` in its first request.
public enum EngineIOVersion: Int, Hashable, Sendable, CaseIterable {
    /// Socket.IO 1.0.
    case two = 2
    /// Socket.IO 1.x and 2.x.
    case three = 3
    /// Socket.IO 3.x and 4.x.
    case four = 4

    /// True where the server pings and the client answers; before revision 4 it is the other way round.
    public var isServerPinging: Bool { self == .four }
}

/// A text packet of Engine.IO (revisions 2, 3 and 4): one digit and the content.
public struct EngineIOPacket: Hashable, Sendable {
    /// The kind of a packet, by its digit.
    public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        case open = 0
        case close, ping, pong, message, upgrade, noop
    }

    /// The kind.
    public var kind: Kind
    /// The content.
    public var text: String

    /// A packet.
    public init(_ kind: Kind, _ text: String = "") {
        (self.kind, self.text) = (kind, text)
    }

    /// A packet of Socket.IO as a message.
    public init(_ packet: SocketIOPacket) { self.init(.message, packet.encoded) }

    /// Reads a packet.
    /// - Throws: `MalformedMessage` where it is no text in UTF-8 that begins with a digit from 0 to 6.
    public init(_ bytes: some Collection<UInt8>) throws(MalformedMessage) {
        guard let first = bytes.first, let kind = Kind(rawValue: first &- UInt8(ascii: "0")),
            let text = String(validating: bytes.dropFirst(), as: UTF8.self)
        else {
            throw MalformedMessage(
                place: "Engine.IO packet", problem: "a packet is text that begins with a digit from 0 to 6",
                bytes: bytes)
        }
        self.init(kind, text)
    }

    /// The packet on the wire.
    public var encoded: String { "\(kind.rawValue)\(text)" }
}

/// The packets of one request or answer of Engine.IO's polling.
public enum EngineIOPayload {
    /// Reads a payload. Binary packets are counted, not read.
    /// - Throws: `MalformedMessage` where the bytes are not of this revision.
    public static func decode(
        _ bytes: [UInt8], _ version: EngineIOVersion
    ) throws(MalformedMessage) -> (packets: [EngineIOPacket], binaryCount: Int) {
        var parts: [Part]
        if version == .four {
            parts = bytes.split(separator: separator, omittingEmptySubsequences: false).map {
                $0.first == UInt8(ascii: "b") ? .binary : .text($0)
            }
        } else if let first = bytes.first, first <= 1 {
            parts = try framed(bytes)
        } else {
            parts = try counted(bytes)
        }
        var packets: [EngineIOPacket] = []
        for case .text(let part) in parts { packets.append(try EngineIOPacket(part)) }
        return (packets, parts.count - packets.count)
    }

    /// The packets as one text.
    public static func encode(_ packets: [EngineIOPacket], _ version: EngineIOVersion) -> String {
        if version == .four { return packets.map(\.encoded).joined(separator: "\u{1E}") }
        // Lengths are in the units of JavaScript's strings.
        return packets.map { "\($0.encoded.utf16.count):\($0.encoded)" }.joined()
    }

    /// Between the packets of revision 4.
    private static let separator: UInt8 = 0x1E
    private static let maxDigits = 9

    private enum Part {
        case text(ArraySlice<UInt8>)
        case binary
    }

    private static func broken(_ problem: String, _ bytes: [UInt8]) -> MalformedMessage {
        MalformedMessage(place: "Engine.IO payload", problem: problem, bytes: bytes)
    }

    /// Revisions 2 and 3 in binary: 0 for text or 1, the digits of the length in bytes, 255, the packet.
    private static func framed(_ bytes: [UInt8]) throws(MalformedMessage) -> [Part] {
        var parts: [Part] = []
        var rest = bytes[...]
        while let kind = rest.popFirst() {
            let digits = rest.prefix { $0 <= 9 }
            guard kind <= 1, (1...maxDigits).contains(digits.count) else {
                throw broken("a packet begins with 0 or 1 and the digits of its length", bytes)
            }
            let count = digits.reduce(0) { $0 * 10 + Int($1) }
            rest = rest.dropFirst(digits.count)
            guard rest.popFirst() == 255, rest.count >= count else {
                throw broken("a packet is shorter than its length says", bytes)
            }
            parts.append(kind == 0 ? .text(rest.prefix(count)) : .binary)
            rest = rest.dropFirst(count)
        }
        return parts
    }

    /// Revisions 2 and 3 in text: the length in UTF-16 units, a colon, the packet.
    private static func counted(_ bytes: [UInt8]) throws(MalformedMessage) -> [Part] {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw broken("a payload is text in UTF-8", bytes)
        }
        let units = Array(text.utf16)
        var parts: [Part] = []
        var place = 0
        while place < units.count {
            var count = 0
            let start = place
            while place < units.count, (0x30...0x39).contains(units[place]), place - start < maxDigits {
                count = count * 10 + Int(units[place] - 0x30)
                place += 1
            }
            guard place > start, place < units.count, units[place] == 0x3A, units.count - place - 1 >= count else {
                throw broken("a packet begins with its length and a colon, and is as long as that says", bytes)
            }
            let packet = units[place + 1..<place + 1 + count]
            parts.append(
                packet.first == 0x62 ? .binary : .text(Array(String(decoding: packet, as: UTF16.self).utf8)[...]))
            place += 1 + count
        }
        return parts
    }
}
