import Foundation

/// Numbers of a file of parameters that are none of their parameter's, which a decoder would refuse without saying which, or
/// take in part.
extension Parameters {
    /// The parameters that are two numbers, the smaller first.
    private static let ranges: Set<String> = ["eda.responseLatency", "motion.wornTemperature"]

    /// - Throws: `PipelineError` where a parameter is a range and `value` is none.
    static func demandRange(_ value: Any, at place: String, _ file: String) throws {
        guard ranges.contains(place) else { return }
        let bounds = (value as? [Any])?.map { number($0) }
        if let bounds, bounds.count == 2, let lower = bounds[0], let upper = bounds[1], lower <= upper { return }
        throw PipelineError(
            "\(file): \(place) is \(value), expected a list of two numbers, the smaller first", advice: "such as [1, 4]"
        )
    }

    /// Where the number is that its parameter cannot hold, and what it holds; nil where there is none.
    /// - Parameter decode: makes parameters of the defaults and changes to them.
    static func unfitNumber(in changes: [String: Any], decode: ([String: Any]) throws -> Parameters) -> String? {
        func isUnfit(_ value: Any, _ path: [String]) -> Bool {
            var tree = value
            for key in path.reversed() { tree = [key: tree] as [String: Any] }
            guard let changes = tree as? [String: Any] else { return false }
            do {
                _ = try decode(changes)
                return false
            } catch {
                return isPlaceless(error)
            }
        }
        for (path, value) in numbers(in: changes, path: []) where isUnfit(value, path) {
            let isWhole = value == value.rounded()
            let expected = isWhole || isUnfit(1, path) ? "a number that is not so large" : "a whole number"
            return "\(path.joined(separator: ".")) is \(value), expected \(expected)"
        }
        return nil
    }

    /// Whether a decoder says that something is wrong with a number and not where it is.
    static func isPlaceless(_ error: any Error) -> Bool {
        guard case DecodingError.dataCorrupted(let context) = error else { return false }
        return context.codingPath.isEmpty
    }

    private static func numbers(in tree: [String: Any], path: [String]) -> [(path: [String], value: Double)] {
        tree.sorted { $0.key < $1.key }.flatMap { key, value -> [(path: [String], value: Double)] in
            if let inner = value as? [String: Any] { return numbers(in: inner, path: path + [key]) }
            return number(value).map { [(path: path + [key], value: $0)] } ?? []
        }
    }

    private static func number(_ value: Any) -> Double? {
        switch value {
        case is Bool: nil
        case let number as Double: number
        case let number as Int: Double(number)
        case let number as UInt: Double(number)
        default: nil
        }
    }
}
