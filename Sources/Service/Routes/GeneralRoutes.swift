import Foundation
import Pipeline
import Study

/// Health, what the service is, the API's document and the page.
enum GeneralRoutes {
    static func routes(_ context: ServiceContext) -> [Route] {
        [
            Route(
                method: "GET", path: "/health", id: "health", summary: "Whether the service answers",
                answer: Route.Answer(meaning: "It does", schema: Schemas.health)
            ) { _ in
                .json(["status": "ok", "version": .text(MareyVersion.current)])
            },
            Route(
                method: "GET", path: "/api/service", id: "service", summary: "What this service is and how it does",
                right: .read, answer: Route.Answer(meaning: "The service", schema: Schemas.service)
            ) { call in
                let audience = context.feed.audience
                return .json([
                    "study": .text(context.title), "version": .text(MareyVersion.current),
                    "clients": .integer(audience.clients), "droppedClients": .integer(audience.dropped),
                    "running": await context.desk.running.map(JSONValue.integer) ?? .null,
                    "rights": .list(call.caller.rights.map { .text($0.rawValue) }.sorted { "\($0)" < "\($1)" }),
                ])
            },
        ]
    }

    /// The document describes all routes, itself and the page among them.
    static func documentRoutes(of routes: [Route]) -> [Route] {
        let page = Route(
            method: "GET", path: "/", id: "page", summary: "The page to look at sessions with",
            answer: Route.Answer(meaning: "The page", type: "text/html", schema: .text(longest: 1 << 20))
        ) { _ in DashboardPage.response }
        let placeholder = documentRoute(Data())
        let document = OpenAPIDocument.json(routes + [page, placeholder], version: MareyVersion.current)
        return [page, documentRoute(document.data)]
    }

    private static func documentRoute(_ data: Data) -> Route {
        Route(
            method: "GET", path: "/openapi.json", id: "document", summary: "This document",
            answer: Route.Answer(meaning: "The document", schema: .object([]))
        ) { _ in ServiceResponse(type: "application/json", .data(data)) }
    }
}
