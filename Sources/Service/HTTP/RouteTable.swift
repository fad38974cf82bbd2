import Foundation

/// Finds the route of a request.
struct RouteTable: Sendable {
    let routes: [Route]

    /// The route of a path and method with the parts of the path that are parameters; that of HEAD is GET's.
    /// - Throws: `Problem` 404 or 405.
    func find(_ method: String, _ path: String) throws(Problem) -> (Route, [String: String]) {
        // The server behind takes the slash away that clients of Socket.IO write.
        let path = SocketIORoutes.owns(path) ? SocketIORoutes.path : path
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        var allowed: Set<String> = []
        for route in routes {
            guard let parameters = Self.match(route, Array(segments)) else { continue }
            let answersToHead = route.answersToHead
            if route.method == method || (answersToHead && method == "HEAD") { return (route, parameters) }
            allowed.insert(route.method)
            if answersToHead { allowed.insert("HEAD") }
        }
        guard !allowed.isEmpty else {
            throw .notFound("there is no such resource; /openapi.json lists all")
        }
        let list = allowed.sorted().joined(separator: ", ")
        var problem = Problem(405, "method", "this resource answers to \(list)")
        problem.headers["Allow"] = list
        throw problem
    }

    private static func match(_ route: Route, _ segments: [Substring]) -> [String: String]? {
        let template = route.segments
        guard template.count == segments.count else { return nil }
        var parameters: [String: String] = [:]
        for (pattern, segment) in zip(template, segments) {
            if pattern.first == "{", pattern.last == "}" {
                guard let text = String(segment).removingPercentEncoding, !text.isEmpty else { return nil }
                parameters[String(pattern.dropFirst().dropLast())] = text
            } else if pattern != segment {
                return nil
            }
        }
        return parameters
    }

    /// The request as its route wants it.
    /// - Throws: `Problem` 400, 404, 413 or 415 saying what is wrong.
    static func call(
        _ request: ServiceRequest, _ route: Route, _ found: [String: String], _ caller: Caller
    ) throws(Problem) -> Route.Call {
        var parameters = found
        for parameter in route.parameters {
            switch parameter.place {
            case .path:
                guard let text = found[parameter.name], parameter.accepts(text) else {
                    throw .notFound("there is no such \(parameter.name)")
                }
            case .query:
                guard let text = request.query[parameter.name] else { continue }
                guard parameter.accepts(text) else { throw .invalid("\(parameter.name): \(parameter.meaning)") }
                parameters[parameter.name] = text
            }
        }
        return Route.Call(
            request: request, parameters: parameters, body: try body(request, route), caller: caller)
    }

    private static func body(_ request: ServiceRequest, _ route: Route) throws(Problem) -> JSONValue {
        guard let data = request.body else { throw Problem(413, "tooLarge", "the body is too large") }
        guard let schema = route.body else { return .null }
        let type = request.headers["content-type"]?.split(separator: ";").first.map { $0.lowercased() }
        guard type?.trimmingCharacters(in: .whitespaces) == "application/json" else {
            throw Problem(415, "mediaType", "the body must be application/json")
        }
        let value: JSONValue
        do { value = try JSONValue(data) } catch { throw .invalid("the body is no JSON") }
        if let problem = schema.problem(with: value) { throw .invalid(problem) }
        return value
    }
}
