public import Foundation
import Yams

extension Parameters {
    /// The defaults with the changes of a YAML file, such as a study's `study.yaml`.
    ///
    /// The file has the tree of `marey analyze --show-parameters`; only what differs need be there.
    /// - Throws: `PipelineError` when the file cannot be read, is no YAML mapping, names an unknown parameter, or
    ///   one with a value that has no meaning.
    public init(reading url: URL) throws {
        try self.init(yaml: WrittenFile.text(of: url), file: url.relativePath)
    }

    /// The defaults with the changes of a YAML text that came from `file`.
    /// - Throws: `PipelineError`, naming file and key, as `init(reading:)`.
    public init(yaml text: String, file: String) throws {
        if let problem = WrittenYAML.problem(of: text) { throw PipelineError("\(file): \(problem)") }
        let changes: Any?
        do { changes = try Yams.load(yaml: text) } catch {
            throw PipelineError("\(file): is not YAML: \(error)")
        }
        guard let mapping = (changes ?? [String: Any]()) as? [String: Any] else {
            throw PipelineError("\(file): expected a mapping of parameters at the top")
        }
        let own = mapping.filter { !Self.otherSections.contains($0.key) }
        let defaults = try JSONSerialization.jsonObject(with: Parameters().json())
        func decoded(_ changes: [String: Any]) throws -> Parameters {
            let merged = try Parameters.merge(changes, onto: defaults, path: "", file: file)
            return try JSONDecoder().decode(Parameters.self, from: JSONSerialization.data(withJSONObject: merged))
        }
        do { self = try decoded(own) } catch let error as DecodingError {
            if Self.isPlaceless(error), let unfit = Self.unfitNumber(in: own, decode: decoded) {
                throw PipelineError("\(file): \(unfit)", advice: "see marey analyze --show-parameters")
            }
            throw PipelineError(
                "\(file): \(DecodingWords.text(error, choices: Self.choices))",
                advice: "see marey analyze --show-parameters")
        }
        do { try validate() } catch { throw PipelineError("\(file): \(error)") }
    }

    /// Parts of a study's file that say other things than parameters: which recordings there are, what is compared.
    private static let otherSections: Set<String> = ["cohort", "comparisons"]

    /// All parameters as JSON with sorted keys, the same text for the same parameters.
    public func json(pretty: Bool = false) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting =
            pretty ? [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes] : [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// What `json()` tells; the text is kept, to be put into provenance.
    /// - Precondition: the text is one that `json()` gave, to the byte.
    public init(json text: [UInt8]) throws {
        self = try JSONDecoder().decode(Parameters.self, from: Data(text))
        LatestParameters.shared.keep(self, json: text)
    }

    /// SHA-256 of `json()`, in hexadecimal.
    public func hash() throws -> String {
        InputHash.sha256(of: String(decoding: try json(), as: UTF8.self))
    }

    private static func merge(_ changes: Any, onto defaults: Any, path: String, file: String) throws -> Any {
        guard var tree = defaults as? [String: Any], let changes = changes as? [String: Any] else {
            let value = try plain(changes, path, file)
            try demandRange(value, at: path, file)
            return value
        }
        // One of several alternatives, each with parameters of its own, is replaced by another as a whole.
        if tree.count == 1, changes.count == 1, let key = changes.keys.first, tree[key] == nil,
            tree.values.allSatisfy({ $0 is [String: Any] })
        {
            return try plain(changes, path, file)
        }
        for (key, change) in changes {
            let place = path.isEmpty ? key : "\(path).\(key)"
            guard let current = tree[key] else {
                throw PipelineError(
                    "\(file): unknown parameter \(place)",
                    advice: WrittenSettings.known(key, tree.keys.sorted()))
            }
            tree[key] = try merge(Self.meaning(of: change, at: place), onto: current, path: place, file: file)
        }
        return tree
    }

    /// The words, the same as on the command line, that say that a parameter has no limit.
    static let unlimited = ["hrv.window": "whole"]

    private static func meaning(of change: Any, at place: String) -> Any {
        guard let word = change as? String, word == unlimited[place] else { return change }
        return NSNull()
    }

    /// YAML's values as JSON's.
    /// - Throws: `PipelineError`, naming the place, for a value that JSON has none for.
    private static func plain(_ value: Any, _ place: String, _ file: String) throws -> Any {
        switch value {
        case let mapping as [String: Any]:
            return try Dictionary(
                uniqueKeysWithValues: mapping.map { ($0.key, try plain($0.value, "\(place).\($0.key)", file)) })
        case let list as [Any]:
            return try list.enumerated().map { try plain($0.element, "\(place)[\($0.offset + 1)]", file) }
        case is NSNull, is String, is Bool, is Int, is UInt: return value
        case let number as Double where number.isFinite: return number
        case let number as Double:
            let whole = unlimited[place].map { "; '\($0)' says that there is no limit" }
            throw PipelineError(
                "\(file): \(place) is \(number.isNaN ? "not a number (.nan)" : "infinite (.inf)"), expected a finite number"
                    + (whole ?? ""))
        case is Date:
            throw PipelineError(
                "\(file): \(place) is a date, expected a number, a text or a list", advice: "put a text into quotes")
        default:
            throw PipelineError(
                "\(file): \(place) is of a kind that no parameter has, expected a number, a text or a list")
        }
    }
}
