import Foundation

/// The form of a JSON value, declared once: requests are checked with it and the API's document shows it.
public indirect enum Schema: Hashable, Sendable {
    /// A text of so many characters, perhaps one of a few.
    case text(longest: Int = 200, among: [String]? = nil)
    /// A BIDS label: letters and digits.
    case label
    /// A number within a range.
    case number(ClosedRange<Double>? = nil)
    /// A whole number within a range.
    case integer(ClosedRange<Int>? = nil)
    case boolean
    /// A list of at least and at most so many.
    case list(Schema, ClosedRange<Int>? = nil)
    /// An object with these members; as a request's body it has no others.
    case object([Member])
    /// An object whose keys are not known beforehand.
    case map(Schema)
    /// The same, or null.
    case nullable(Schema)
    case any

    /// A member of an object.
    public struct Member: Hashable, Sendable {
        var name: String
        var schema: Schema
        var isRequired: Bool
        var meaning: String

        /// A member that must be there.
        public static func required(_ name: String, _ schema: Schema, _ meaning: String) -> Member {
            Member(name: name, schema: schema, isRequired: true, meaning: meaning)
        }

        /// A member that may be left out.
        public static func optional(_ name: String, _ schema: Schema, _ meaning: String) -> Member {
            Member(name: name, schema: schema, isRequired: false, meaning: meaning)
        }
    }

    static let labelPattern = "^[A-Za-z0-9]{1,64}$"

    // MARK: - Checking

    /// What is wrong with a value, naming the place; nil when nothing is.
    public func problem(with value: JSONValue, at place: String = "the body") -> String? {
        switch self {
        case .any: nil
        case .nullable(let schema): value == .null ? nil : schema.problem(with: value, at: place)
        case .boolean: value.boolean == nil ? "\(place) must be true or false" : nil
        case .text(let longest, let among): Self.textProblem(value, longest, among, place)
        case .label: Self.isLabel(value.text) ? nil : "\(place) must be made of letters and digits alone"
        case .number(let range): Self.numberProblem(value, range, place)
        case .integer(let range): Self.integerProblem(value, range, place)
        case .list(let element, let counts): Self.listProblem(value, element, counts, place)
        case .map(let element): Self.mapProblem(value, element, place)
        case .object(let members): Self.objectProblem(value, members, place)
        }
    }

    private static func isLabel(_ text: String?) -> Bool {
        guard let text, (1...64).contains(text.utf8.count) else { return false }
        return text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
    }

    private static func textProblem(_ value: JSONValue, _ longest: Int, _ among: [String]?, _ place: String) -> String?
    {
        guard let text = value.text else { return "\(place) must be a text" }
        if let among, !among.contains(text) { return "\(place) must be one of \(among.joined(separator: ", "))" }
        guard (1...longest).contains(text.unicodeScalars.count) else {
            return "\(place) must have 1 to \(longest) characters"
        }
        return nil
    }

    private static func numberProblem(_ value: JSONValue, _ range: ClosedRange<Double>?, _ place: String) -> String? {
        guard let number = value.number, number.isFinite else { return "\(place) must be a number" }
        guard let range, !range.contains(number) else { return nil }
        return "\(place) must lie between \(range.lowerBound) and \(range.upperBound)"
    }

    private static func integerProblem(_ value: JSONValue, _ range: ClosedRange<Int>?, _ place: String) -> String? {
        guard let number = value.integer else { return "\(place) must be a whole number" }
        guard let range, !range.contains(number) else { return nil }
        return "\(place) must lie between \(range.lowerBound) and \(range.upperBound)"
    }

    private static func listProblem(
        _ value: JSONValue, _ element: Schema, _ counts: ClosedRange<Int>?, _ place: String
    ) -> String? {
        guard let values = value.list else { return "\(place) must be a list" }
        if let counts, !counts.contains(values.count) {
            return "\(place) must have \(counts.lowerBound) to \(counts.upperBound) elements"
        }
        for (index, value) in values.enumerated() {
            if let problem = element.problem(with: value, at: "\(place)[\(index)]") { return problem }
        }
        return nil
    }

    private static func mapProblem(_ value: JSONValue, _ element: Schema, _ place: String) -> String? {
        guard case .object(let members) = value else { return "\(place) must be an object" }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            if let problem = element.problem(with: value, at: "\(place).\(name)") { return problem }
        }
        return nil
    }

    private static func objectProblem(_ value: JSONValue, _ members: [Member], _ place: String) -> String? {
        guard case .object(let found) = value else { return "\(place) must be an object" }
        let known = Set(members.map(\.name))
        if let unknown = found.keys.sorted().first(where: { !known.contains($0) }) {
            return "\(place) has no member \(unknown.prefix(40)); possible: \(known.sorted().joined(separator: ", "))"
        }
        for member in members {
            guard let value = found[member.name] else {
                if member.isRequired { return "\(place) lacks \(member.name)" }
                continue
            }
            if let problem = member.schema.problem(with: value, at: member.name) { return problem }
        }
        return nil
    }
}
