/// Why a request was not fulfilled, as RFC 9457 `application/problem+json`.
public struct Problem: Error, Hashable, Sendable {
    /// The HTTP status code.
    public var status: Int
    /// A stable word for programs, such as `sessionRunning`.
    public var reason: String
    /// What is wrong and what to do, for people.
    public var detail: String
    /// Headers that go with it.
    var headers: [String: String] = [:]

    /// A problem.
    public init(_ status: Int, _ reason: String, _ detail: String) {
        (self.status, self.reason, self.detail) = (status, reason, detail)
    }

    static func invalid(_ detail: String) -> Problem { Problem(400, "invalid", detail) }
    static func notFound(_ detail: String) -> Problem { Problem(404, "notFound", detail) }
    static func conflict(_ reason: String, _ detail: String) -> Problem { Problem(409, reason, detail) }
    static func unavailable(_ reason: String, _ detail: String) -> Problem { Problem(503, reason, detail) }

    /// The form of every problem.
    static let schema = Schema.object([
        .required("type", .text(), "A name of the kind of problem"),
        .required("title", .text(), "The status in words"),
        .required("status", .integer(400...599), "The HTTP status code"),
        .required("reason", .text(), "A stable word for programs"),
        .required("detail", .text(longest: 2_000), "What is wrong and what to do"),
    ])

    /// What each status code means.
    static let titles = [
        400: "Invalid request", 401: "Key missing or not valid", 403: "The key does not allow this",
        404: "Not found", 405: "Not a method of this resource", 408: "Too slow", 409: "Not now",
        411: "Length missing", 413: "Too much at once", 415: "Not JSON", 429: "Too many requests",
        431: "Head too long", 500: "Something went wrong here", 501: "Not a method of HTTP", 503: "Not available",
        505: "Not this version of HTTP",
    ]

    /// The answer it becomes.
    var response: ServiceResponse {
        let value: JSONValue = [
            "type": .text("urn:marey:problem:\(reason)"), "title": .text(Self.titles[status] ?? "Problem"),
            "status": .integer(status), "reason": .text(reason), "detail": .text(String(detail.prefix(2_000))),
        ]
        var response = ServiceResponse(status: status, type: "application/problem+json", .data(value.data))
        response.headers.merge(headers) { $1 }
        return response
    }
}
