import Acquisition
import Decoding
import Foundation
import Signals
import Study

/// Sessions: listed, started, tagged, finished.
enum SessionRoutes {
    static func routes(_ context: ServiceContext) -> [Route] {
        [
            list(context), check(context), endCheck(context), start(context), get(context), tag(context), time(context),
            command(context), finish(context),
        ]
    }

    /// What a calibration task is begun with, and told from others by.
    static let taskSeed = Schema.integer(0...2_147_483_647)

    private static func list(_ context: ServiceContext) -> Route {
        Route(
            method: "GET", path: "/api/sessions", id: "listSessions", summary: "All sessions of the study",
            right: .read, answer: Route.Answer(meaning: "The sessions", schema: .items(Schemas.session))
        ) { call in
            let running = await context.desk.running
            let analyses = try context.bookkeeping.latestAnalyses()
            return .json(
                .items(
                    try context.bookkeeping.runs().map { json($0, analyses[$0.id], running, context, call.caller) }))
        }
    }

    private static func check(_ context: ServiceContext) -> Route {
        Route(
            method: "POST", path: "/api/check", id: "check",
            summary: "Connect devices and judge their signals without recording; /api/live tells", right: .record,
            body: .object([.required("devices", addresses, "Addresses: MODEL@PLACE,option=value")]),
            answer: Route.Answer(status: 202, meaning: "The check runs", type: nil),
            problems: [409, 503]
        ) { call in
            let devices = call.body["devices"]?.list?.compactMap(\.text) ?? []
            try call.caller.demandFiles(of: devices, within: context.study)
            try call.caller.demandPlaces(of: devices, among: context.bookkeeping.devicePlaces())
            try await context.desk.check(devices)
            return ServiceResponse(status: 202, type: nil, .data(Data()))
        }
    }

    private static func endCheck(_ context: ServiceContext) -> Route {
        Route(
            method: "DELETE", path: "/api/check", id: "endCheck", summary: "End the check, if one runs",
            right: .record, answer: Route.Answer(status: 204, meaning: "No check runs", type: nil)
        ) { _ in
            await context.desk.endCheck()
            return .nothing
        }
    }

    private static let addresses = Schema.list(.text(longest: 500), 1...SessionDesk.mostDevices)

    private static let wish = Schema.object([
        .required("participant", .label, "Who takes part"),
        .optional("session", .label, "BIDS session label"),
        .optional("task", .label, "BIDS task label"),
        .optional(
            "devices", addresses,
            "Addresses: MODEL@PLACE,option=value; without it: the devices that are connected in the check that runs"),
        .optional("duration", .number(1...604_800), "Seconds after which it ends by itself"),
        .optional(
            "predictions", .list(.text(among: Prediction.all.map(\.name)), 0...16),
            "What to tell of the participant as it goes on"),
        .optional(
            "needsCheck", .boolean,
            "Refuse unless a check runs in which the signals of all devices pass; without it: where there are predictions"
        ),
    ])

    private static func start(_ context: ServiceContext) -> Route {
        Route(
            method: "POST", path: "/api/sessions", id: "startSession", summary: "Begin to record a session",
            right: .record, body: wish,
            answer: Route.Answer(status: 201, meaning: "The session runs", schema: Schemas.session),
            problems: [409, 503]
        ) { call in
            let predictions = call.body["predictions"]?.list?.compactMap(\.text) ?? []
            let devices = call.body["devices"]?.list?.compactMap(\.text) ?? []
            try call.caller.demandFiles(of: devices, within: context.study)
            try call.caller.demandPlaces(of: devices, among: context.bookkeeping.devicePlaces())
            let id = try await context.desk.start(
                SessionDesk.Wish(
                    participant: call.body["participant"]?.text ?? "", session: call.body["session"]?.text,
                    task: call.body["task"]?.text, devices: devices, predictions: predictions,
                    allowed: call.caller.predictions,
                    duration: call.body["duration"]?.number,
                    needsCheck: call.body["needsCheck"]?.boolean ?? !predictions.isEmpty))
            var response = ServiceResponse.json(
                json(try context.run(id), nil, await context.desk.running, context, call.caller), status: 201)
            response.headers["Location"] = "/api/sessions/\(id)"
            return response
        }
    }

