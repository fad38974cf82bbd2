import Foundation

/// What commas separate in the value of an option.
enum OptionList {
    /// The names, without the space around them; those that are empty are none.
    static func all(in text: String) -> [String] {
        text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// The numbers; those that are not numbers are not-a-numbers.
    static func numbers(in text: String) -> [Double] {
        text.split(separator: ",", omittingEmptySubsequences: false).map {
            Double($0.trimmingCharacters(in: .whitespaces)) ?? .nan
        }
    }

    /// The names, of which there must be one.
    /// - Parameter left: what it means to leave `option` out.
    /// - Throws: the misuse of `option` where there is none.
    static func some(in text: String, of option: String, leftOut left: String = "all are meant") throws -> [String] {
        let names = all(in: text)
        guard !names.isEmpty else { throw Failure.misuse("\(option) names none; leave it out where \(left)") }
        return names
    }
}
