import Decoding
import Foundation
import Pipeline
import Sessions
import Signals
import Study

/// Predictions, where participants stand with them, and the tasks that calibrate them.
enum CalibrationRoutes {
    static func routes(_ context: ServiceContext) -> [Route] {
        [predictions, list(context), change(context), fit(context), task(context), beat(context), card(context)]
    }

    private static let predictions = Route(
        method: "GET", path: "/api/predictions", id: "listPredictions",
        summary: "The predictions that this key allows", right: .read,
        answer: Route.Answer(meaning: "The predictions", schema: .items(Schemas.prediction))
    ) { call in .json(.items(Prediction.all.filter { call.caller.allows($0.name) }.map(json))) }

    private static func list(_ context: ServiceContext) -> Route {
        Route(
            method: "GET", path: "/api/calibrations", id: "listCalibrations",
            summary: "Where everybody stands with the predictions that this key allows", right: .read,
            answer: Route.Answer(meaning: "The participants", schema: .items(Schemas.calibration))
        ) { call in
            .json(
                .items(
                    try context.calibrations.books().map { subject, book in
                        [
                            "participant": .text(subject),
                            "predictions": .list(
                                try book.overview.filter { call.caller.allows($0.name) }.map {
                                    json($0, try context.model(of: subject, $0.name))
                                }),
                        ]
                    }))
        }
    }

    private static let target: [Schema.Member] = [
        .required("participant", .label, "Whose"),
        .required("prediction", .text(among: Prediction.all.map(\.name)), "Of which prediction"),
    ]

    private static func change(_ context: ServiceContext) -> Route {
        let actions = [CalibrationAction.register, .block, .unblock, .reset, .expire].map(\.rawValue)
        return Route(
            method: "POST", path: "/api/calibrations", id: "changeCalibration",
            summary: "Change where a participant stands with a prediction", right: .record,
            body: .object(
                target + [
                    .required("action", .text(among: actions), "What happens"),
                    .optional("cause", .text(longest: 1_000), "Why, in words people will understand later"),
                ]),
            answer: Route.Answer(meaning: "Where the participant stands", schema: Schemas.standing), problems: [409]
        ) { call in
            let (subject, prediction) = try meant(call)
            let action = CalibrationAction(rawValue: call.body["action"]?.text ?? "") ?? .register
            try context.calibrations.signed(by: call.caller.name).request(
                action, of: prediction, for: subject, cause: call.body["cause"]?.text ?? action.rawValue,
                at: context.now())
            let book = try context.calibrations.book(of: subject)
            guard let standing = book.overview.first(where: { $0.name == prediction.name }) else {
                throw Problem.notFound("there is no such prediction")
            }
            return .json(json(standing, try context.model(of: subject, prediction.name)))
        }
    }

    private static func fit(_ context: ServiceContext) -> Route {
        Route(
            method: "POST", path: "/api/calibrations/fit", id: "fitModel",
            summary: "Fit a participant's model to the task in a finished session", right: .record,
            body: .object(
                target + [.required("session", .integer(1...9_007_199_254_740_991), "The session's number")]),
            answer: Route.Answer(meaning: "How it went", schema: Schemas.fit), problems: [404, 409, 503]
        ) { call in
            let (subject, prediction) = try meant(call)
            guard prediction.calibration == .ownTask else {
                throw Problem.invalid("\(prediction.name) has no calibration of its own")
            }
            let run = try context.run(call.body["session"]?.integer ?? 0)
            guard run.name.subject == subject else { throw Problem.notFound("this session is of somebody else") }
            guard [.finishing, .finished, .recovered].contains(run.status) else {
                throw Problem.conflict("notFinished", "finish the session first")
            }
            let outcome = try await context.desk.fit(
                prediction, of: subject, to: context.study.root.appendingPathComponent(run.file),
                signed: call.caller.name)
            let status = try context.calibrations.book(of: subject).status(prediction)
            switch outcome {
            case .accepted(let card, _): return result(true, card.summary, nil, status)
            case .refused(let text, let reason, _): return result(false, text, reason, status)
            }
        }
    }

    private static func result(
        _ accepted: Bool, _ text: String, _ reason: RefusalReason?, _ status: CalibrationStatus
    ) -> ServiceResponse {
        .json([
            "accepted": .boolean(accepted), "text": .text(text), "reason": .optional(reason?.rawValue),
            "status": .integer(status.rawValue),
        ])
    }

    private static let own = Schema.text(among: Prediction.all.filter { $0.calibration == .ownTask }.map(\.name))

