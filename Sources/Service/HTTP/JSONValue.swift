public import Foundation

/// Any JSON: what requests bring and answers hold.
public enum JSONValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// Reads JSON, in time proportional to its length.
    /// - Throws: what makes it none, which lists in lists deeper than 512 do.
    public init(_ data: Data) throws {
        self.init(try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed))
    }

    private init(_ value: Any) {
        switch value {
        case let members as [String: Any]: self = .object(members.mapValues(JSONValue.init))
        case let values as [Any]: self = .list(values.map(JSONValue.init))
        case let text as String: self = .text(text)
        case let number as NSNumber:
            // "c" is how Foundation marks a truth value: JSON has no characters.
            switch number.objCType.pointee {
            case CChar(UInt8(ascii: "c")): self = .boolean(number.boolValue)
            case CChar(UInt8(ascii: "d")), CChar(UInt8(ascii: "Q")): self = .number(number.doubleValue)
            default: self = .integer(number.intValue)
            }
        default: self = .null
        }
    }

    /// A number, or null where it is missing or no finite number.
    public static func optional(_ number: Double?) -> JSONValue {
        guard let number, number.isFinite else { return .null }
        return .number(number)
    }

    /// A text, or null where it is missing.
    public static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.text) ?? .null }

    /// The same as text, keys sorted.
    public var data: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return (try? encoder.encode(self)) ?? Data("null".utf8)
    }

    /// A member of an object; nil where there is none.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    /// The text, if it is one.
    public var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    /// The number, if it is one.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The whole number, if it is one.
    public var integer: Int? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The truth value, if it is one.
    public var boolean: Bool? {
        guard case .boolean(let value) = self else { return nil }
        return value
    }

    /// The elements, if it is a list.
    public var list: [JSONValue]? {
        guard case .list(let values) = self else { return nil }
        return values
    }
}

extension JSONValue: Encodable {
    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// A list.
    public init(arrayLiteral elements: JSONValue...) { self = .list(elements) }
    /// An object.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, later in later })
    }
}
