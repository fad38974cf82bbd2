import ArgumentParser
import Foundation
import Pipeline

/// A word that stands where a verb is expected and is none: a slip of the fingers, or a file without its verb.
struct MistypedVerb {
    private let word: String
    private let before: [String]
    private let names: [String]

    /// - Parameters:
    ///   - word: the word as it was typed.
    ///   - before: the program's name and the verbs before the word.
    ///   - commands: the verbs that exist there.
    init(_ word: String, after before: [String], among commands: [any ParsableCommand.Type]) {
        (self.word, self.before) = (word, before)
        names = commands.filter { $0.configuration.shouldDisplay }.compactMap { $0.configuration.commandName }
    }

    /// - Parameter arguments: the command line without the program's name.
    /// - Throws: `Failure.misuse` naming a word that is no verb, with the verb or command that fits.
    static func refuse(in arguments: [String]) throws(Failure) {
        var (commands, before) = (Marey.configuration.subcommands, ["marey"])
        for word in arguments {
            guard !word.isEmpty, !word.hasPrefix("-"), word != "help" else { return }
            guard let next = commands.first(where: { $0.configuration.commandName == word }) else {
                throw MistypedVerb(word, after: before, among: commands).failure
            }
            before.append(word)
            commands = next.configuration.subcommands
            guard !commands.isEmpty, next.configuration.defaultSubcommand == nil else { return }
        }
    }

    var failure: Failure {
        let program = before.joined(separator: " ")
        let help = (["marey help"] + before.dropFirst()).joined(separator: " ")
        if let name = NameSuggestion.nearest(to: word, among: names) {
            return .misuse("\(program) has no verb '\(word)'; did you mean \(program) \(name)? \(help) lists all verbs")
        }
        if before.count == 1, let command = Self.command(for: word) {
            return .misuse("\(program) has no verb '\(word)', which is \(command); \(help) lists all verbs")
        }
        return .misuse("\(program) has no verb '\(word)'; \(help) lists all verbs")
    }

    /// What exists at a path, and the command that fits it; nil where nothing exists there.
    private static func command(for path: String) -> String? {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
        guard isFolder.boolValue else { return "a file: try marey analyze \(path)" }
        return "a folder: try marey analyze \(path) for one recording or a study, "
            + "marey batch \(path) RESULTS participant for a data set"
    }
}