    private static func task(_ context: ServiceContext) -> Route {
        Route(
            method: "POST", path: "/api/tasks", id: "startTask",
            summary: "Ask the page that was opened last to begin a calibration task in the session that runs",
            right: .record,
            body: .object([.required("task", own, "The task: the name of its prediction")]),
            answer: Route.Answer(status: 202, meaning: "The page was asked", type: nil), problems: [409]
        ) { call in
            let name = call.body["task"]?.text ?? ""
            for prediction in try Prediction.named([name], allowed: call.caller.predictions) {
                try await demandTask(of: prediction, context)
            }
            guard context.feed.ask(task: name) else {
                throw Problem.conflict(
                    "noPage", "nobody has the page open with a key that may record: open it in a browser")
            }
            return ServiceResponse(status: 202, type: nil, .data(Data()))
        }
    }

    private static func beat(_ context: ServiceContext) -> Route {
        Route(
            method: "POST", path: "/api/tasks/beat", id: "beatTask",
            summary: "Say that the page of the calibration task that runs is there; every few seconds", right: .record,
            body: .object([
                .required("task", own, "The task: the name of its prediction"),
                .required("seed", SessionRoutes.taskSeed, "What it was begun with"),
            ]),
            answer: Route.Answer(status: 204, meaning: "The task goes on", type: nil), problems: [409]
        ) { call in
            let name = call.body["task"]?.text ?? ""
            _ = try Prediction.named([name], allowed: call.caller.predictions)
            try await context.desk.attend(name, seed: call.body["seed"]?.integer ?? 0)
            return .nothing
        }
    }

    /// - Throws: why the task of a prediction cannot be done in the session that runs.
    private static func demandTask(of prediction: Prediction, _ context: ServiceContext) async throws {
        guard await context.desk.running != nil, let session = context.feed.picture.session else {
            throw Problem.conflict("notRunning", "start a session first")
        }
        if let task = context.feed.picture.task { throw Problem.taskRunning(task) }
        let kinds = context.feed.picture.kinds
        for needs in prediction.streams where needs.isDisjoint(with: kinds) {
            throw PredictionRefusal.stream(prediction.name, needs: needs.map(\.rawValue).sorted())
        }
        if try context.calibrations.book(of: session.participant).status(prediction) == .blocked {
            throw Problem.conflict("blocked", "\(prediction.name) is blocked for this participant: unblock it first")
        }
    }

    private static func card(_ context: ServiceContext) -> Route {
        Route(
            method: "POST", path: "/api/models/{model}/ticket", id: "openCard",
            summary: "A link to a model's card for a window of its own", right: .read,
            parameters: [.path("model", .integer(1...9_007_199_254_740_991), "The model's number")],
            answer: Route.Answer(status: 201, meaning: "The link", schema: Schemas.ticket)
        ) { call in
            guard let model = try context.bookkeeping.model(Int64(call.integer("model"))),
                call.caller.allows(model.prediction)
            else { throw Problem.notFound("there is no such model") }
            let url = context.study.root.appendingPathComponent(model.file).deletingPathExtension()
                .appendingPathExtension("html")
            guard ServedFolders(context.study).size(of: url) != nil else {
                throw Problem.notFound("this model has no page")
            }
            let ticket = context.tickets.issue("model-card.html", url, for: call.caller.key, at: SystemTime.now)
            return .json(["url": .text("/open/\(ticket)")], status: 201)
        }
    }

    /// The participant and the prediction of a request.
    /// - Throws: `PredictionRefusal` where the key does not allow it.
    private static func meant(_ call: Route.Call) throws -> (String, Prediction) {
        let name = call.body["prediction"]?.text ?? ""
        guard let prediction = try Prediction.named([name], allowed: call.caller.predictions).first else {
            throw PredictionRefusal.unknown(name)
        }
        return (call.body["participant"]?.text ?? "", prediction)
    }

    private static func json(_ prediction: Prediction) -> JSONValue {
        [
            "predictionId": .integer(prediction.id), "name": .text(prediction.name), "title": .text(prediction.title),
            "icon": .text(prediction.icon), "unit": .text(prediction.unit.rawValue),
            "range": prediction.range.map { .list([.number($0.lowerBound), .number($0.upperBound)]) } ?? .null,
            "streams": .list(prediction.streams.map { .list($0.map(\.rawValue).sorted().map { .text($0) }) }),
            "calibrations": .list(prediction.models.map { .text($0) }),
            "excludesOthers": .boolean(prediction.excludesOthers),
        ]
    }

    private static func json(_ standing: PredictionStatus, _ model: Int?) -> JSONValue {
        [
            "predictionId": .integer(standing.predictionId), "name": .text(standing.name),
            "title": .text(standing.title), "icon": .text(standing.icon), "status": .integer(standing.status),
            "statusName": .text(standing.statusName), "cause": .optional(standing.cause),
            "reason": .optional(standing.reason?.rawValue),
            "model": model.map(JSONValue.integer) ?? .null,
        ]
    }
}
