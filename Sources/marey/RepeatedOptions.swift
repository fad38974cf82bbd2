import ArgumentParser
import Foundation

/// An option that takes one value and is given twice: the parser would use the last one without a word.
enum RepeatedOptions {
    /// - Parameter arguments: the command line without the program's name, which the parser accepted.
    /// - Throws: `Failure.misuse` naming the option.
    static func refuse(in arguments: [String]) throws(Failure) {
        let options = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("-") && $0.count > 1 }
            .map { String($0.prefix { $0 != "=" }) }
        // The list of declared options costs milliseconds; nearly every command line goes without it.
        let mayRepeat = Set(options).count < options.count || options.contains { !$0.hasPrefix("--") }
        guard mayRepeat, let verb = verb(of: arguments) else { return }
        for option in verb.arguments ?? [] where option.kind == "option" && !option.isRepeating {
            let names = (option.names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
            guard options.count(where: names.contains) > 1 else { continue }
            let shown = names.first { $0.hasPrefix("--") } ?? names[0]
            throw Failure.misuse("\(shown) is given more than once; it takes one value")
        }
    }

    /// The verb that the words before the first option name.
    private static func verb(of arguments: [String]) -> Verb? {
        guard var verb = declared else { return nil }
        for word in arguments {
            guard let next = verb.subcommands?.first(where: { $0.commandName == word }) else { break }
            verb = next
        }
        if let name = verb.defaultSubcommand, let next = verb.subcommands?.first(where: { $0.commandName == name }) {
            verb = next
        }
        return verb
    }

    /// The verbs and options as the parser declares them (`--experimental-dump-help`).
    private static var declared: Verb? {
        do {
            _ = try Marey.parseAsRoot(["--experimental-dump-help"])
            return nil
        } catch {
            return try? JSONDecoder().decode(Declaration.self, from: Data(Marey.fullMessage(for: error).utf8)).command
        }
    }

    private struct Declaration: Decodable { var command: Verb }

    private struct Verb: Decodable {
        var commandName: String
        var subcommands: [Verb]?
        var defaultSubcommand: String?
        var arguments: [Option]?
    }

    private struct Option: Decodable {
        struct Name: Decodable { var kind: String; var name: String }
        var kind: String
        var isRepeating: Bool
        var names: [Name]?
    }
}
