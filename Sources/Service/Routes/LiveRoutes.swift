import Decoding
import Study

/// What happens now: the state, and events as they come.
enum LiveRoutes {
    static func routes(_ context: ServiceContext) -> [Route] {
        [
            Route(
                method: "GET", path: "/api/live", id: "live", summary: "The state of the session that runs",
                right: .read, answer: Route.Answer(meaning: "The state", schema: Schemas.live)
            ) { call in .json(context.feed.json(for: call.caller.predictions)) },
            Route(
                method: "GET", path: "/api/live/events", id: "liveEvents",
                summary: "What happens, as server-sent events; docs/service.md describes them", right: .read,
                parameters: [
                    .query(
                        "detail", .text(among: Detail.allCases.map(\.rawValue)),
                        "How much of the signals: none, display (least and greatest of every 10 ms) or full")
                ],
                answer: Route.Answer(meaning: "Events without end", type: "text/event-stream"), problems: [503]
            ) { call in
                let detail = call.text("detail").flatMap(Detail.init) ?? .none
                guard let subscription = context.feed.subscribe(detail, call.caller)
                else {
                    throw Problem.unavailable("tooManyClients", "\(context.limits.clients) clients follow already")
                }
                var response = ServiceResponse(type: "text/event-stream", .events(subscription))
                // Proxies are asked not to hold events back.
                response.headers["X-Accel-Buffering"] = "no"
                return response
            },
            Route(
                method: "GET", path: "/api/live/rhythm-events", id: "listRhythmEvents",
                summary: "Changes to rhythms that are not regular, in the session that runs", right: .read,
                answer: Route.Answer(meaning: "The changes", schema: .items(Schemas.rhythmEvent))
            ) { call in
                let isSeen = call.caller.allows(Prediction.heartRate.name)
                return .json(["items": isSeen ? context.feed.picture.rhythmsJSON : .list([])])
            },
            Route(
                method: "DELETE", path: "/api/live/rhythm-events/{event}", id: "deleteRhythmEvent",
                summary: "Take one off the list; the recording and its results keep it", right: .record,
                parameters: [.event], answer: Route.Answer(status: 204, meaning: "Taken off", type: nil)
            ) { call in
                guard call.caller.allows(Prediction.heartRate.name), context.feed.deleteRhythm(call.integer("event"))
                else {
                    throw Problem.notFound("there is no such event")
                }
                return .nothing
            },
        ]
    }
}
