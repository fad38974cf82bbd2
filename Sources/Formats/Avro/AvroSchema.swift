import Foundation

/// A schema of Apache Avro (specification 1.11, "Schema Declaration"), as far as it says how bytes are laid out.
indirect enum AvroSchema: Sendable {
    case null, boolean, int, long, float, double, bytes, string
    case fixed(Int)
    case enumeration([String])
    case array(AvroSchema)
    case map(AvroSchema)
    case union([AvroSchema])
    case record(name: String, fields: [(name: String, schema: AvroSchema)])
    /// A type declared elsewhere in the schema.
    case named(String)

    /// The schema with its named types.
    struct Document: Sendable {
        var root: AvroSchema
        var types: [String: AvroSchema]
    }

    /// Reads a schema in JSON; nil when it is none.
    static func parse(_ json: [UInt8]) -> Document? {
        guard let value = try? JSONSerialization.jsonObject(with: Data(json), options: .fragmentsAllowed) else {
            return nil
        }
        var types: [String: AvroSchema] = [:]
        guard let root = parse(value, namespace: nil, &types, depth: 0) else { return nil }
        return Document(root: root, types: types)
    }

    private static let primitives: [String: AvroSchema] = [
        "null": .null, "boolean": .boolean, "int": .int, "long": .long, "float": .float, "double": .double,
        "bytes": .bytes, "string": .string,
    ]

    private static func parse(
        _ value: Any, namespace: String?, _ types: inout [String: AvroSchema], depth: Int
    ) -> AvroSchema? {
        guard depth < 32 else { return nil }
        if let name = value as? String { return primitives[name] ?? .named(full(name, namespace)) }
        if let options = value as? [Any] {
            var parsed: [AvroSchema] = []
            for option in options {
                guard let schema = parse(option, namespace: namespace, &types, depth: depth + 1) else { return nil }
                parsed.append(schema)
            }
            return parsed.isEmpty ? nil : .union(parsed)
        }
        guard let object = value as? [String: Any], let type = object["type"] else { return nil }
        guard let kind = type as? String else {
            return parse(type, namespace: namespace, &types, depth: depth + 1)
        }
        switch kind {
        case "array", "map":
            guard let content = object[kind == "array" ? "items" : "values"],
                let inner = parse(content, namespace: namespace, &types, depth: depth + 1)
            else { return nil }
            return kind == "array" ? .array(inner) : .map(inner)
        case "record", "enum", "fixed":
            return declared(kind, object, namespace: namespace, &types, depth: depth)
        default: return primitives[kind] ?? .named(full(kind, namespace))
        }
    }

    private static func declared(
        _ kind: String, _ object: [String: Any], namespace: String?, _ types: inout [String: AvroSchema], depth: Int
    ) -> AvroSchema? {
        guard let bare = object["name"] as? String else { return nil }
        let inner = object["namespace"] as? String ?? namespace
        let name = full(bare, inner)
        let schema: AvroSchema
        switch kind {
        case "enum":
            guard let symbols = object["symbols"] as? [String] else { return nil }
            schema = .enumeration(symbols)
        case "fixed":
            guard let size = object["size"] as? Int, size >= 0 else { return nil }
            schema = .fixed(size)
        default:
            guard let list = object["fields"] as? [[String: Any]] else { return nil }
            // A record may name itself within.
            types[name] = .record(name: name, fields: [])
            var fields: [(name: String, schema: AvroSchema)] = []
            for field in list {
                guard let label = field["name"] as? String, let type = field["type"],
                    let parsed = parse(type, namespace: inner, &types, depth: depth + 1)
                else { return nil }
                fields.append((label, parsed))
            }
            schema = .record(name: name, fields: fields)
        }
        types[name] = schema
        return schema
    }

    private static func full(_ name: String, _ namespace: String?) -> String {
        guard let namespace, !namespace.isEmpty, !name.contains(".") else { return name }
        return namespace + "." + name
    }
}
