import Study

/// Something the service answers to, declared once: the router and the API's document both read this.
struct Route: Sendable {
    /// A part of the path or an item of the query.
    struct Parameter: Sendable {
        enum Place: String { case path, query }
        var place: Place
        var name: String
        var schema: Schema
        var meaning: String
    }

    /// What comes back when all goes well.
    struct Answer: Sendable {
        var status = 200
        var meaning: String
        var type: String? = "application/json"
        var schema = Schema.any
    }

    /// A request for this route that was found to be in order.
    struct Call: Sendable {
        var request: ServiceRequest
        var parameters: [String: String]
        var body: JSONValue
        var caller: Caller

        /// A whole number in the path, which was found to be one.
        func integer(_ name: String) -> Int { parameters[name].flatMap { Int($0) } ?? 0 }
        /// A part of the path or item of the query.
        func text(_ name: String) -> String? { parameters[name] }
    }

    typealias Handler = @Sendable (Call) async throws -> ServiceResponse

    var method: String
    /// With parameters in braces, such as `/api/sessions/{session}`.
    var path: String
    var id: String
    var summary: String
    /// What the caller must be allowed to do; nil: anybody.
    var right: AccessRight?
    var parameters: [Parameter] = []
    var body: Schema?
    /// True where the body is text of another protocol than JSON.
    var takesText = false
    var answer: Answer
    /// Problems beyond those that every route may have.
    var problems: [Int] = []
    var handle: Handler

    /// Whether HEAD is answered as GET is, without the body. Events have no end, a link that works once would be used
    /// up, and packets that were waited for would be lost.
    var answersToHead: Bool {
        method == "GET" && answer.type != "text/event-stream" && answer.status == 200 && !path.hasPrefix("/open/")
            && path != SocketIORoutes.path
    }

    /// The parts of the path.
    var segments: ArraySlice<Substring> { path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() }
}

extension Route.Parameter {
    static func path(_ name: String, _ schema: Schema, _ meaning: String) -> Self {
        Self(place: .path, name: name, schema: schema, meaning: meaning)
    }

    static func query(_ name: String, _ schema: Schema, _ meaning: String) -> Self {
        Self(place: .query, name: name, schema: schema, meaning: meaning)
    }

    /// Whether a text of the path or query is a value of this parameter.
    func accepts(_ text: String) -> Bool {
        switch schema {
        case .integer, .number:
            guard let number = Int(text), String(number) == text else { return false }
            return schema.problem(with: .integer(number)) == nil
        case .boolean: return text == "true" || text == "false"
        default: return schema.problem(with: .text(text)) == nil
        }
    }
}
