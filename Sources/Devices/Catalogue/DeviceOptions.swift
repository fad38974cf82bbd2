/// Something that can be chosen about a kind of device.
public struct DeviceOption: Hashable, Sendable {
    /// Its name, in lower camel case.
    public var name: String
    /// What it chooses, in a sentence, with the possible values.
    public var meaning: String
    /// What holds when nothing is chosen, in words.
    public var standard: String
    /// Whether it chooses a file of text by its path.
    public var isFile: Bool

    /// Whether it chooses a secret, or a file with one: it is kept out of logs and notes.
    public var isSecret: Bool

    /// An option called `name`.
    public init(
        _ name: String, _ meaning: String, standard: String, isFile: Bool = false, isSecret: Bool = false
    ) {
        self.isSecret = isSecret
        self.name = name
        self.meaning = meaning
        self.standard = standard
        self.isFile = isFile
    }
}

/// What was chosen for one device, by option name.
public struct DeviceOptions: Hashable, Codable, Sendable, ExpressibleByDictionaryLiteral {
    /// The choices as written.
    public var values: [String: String]
    /// The texts of files that were chosen, by option name, where a log kept them: the files are not read again.
    public var texts: [String: String] = [:]

    private enum CodingKeys: String, CodingKey { case values }

    /// These choices.
    public init(_ values: [String: String] = [:]) {
        self.values = values
    }

    /// These choices, and the texts of files among them.
    public init(_ values: [String: String], texts: [String: String]) {
        (self.values, self.texts) = (values, texts)
    }

    /// These choices.
    public init(dictionaryLiteral elements: (String, String)...) {
        values = Dictionary(elements, uniquingKeysWith: { $1 })
    }

    /// The choice for an option as written, nil when there is none.
    public subscript(name: String) -> String? { values[name] }

    /// The names in a choice written with commas, such as `ecg,acceleration`; nil when nothing was chosen.
    public func list(_ name: String) -> [String]? {
        values[name].map { text in
            text.split(separator: ",").map { String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
        }
    }

    /// A choice that is a number; nil when nothing was chosen.
    /// - Throws: `DeviceFailure` when it is not a number.
    public func number(_ name: String) throws(DeviceFailure) -> Double? {
        guard let text = values[name] else { return nil }
        guard let number = Double(text), number.isFinite else {
            throw DeviceFailure(description: "Option \(name) must be a number, not “\(text)”.")
        }
        return number
    }

    /// A choice that is yes or no; nil when nothing was chosen.
    /// - Throws: `DeviceFailure` when it is neither.
    public func flag(_ name: String) throws(DeviceFailure) -> Bool? {
        guard let text = values[name] else { return nil }
        switch text.lowercased() {
        case "yes", "true", "1": return true
        case "no", "false", "0": return false
        default: throw DeviceFailure(description: "Option \(name) must be yes or no, not “\(text)”.")
        }
    }

    /// The choices but those for `options`.
    public func without(_ options: [DeviceOption]) -> DeviceOptions {
        let names = Set(options.map(\.name))
        return DeviceOptions(values.filter { !names.contains($0.key) }, texts: texts)
    }

    /// Checks that every choice is one of `options`.
    /// - Throws: `DeviceFailure` naming the unknown one and the possible ones.
    public func check(against options: [DeviceOption]) throws(DeviceFailure) {
        let known = Set(options.map(\.name))
        guard let unknown = values.keys.sorted().first(where: { !known.contains($0) }) else { return }
        let possible = known.isEmpty ? "it has none" : "possible: \(known.sorted().joined(separator: ", "))"
        throw DeviceFailure(description: "The device has no option “\(unknown)” (\(possible)).")
    }
}
