public import Foundation

/// A request, free of sockets.
public struct ServiceRequest: Sendable {
    /// Such as `GET`.
    public var method: String
    /// The path, percent-encoded, without the query.
    public var path: String
    /// The query's items; of several with one name the last counts.
    public var query: [String: String]
    /// Headers by their names in lower case.
    public var headers: [String: String]
    /// The body; nil when it is longer than the service takes.
    public var body: Data?
    /// The peer's address, without its port.
    public var peer: String

    /// A request.
    public init(
        _ method: String, _ path: String, query: [String: String] = [:], headers: [String: String] = [:],
        body: Data? = Data(), peer: String = "local"
    ) {
        (self.method, self.path, self.query, self.headers) = (method, path, query, headers)
        (self.body, self.peer) = (body, peer)
    }
}

/// An answer, free of sockets.
public struct ServiceResponse: Sendable {
    /// The HTTP status code.
    public var status: Int
    /// Headers beyond those of the body.
    public var headers: [String: String]
    /// The media type of the body; nil without one.
    public var type: String?
    /// What is sent.
    public var body: Body

    /// What an answer holds.
    public enum Body: Sendable {
        /// All of it.
        case data(Data)
        /// A file's content.
        case file(URL)
        /// Events as they come.
        case events(Subscription)
        /// A WebSocket to the relay.
        case relay(RelaySocket)
        /// A WebSocket of a Socket.IO session.
        case socketIO(SocketIOSocket)
    }

    /// An answer.
    public init(status: Int = 200, type: String?, _ body: Body) {
        (self.status, self.type, self.body) = (status, type, body)
        headers = ["Cache-Control": "no-store"]
    }

    static func json(_ value: JSONValue, status: Int = 200) -> ServiceResponse {
        ServiceResponse(status: status, type: "application/json", .data(value.data))
    }

    static let nothing = ServiceResponse(status: 204, type: nil, .data(Data()))

    /// Headers that every answer has which does not say otherwise.
    static let protection = [
        "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
    ]

    /// The body, where it is held whole.
    public var data: Data {
        guard case .data(let data) = body else { return Data() }
        return data
    }
}
