import Foundation

/// The names in the value of an option, which commas separate.
enum OptionNames {
    /// The names, without the space around them; those that are empty are none.
    static func all(in text: String) -> [String] {
        text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// The names, of which there must be one.
    /// - Throws: the misuse of `option` where there is none.
    static func some(in text: String, of option: String) throws -> [String] {
        let names = all(in: text)
        guard !names.isEmpty else {
            throw Failure.misuse("\(option) names none; leave it out where all are meant")
        }
        return names
    }
}
