import Foundation

/// Settings that somebody wrote by hand: what is misspelt in them is told, not passed over.
public enum WrittenSettings {
    /// What `decode` gives, once every key of `tree` is one that settings of this kind have.
    /// - Parameters:
    ///   - tree: the settings as mappings, lists and values.
    ///   - complete: settings with every key, each list with an element.
    ///   - choices: the words that may stand at a place, by its keys: `columns.kind`.
    ///   - file: what to call them in errors.
    /// - Throws: `PipelineError` naming the key and what there is instead, or the place of a value that makes no sense.
    public static func decoded<Value: Encodable>(
        _ tree: Any, like complete: Value, choices: [String: [String]] = [:], file: String,
        by decode: () throws -> Value
    ) throws -> Value {
        try demandKnown(tree, like: complete, at: "", file: file)
        do { return try decode() } catch let error as DecodingError {
            throw PipelineError("\(file): \(DecodingWords.text(error, choices: choices))")
        }
    }

    /// Checks that every key is one that settings of a kind have.
    /// - Parameters:
    ///   - tree: the settings as mappings, lists and values.
    ///   - complete: settings with every key, each list with an element.
    ///   - place: the keys that lead to them; empty where they are all of the file.
    ///   - file: what to call it in errors.
    /// - Throws: `PipelineError` naming the key and what there is instead.
    public static func demandKnown(_ tree: Any, like complete: some Encodable, at place: String, file: String) throws {
        let template = try JSONSerialization.jsonObject(with: JSONEncoder().encode(complete))
        try demandKnown(tree, template, path: place, file)
    }

    private static func demandKnown(_ tree: Any, _ template: Any, path: String, _ file: String) throws {
        if let tree = tree as? [String: Any], let template = template as? [String: Any] {
            for (key, value) in tree.sorted(by: { $0.key < $1.key }) {
                let place = path.isEmpty ? key : "\(path).\(key)"
                guard let inner = template[key] else {
                    throw PipelineError("\(file): unknown key \(place)", advice: known(key, template.keys.sorted()))
                }
                try demandKnown(value, inner, path: place, file)
            }
        } else if let list = tree as? [Any], let example = (template as? [Any])?.first {
            for (index, value) in list.enumerated() {
                try demandKnown(value, example, path: "\(path)[\(index + 1)]", file)
            }
        }
    }

    /// What there is instead of `word`, the name most like it first.
    static func known(_ word: String, _ names: [String]) -> String {
        let list = "known here: \(names.joined(separator: ", "))"
        return NameSuggestion.nearest(to: word, among: names).map { "did you mean \($0)? \(list)" } ?? list
    }
}
