import Foundation

/// What is wrong with a file that somebody wrote by hand, in plain words.
public enum DecodingWords {
    /// Where the mistake is, as keys from the top on, and what was expected there.
    /// - Parameter section: the key of the part of the file that was decoded; nil: all of it.
    public static func text(_ error: DecodingError, in section: String? = nil) -> String {
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
        case .dataCorrupted(let context): return place(context) + plain(context.debugDescription)
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
    private static func plain(_ description: String) -> String {
        guard description.hasPrefix("Cannot initialize "), let value = description.range(of: " value ") else {
            return description
        }
        return "'\(description[value.upperBound...])' is not known here"
    }
}
