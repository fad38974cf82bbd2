import Sessions
import Study

/// Who takes part.
enum ParticipantRoutes {
    static func routes(_ context: ServiceContext) -> [Route] {
        [
            Route(
                method: "GET", path: "/api/participants", id: "listParticipants", summary: "All participants",
                right: .read,
                answer: Route.Answer(meaning: "The participants", schema: .items(Schemas.participant))
            ) { _ in
                let counts = Dictionary(grouping: try context.bookkeeping.runs(), by: \.name.subject)
                let labels = Set(try context.bookkeeping.participants()).union(counts.keys)
                return .json(.items(labels.sorted().map { json($0, counts[$0]?.count ?? 0) }))
            },
            Route(
                method: "POST", path: "/api/participants", id: "addParticipant",
                summary: "Add a participant; one of that label stays as it is", right: .record,
                body: .object([.required("participant", .label, "Label: letters and digits, nothing personal")]),
                answer: Route.Answer(status: 201, meaning: "The participant", schema: Schemas.participant)
            ) { call in
                let label = call.body["participant"]?.text ?? ""
                try context.study.enroll(subject: label)
                try context.bookkeeping.addParticipant(label, at: context.now())
                // Whether somebody took part before is for those alone who may see participants.
                guard call.caller.rights.contains(.read) else {
                    return .json(["participant": .text(label)], status: 201)
                }
                let count = try context.bookkeeping.runs().count { $0.name.subject == label }
                return .json(json(label, count), status: 201)
            },
        ]
    }

    private static func json(_ label: String, _ count: Int) -> JSONValue {
        ["participant": .text(label), "sessions": .integer(count)]
    }
}
