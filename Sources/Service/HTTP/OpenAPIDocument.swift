import Study

/// The description of the API in OpenAPI 3.1, made from the routes themselves.
enum OpenAPIDocument {
    static func json(_ routes: [Route], version: String) -> JSONValue {
        var paths: [String: JSONValue] = [:]
        for route in routes {
            var operations: [String: JSONValue] = [:]
            if case .object(let known)? = paths[route.path] { operations = known }
            operations[route.method.lowercased()] = operation(route)
            paths[route.path] = .object(operations)
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Marey", "version": .text(version),
                "description":
                    "Participants, sessions, live data and results of one study. A research tool, not a medical device.",
                "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
            ],
            "servers": [["url": "/"]],
            "paths": .object(paths),
            "components": [
                "securitySchemes": [
                    "key": [
                        "type": "http", "scheme": "bearer",
                        "description": "A key made with `marey study keys create`, or the one printed at the start",
                    ]
                ],
                "schemas": ["Problem": Problem.schema.json()],
            ],
        ]
    }

    private static func operation(_ route: Route) -> JSONValue {
        var operation: [String: JSONValue] = [
            "operationId": .text(route.id), "summary": .text(route.summary), "responses": responses(route),
        ]
        if let right = route.right {
            operation["security"] = [["key": []]]
            operation["description"] = .text("Needs the right `\(right.rawValue)`.")
        }
        if !route.parameters.isEmpty { operation["parameters"] = .list(route.parameters.map(parameter)) }
        if let body = route.body {
            operation["requestBody"] = [
                "required": true, "content": ["application/json": ["schema": body.json(isClosed: true)]],
            ]
        }
        if route.takesText {
            operation["requestBody"] = ["required": true, "content": ["text/plain": ["schema": ["type": "string"]]]]
        }
        return .object(operation)
    }

    private static func parameter(_ parameter: Route.Parameter) -> JSONValue {
        [
            "name": .text(parameter.name), "in": .text(parameter.place.rawValue),
            "required": .boolean(parameter.place == .path), "description": .text(parameter.meaning),
            "schema": parameter.schema.json(isClosed: true),
        ]
    }

    private static func responses(_ route: Route) -> JSONValue {
        var responses: [String: JSONValue] = [:]
        var answer: [String: JSONValue] = ["description": .text(route.answer.meaning)]
        if let type = route.answer.type {
            answer["content"] = .object([type: ["schema": route.answer.schema.json()]])
        }
        responses["\(route.answer.status)"] = .object(answer)
        for status in problems(of: route) {
            responses["\(status)"] = [
                "description": .text(Problem.titles[status] ?? "Problem"),
                "content": ["application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"]]],
            ]
        }
        return .object(responses)
    }

    /// What may go wrong with a route, by how it is declared.
    private static func problems(of route: Route) -> Set<Int> {
        var problems = Set(route.problems).union([405, 413, 429])
        if route.right != nil { problems.formUnion([401, 403]) }
        if route.parameters.contains(where: { $0.place == .path }) { problems.insert(404) }
        if route.parameters.contains(where: { $0.place == .query }) { problems.insert(400) }
        if route.body != nil { problems.formUnion([400, 415]) }
        return problems
    }
}
