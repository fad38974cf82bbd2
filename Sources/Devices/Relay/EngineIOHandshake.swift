import Foundation

/// The content of an Engine.IO `open` packet: the parameters of a connection.
public struct EngineIOHandshake: Hashable, Sendable, Decodable {
    /// The connection's identifier.
    public var sid: String
    /// Milliseconds between two pings.
    public var pingInterval: Int
    /// Milliseconds after which a silent peer counts as disconnected.
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

    /// Reads the content of an `open` packet; nil where it is no JSON with a sid.
    public init?(json: String) {
        guard let found = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else { return nil }
        self = found
    }

    /// The content of an `open` packet.
    public var json: String {
        "{\"sid\":\(ArctopFrames.quoted(sid)),\"upgrades\":[],\"pingInterval\":\(pingInterval),"
            + "\"pingTimeout\":\(pingTimeout)}"
    }
}
