import Devices
import Foundation
import Study

/// The ECG relay over Socket.IO, as phone apps speak it: Engine.IO 2 to 4, by polling and over WebSockets.
enum SocketIORoutes {
    /// The path that clients of Socket.IO ask at.
    static let path = "/socket.io/"

    /// True for the path of a Socket.IO request.
    static func owns(_ path: String) -> Bool { path == Self.path || path == String(Self.path.dropLast()) }

    private static let parameters: [Route.Parameter] = [
        .query(
            "EIO", .text(among: EngineIOVersion.allCases.map { "\($0.rawValue)" }),
            "The revision of Engine.IO: 2, 3 or 4"),
        .query(
            "transport", .text(among: ["polling", "websocket"]),
            "polling or websocket"),
        .query("sid", .text(), "The session; without it: begin one"),
        .query("key", .text(), "The key, for phones that cannot send headers"),
    ]

    static func routes(_ context: ServiceContext) -> [Route] {
        [
            Route(
                method: "GET", path: path, id: "socketIO",
                summary: "Begin a Socket.IO session of the relay, wait for its packets, or take it over by a WebSocket",
                right: .relay, parameters: parameters,
                answer: Route.Answer(meaning: "Packets", type: "text/plain", schema: .text(longest: 1 << 20)),
                problems: [503]
            ) { call in try await get(call, context) },
            Route(
                method: "POST", path: path, id: "sendSocketIO",
                summary: "Packets of a Socket.IO session by polling; answers come to its GET", right: .relay,
                parameters: parameters, takesText: true,
                answer: Route.Answer(meaning: "Taken", type: "text/plain", schema: .text())
            ) { call in
                let session = try context.phones.session(try id(call), for: call.caller)
                try session.take(payload: Array(call.request.body ?? Data()), at: SystemTime.now)
                return text("ok")
            },
        ]
    }

    private static func get(_ call: Route.Call, _ context: ServiceContext) async throws -> ServiceResponse {
        guard let version = call.text("EIO").flatMap({ Int($0) }).flatMap(EngineIOVersion.init) else {
            throw Problem.invalid("EIO: the revision of Engine.IO, 2, 3 or 4")
        }
        let isSocket = call.text("transport") == "websocket"
        if isSocket, call.request.headers["upgrade"]?.lowercased() != "websocket" {
            throw Problem.invalid("transport=websocket is for a WebSocket's handshake")
        }
        let session: SocketIOSession
        if call.text("sid") != nil {
            session = try context.phones.session(try id(call), for: call.caller)
            guard !isSocket || session.isPolling else { throw Problem.invalid("this session is on a WebSocket") }
        } else {
            let key = call.caller.key
            session = try context.phones.open(
                version, isSocket ? .websocket : .polling, for: call.caller, isAllowed: { context.isValid(key) })
        }
        if isSocket { return ServiceResponse(status: 101, type: nil, .socketIO(SocketIOSocket(session: session))) }
        return text(EngineIOPayload.encode(try await session.poll(), session.version))
    }

    private static func id(_ call: Route.Call) throws(Problem) -> String {
        guard let id = call.text("sid") else { throw .invalid("sid: the session that the handshake told") }
        return id
    }

    private static func text(_ text: String) -> ServiceResponse {
        ServiceResponse(type: "text/plain; charset=UTF-8", .data(Data(text.utf8)))
    }
}
