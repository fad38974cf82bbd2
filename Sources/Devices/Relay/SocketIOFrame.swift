import Foundation

/// A text frame of Socket.IO over a WebSocket (Engine.IO protocol 2 and 3, Socket.IO protocol 2 to 4).
public enum SocketIOFrame: Hashable, Sendable {
    /// `0{…}`: the server's hand-shake.
    case open(SocketIOHandshake)
    /// `1`: the connection ends.
    case close
    /// `2`, with what is to be sent back.
    case ping(String)
    /// `3`, with what was sent.
    case pong(String)
    /// `40`: joined.
    case connect
    /// `41`: left.
    case disconnect
    /// `42["name",payload]`: the payload's JSON text as it is; empty when there is none.
    case event(name: String, payload: String)
    /// `5`, `6`, `43`, `44`: of no meaning here.
    case other(String)

    /// The longest frame that is read, in bytes.
    public static let longest = 1 << 16

    /// Reads the text of a frame.
    /// - Throws: `MalformedMessage`.
    public init(_ bytes: [UInt8]) throws(MalformedMessage) {
        func broken(_ problem: String) -> MalformedMessage {
            MalformedMessage(place: "Socket.IO frame", problem: problem, bytes: bytes)
        }
        guard bytes.count <= Self.longest else { throw broken("longer than \(Self.longest) bytes") }
        guard let first = bytes.first, let text = String(validating: bytes, as: UTF8.self) else {
            throw broken("empty, or no UTF-8")
        }
        let rest = String(text.dropFirst())
        switch first {
        case UInt8(ascii: "0"):
            guard let found = try? JSONDecoder().decode(SocketIOHandshake.self, from: Data(rest.utf8)) else {
                throw broken("the hand-shake is no JSON with a sid")
            }
            self = .open(found)
        case UInt8(ascii: "1"): self = .close
        case UInt8(ascii: "2"): self = .ping(rest)
        case UInt8(ascii: "3"): self = .pong(rest)
        case UInt8(ascii: "4"):
            guard let found = Self.message(rest) else { throw broken("a message that is no event") }
            self = found
        case UInt8(ascii: "5"), UInt8(ascii: "6"): self = .other(text)
        default: throw broken("a frame begins with a digit from 0 to 6")
        }
    }

    private static func message(_ text: String) -> SocketIOFrame? {
        switch text.first {
        case "0": return .connect
        case "1": return .disconnect
        case "2": return event(text.dropFirst())
        case "3", "4": return .other("4" + text)
        default: return nil
        }
    }

    /// `["name",payload]`, after a name space and the number of an acknowledgement.
    private static func event(_ text: Substring) -> SocketIOFrame? {
        var text = text
        if text.first == "/", let comma = text.firstIndex(of: ",") { text = text[text.index(after: comma)...] }
        text = text.drop { $0.isASCII && $0.isNumber }
        guard text.first == "[", text.last == "]" else { return nil }
        let inner = text.dropFirst().dropLast().drop { $0 == " " }
        guard inner.first == "\"", let end = endOfString(inner) else { return nil }
        guard let name = try? JSONDecoder().decode(String.self, from: Data(inner[...end].utf8)) else { return nil }
        var payload = inner[inner.index(after: end)...].drop { $0 == " " }
        if payload.isEmpty { return .event(name: name, payload: "") }
        guard payload.first == "," else { return nil }
        payload = payload.dropFirst().drop { $0 == " " }
        return .event(name: name, payload: String(payload))
    }

    private static func endOfString(_ text: Substring) -> Substring.Index? {
        var isEscaped = false
        for index in text.indices.dropFirst() {
            if isEscaped {
                isEscaped = false
            } else if text[index] == "\\" {
                isEscaped = true
            } else if text[index] == "\"" {
                return index
            }
        }
        return nil
    }

    /// The frame's text.
    public var text: String {
        switch self {
        case .open(let handshake):
            "0{\"sid\":\(ArctopFrames.quoted(handshake.sid)),\"upgrades\":[],\"pingInterval\":\(handshake.pingInterval),"
                + "\"pingTimeout\":\(handshake.pingTimeout)}"
        case .close: "1"
        case .ping(let payload): "2" + payload
        case .pong(let payload): "3" + payload
        case .connect: "40"
        case .disconnect: "41"
        case .event(let name, let payload):
            "42[" + ArctopFrames.quoted(name) + (payload.isEmpty ? "" : "," + payload) + "]"
        case .other(let text): text
        }
    }
}

/// What a Socket.IO server tells of a connection.
public struct SocketIOHandshake: Hashable, Sendable, Decodable {
    /// The connection's identifier.
    public var sid: String
    /// Milliseconds between two pings of the client.
    public var pingInterval: Int
    /// Milliseconds after which a silent client is gone.
    public var pingTimeout: Int

    /// A connection called `sid`.
    public init(sid: String, pingInterval: Int = 25_000, pingTimeout: Int = 60_000) {
        self.sid = sid
        self.pingInterval = pingInterval
        self.pingTimeout = pingTimeout
    }

    private enum CodingKeys: String, CodingKey {
        case sid, pingInterval, pingTimeout
    }

    /// Reads it; servers may leave the times out.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        sid = try container.decode(String.self, forKey: .sid)
        pingInterval = min(
            max(try container.decodeIfPresent(Int.self, forKey: .pingInterval) ?? 25_000, 100), 3_600_000)
        pingTimeout = min(max(try container.decodeIfPresent(Int.self, forKey: .pingTimeout) ?? 60_000, 100), 3_600_000)
    }
}
