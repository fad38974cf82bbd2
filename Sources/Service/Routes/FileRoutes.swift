import Foundation
import Study

/// The files of sessions: recordings, tables, reports.
enum FileRoutes {
    static func routes(_ context: ServiceContext) -> [Route] {
        [
            Route(
                method: "GET", path: "/api/sessions/{session}/files", id: "listFiles",
                summary: "The recording and results of a session", right: .read, parameters: [.session],
                answer: Route.Answer(meaning: "The files", schema: .items(Schemas.file))
            ) { call in
                let items = context.files.items(of: try context.run(call.integer("session")), for: call.caller)
                return .json(
                    .items(
                        items.map {
                            [
                                "name": .text($0.name), "size": .integer($0.size),
                                "type": .text(StudyFiles.type(of: $0.name)),
                            ]
                        }))
            },
            Route(
                method: "GET", path: "/api/sessions/{session}/files/{file}", id: "getFile", summary: "One file",
                right: .read, parameters: [.session, .file],
                answer: Route.Answer(meaning: "The file", type: "*/*")
            ) { call in
                let item = try item(call, context)
                return try response(item.name, item.url)
            },
            Route(
                method: "POST", path: "/api/sessions/{session}/files/{file}/ticket", id: "openFile",
                summary: "A link to one file for a window of its own", right: .read, parameters: [.session, .file],
                answer: Route.Answer(status: 201, meaning: "The link", schema: Schemas.ticket)
            ) { call in
                let item = try item(call, context)
                let ticket = context.tickets.issue(item.name, item.url, for: call.caller.key, at: SystemTime.now)
                return .json(["url": .text("/open/\(ticket)")], status: 201)
            },
            Route(
                method: "GET", path: "/open/{ticket}", id: "openTicket", summary: "The file behind a link",
                parameters: [.path("ticket", .text(), "From openFile")],
                answer: Route.Answer(meaning: "The file", type: "*/*")
            ) { call in
                let secret = call.text("ticket") ?? ""
                guard
                    let (name, url) = context.tickets.redeem(secret, at: SystemTime.now, isValid: context.isValid)
                else {
                    throw Problem.notFound("this link was used, its time is over, or its key was taken back")
                }
                return try response(name, url)
            },
        ]
    }

    private static func item(_ call: Route.Call, _ context: ServiceContext) throws -> StudyFiles.Item {
        let run = try context.run(call.integer("session"))
        guard let item = context.files.item(call.text("file") ?? "", of: run, for: call.caller) else {
            throw Problem.notFound("this session has no such file")
        }
        return item
    }

    private static func response(_ name: String, _ url: URL) throws -> ServiceResponse {
        // Since it was listed, or a link to it given, somebody may have erased it.
        guard access(url.path, R_OK) == 0 else { throw Problem.notFound("this file is no longer there") }
        var response = ServiceResponse(type: StudyFiles.type(of: name), .file(url))
        // A report's own script may run; it reaches neither this page's key nor the network.
        response.headers["Content-Security-Policy"] =
            "sandbox allow-scripts allow-downloads; default-src 'none'; style-src 'unsafe-inline'; "
            + "script-src 'unsafe-inline'; img-src data: blob:; font-src data:"
        let isShown = name.hasSuffix(".html") || name.hasSuffix(".json")
        response.headers["Content-Disposition"] = isShown ? "inline" : "attachment; filename=\"\(safe(name))\""
        return response
    }

    private static func safe(_ name: String) -> String {
        String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "_" })
    }
}
