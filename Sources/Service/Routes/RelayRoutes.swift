import Devices
import Study

/// The ECG relay over plain HTTP and WebSocket.
enum RelayRoutes {
    static func routes(_ context: ServiceContext) -> [Route] {
        [
            Route(
                method: "GET", path: "/api/relay", id: "relay", summary: "How this key's samples do",
                right: .relay, answer: Route.Answer(meaning: "The relay", schema: Schemas.relay)
            ) { call in .json(context.relay.json(for: call.caller)) },
            Route(
                method: "POST", path: "/api/relay/messages", id: "relayMessage",
                summary: "One ECG sample; the answer is no medical judgement", right: .relay,
                body: .object([
                    .required("amplitude", .text(longest: 64), "The sample as text, such as 4.995"),
                    .required("time", .text(longest: 64), "When it was sent, ISO 8601"),
                ]),
                answer: Route.Answer(meaning: "Heart rate and status", schema: Schemas.relayReply), problems: [409]
            ) { call in
                let sample = RelaySample(
                    amplitude: call.body["amplitude"]?.text ?? "", time: call.body["time"]?.text ?? "")
                guard
                    let reply = try context.relay.take(
                        sample, from: RelaySender(key: call.caller.key), at: context.now())
                else {
                    throw Problem.invalid("amplitude is no number")
                }
                return .json(["heartRate": .text(reply.heartRate), "statusCode": .text(reply.statusCode)])
            },
            Route(
                method: "POST", path: "/api/relay/disconnect", id: "relayDisconnect",
                summary: "The sender's board is gone", right: .relay,
                answer: Route.Answer(status: 204, meaning: "Noted", type: nil)
            ) { call in
                context.relay.disconnect(RelaySender(key: call.caller.key))
                return .nothing
            },
            Route(
                method: "DELETE", path: "/api/relay/events/{event}", id: "deleteRelayEvent",
                summary: "Take a change to abnormal off the list", right: .relay, parameters: [.event],
                answer: Route.Answer(status: 204, meaning: "Taken off", type: nil)
            ) { call in
                try context.relay.delete(call.integer("event"), by: call.caller)
                return .nothing
            },
            Route(
                method: "GET", path: "/api/relay/socket", id: "relaySocket",
                summary: "A WebSocket: samples in, heart rate and status back", right: .relay,
                answer: Route.Answer(status: 101, meaning: "The socket", type: nil), problems: [400]
            ) { call in
                guard call.request.headers["upgrade"]?.lowercased() == "websocket" else {
                    throw Problem.invalid("this resource is a WebSocket")
                }
                let key = call.caller.key
                let socket = RelaySocket(
                    desk: context.relay, sender: RelaySender(key: key, socket: AccessToken().text),
                    now: context.now,
                    isAllowed: { context.isValid(key) })
                return ServiceResponse(status: 101, type: nil, .relay(socket))
            },
        ]
    }
}
