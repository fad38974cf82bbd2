import Foundation

/// What is wrong with a file that somebody wrote by hand, in plain words.
public enum DecodingWords {
    /// Where the mistake is, as keys from the top on, and what was expected there.
    /// - Parameters:
    ///   - section: the key of the part of the file that was decoded; nil: all of it.
    ///   - choices: the words that may stand at a place, by its keys: `columns.kind`.
    public static func text(
        _ error: DecodingError, in section: String? = nil, choices: [String: [String]] = [:]
    ) -> String {
        func place(_ context: DecodingError.Context) -> String {
            let path = context.codingPath.reduce(into: section ?? "") { path, key in
                if let place = key.intValue {
                    path += "[\(place + 1)]"
                } else {
                    path += (path.isEmpty ? "" : ".") + key.stringValue
                }
            }
            return path.isEmpty ? "" : path + ": "
        }
        switch error {
        case .typeMismatch(let type, let context): return place(context) + "expected \(words(for: type))"
        case .valueNotFound(let type, let context):
            return place(context) + "expected \(words(for: type)), found nothing"
        case .dataCorrupted(let context): return place(context) + plain(context, choices)
        case .keyNotFound(let key, let context): return place(context) + "lacks \(key.stringValue)"
        @unknown default: return String(describing: error)
        }
    }

    private static func words(for type: any Any.Type) -> String {
        switch type {
        case is String.Type: return "a text"
        case is Bool.Type: return "true or false"
        case is any BinaryInteger.Type: return "a whole number"
        case is any BinaryFloatingPoint.Type: return "a number"
        default: break
        }
        let name = String(describing: type)
        if name == "Scalar" { return "a text or a number" }
        if name.hasPrefix("Array<") || name.contains("UnkeyedDecodingContainer") || name == "Sequence" {
            return "a list"
        }
        if name.hasPrefix("Dictionary<") || name.contains("KeyedDecodingContainer") || name == "Mapping" {
            return "a mapping of keys to values"
        }
        return "another value"
    }

    /// What the standard library says of a word that no case of an enumeration has.
    private static func plain(_ context: DecodingError.Context, _ choices: [String: [String]]) -> String {
        let description = context.debugDescription
        guard description.hasPrefix("Cannot initialize "), let value = description.range(of: " value ") else {
            return description
        }
        let word = String(description[value.upperBound...])
        let place = context.codingPath.filter { $0.intValue == nil }.map(\.stringValue).joined(separator: ".")
        let known = choices[place].map { "; " + WrittenSettings.known(word, $0) } ?? ""
        return "'\(word)' is not known here\(known)"
    }
}
