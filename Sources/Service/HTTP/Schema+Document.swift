extension Schema {
    /// The form as JSON Schema (OpenAPI 3.1).
    /// - Parameter isClosed: whether objects have no members but those named, as in a request.
    func json(isClosed: Bool = false) -> JSONValue {
        switch self {
        case .any: [:]
        case .boolean: ["type": "boolean"]
        case .label: ["type": "string", "pattern": .text(Self.labelPattern)]
        case .text(let longest, let among):
            if let among {
                ["type": "string", "enum": .list(among.map(JSONValue.text))]
            } else {
                ["type": "string", "minLength": isClosed ? 1 : 0, "maxLength": .integer(longest)]
            }
        case .number(let range): Self.bounded("number", range.map { ($0.lowerBound, $0.upperBound) })
        case .integer(let range):
            Self.bounded("integer", range.map { (Double($0.lowerBound), Double($0.upperBound)) })
        case .list(let element, let counts): Self.listForm(element.json(isClosed: isClosed), counts)
        case .map(let element): ["type": "object", "additionalProperties": element.json(isClosed: isClosed)]
        case .nullable(let schema): ["anyOf": [schema.json(isClosed: isClosed), ["type": "null"]]]
        case .object(let members): Self.objectForm(members, isClosed: isClosed)
        }
    }

    private static func bounded(_ type: String, _ range: (Double, Double)?) -> JSONValue {
        guard let range else { return ["type": .text(type)] }
        return ["type": .text(type), "minimum": .number(range.0), "maximum": .number(range.1)]
    }

    private static func listForm(_ element: JSONValue, _ counts: ClosedRange<Int>?) -> JSONValue {
        guard let counts else { return ["type": "array", "items": element] }
        return [
            "type": "array", "items": element, "minItems": .integer(counts.lowerBound),
            "maxItems": .integer(counts.upperBound),
        ]
    }

    private static func objectForm(_ members: [Member], isClosed: Bool) -> JSONValue {
        var properties: [String: JSONValue] = [:]
        for member in members {
            guard case .object(var form) = member.schema.json(isClosed: isClosed) else { continue }
            form["description"] = .text(member.meaning)
            properties[member.name] = .object(form)
        }
        var form: [String: JSONValue] = ["type": "object", "properties": .object(properties)]
        let required = members.filter(\.isRequired).map { JSONValue.text($0.name) }
        if !required.isEmpty { form["required"] = .list(required) }
        if isClosed { form["additionalProperties"] = false }
        return .object(form)
    }
}