    private static func get(_ context: ServiceContext) -> Route {
        Route(
            method: "GET", path: "/api/sessions/{session}", id: "getSession", summary: "One session",
            right: .read, parameters: [.session],
            answer: Route.Answer(meaning: "The session", schema: Schemas.session)
        ) { call in
            let run = try context.run(call.integer("session"))
            let analysis = try context.bookkeeping.latestAnalyses()[run.id]
            return .json(json(run, analysis, await context.desk.running, context, call.caller))
        }
    }

    private static func tag(_ context: ServiceContext) -> Route {
        Route(
            method: "POST", path: "/api/sessions/{session}/tags", id: "tagSession",
            summary: "Record tags in the session that runs", right: .record, parameters: [.session],
            body: .object([
                .required(
                    "tags",
                    .list(
                        .object([
                            .required("label", .text(), "What happened"),
                            .optional(
                                "t", .number(0...604_800),
                                "When, in seconds from the recording's start as /time tells; without it: now"),
                        ]), 1...1_000), "One or several"),
                .optional("stream", .label, "The stream of markers they belong to; without it: tags"),
                .optional(
                    "seed", taskSeed, "The seed of the calibration task they are of; refused after another began"),
            ]),
            answer: Route.Answer(status: 204, meaning: "Recorded", type: nil), problems: [409]
        ) { call in
            let id = call.integer("session")
            _ = try context.run(id)
            let tags = (call.body["tags"]?.list ?? []).map {
                SessionDesk.Tag(label: $0["label"]?.text ?? "", onset: $0["t"]?.number)
            }
            try await context.desk.tag(
                id, tags, stream: call.body["stream"]?.text ?? "tags", seed: call.body["seed"]?.integer,
                allowed: call.caller.predictions, by: call.caller.name)
            return .nothing
        }
    }

    private static func time(_ context: ServiceContext) -> Route {
        Route(
            method: "GET", path: "/api/sessions/{session}/time", id: "sessionTime",
            summary: "How far the session that runs has come, to measure a page's clock against", right: .record,
            parameters: [.session], answer: Route.Answer(meaning: "The time", schema: Schemas.time),
            problems: [409]
        ) { call in
            let id = call.integer("session")
            _ = try context.run(id)
            return .json(["t": .number(try await context.desk.time(of: id))])
        }
    }

    private static func command(_ context: ServiceContext) -> Route {
        Route(
            method: "POST", path: "/api/sessions/{session}/commands", id: "commandSession",
            summary:
                "Pause devices of the session that runs, let them go on, disconnect and connect them, or stop scripts",
            right: .record, parameters: [.session],
            body: .object([
                .required(
                    "command", .text(among: SessionCommand.deviceCommands.keys.sorted()),
                    "abort stops the script that runs on an instrument, resetEnergy has straps count energy from 0"),
                .optional("device", .text(), "The device's name in the session; without it: all of them"),
            ]),
            answer: Route.Answer(status: 204, meaning: "The devices were asked; live events tell", type: nil),
            problems: [409]
        ) { call in
            let id = call.integer("session")
            _ = try context.run(id)
            try await context.desk.obey(call.body["command"]?.text ?? "", device: call.body["device"]?.text, in: id)
            return .nothing
        }
    }

    private static func finish(_ context: ServiceContext) -> Route {
        Route(
            method: "POST", path: "/api/sessions/{session}/finish", id: "finishSession",
            summary: "End the session that runs; its results follow", right: .record, parameters: [.session],
            answer: Route.Answer(status: 202, meaning: "The recording is closed; results follow", type: nil),
            problems: [409]
        ) { call in
            let id = call.integer("session")
            _ = try context.run(id)
            try await context.desk.finish(id)
            return ServiceResponse(status: 202, type: nil, .data(Data()))
        }
    }

    private static func json(
        _ run: RunRecord, _ analysis: AnalysisRecord?, _ running: Int?, _ context: ServiceContext, _ caller: Caller
    ) -> JSONValue {
        let isRunning = running == Int(run.id)
        return [
            "id": .integer(Int(run.id)), "participant": .text(run.name.subject),
            "session": .optional(run.name.session), "task": .optional(run.name.task),
            "run": run.name.run.map(JSONValue.integer) ?? .null, "status": .text(run.status.rawValue),
            "isRunning": .boolean(isRunning), "isInterrupted": .boolean(!isRunning && context.study.isInterrupted(run)),
            "analysis": .optional(analysis?.status.rawValue),
            "message": .optional(run.message ?? analysis?.message), "start": .number(run.addedAt),
            "hasReport": .boolean(context.files.hasReport(run, for: caller)),
        ]
    }
}
