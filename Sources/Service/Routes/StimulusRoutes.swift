import Foundation
import Study

/// The pictures and sounds of the enjoyment task.
enum StimulusRoutes {
    static func routes(_ context: ServiceContext) -> [Route] {
        [
            Route(
                method: "GET", path: "/api/stimuli", id: "listStimuli",
                summary: "The pictures and sounds in the study's folder stimuli/enjoyment", right: .read,
                answer: Route.Answer(meaning: "The files", schema: .items(Schemas.stimulus))
            ) { _ in
                .json(
                    .items(
                        StimulusFolder(context.study).items.map {
                            ["name": .text($0.name), "type": .text($0.type)]
                        }))
            },
            Route(
                method: "GET", path: "/api/stimuli/{stimulus}", id: "getStimulus", summary: "One of them",
                right: .read, parameters: [.path("stimulus", .text(), "The file's name")],
                answer: Route.Answer(meaning: "The file", type: "*/*")
            ) { call in
                guard
                    let item = StimulusFolder(context.study).items.first(where: { $0.name == call.text("stimulus") })
                else { throw Problem.notFound("there is no such stimulus") }
                return ServiceResponse(type: item.type, .file(item.url))
            },
        ]
    }
}
