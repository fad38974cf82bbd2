import ArgumentParser

/// What `marey help` is asked about: a verb that does not exist is told instead of passed over.
enum HelpRequest {
    /// - Parameter arguments: the command line without the program's name.
    /// - Throws: `Failure.misuse` naming a word that is no verb of the one before it.
    static func refuseUnknown(in arguments: [String]) throws(Failure) {
        guard arguments.first == "help" else { return }
        var (commands, known) = (Marey.configuration.subcommands, ["marey"])
        for word in arguments.dropFirst() where !word.hasPrefix("-") && word != "help" {
            guard let next = commands.first(where: { $0.configuration.commandName == word }) else {
                throw MistypedVerb(word, after: known, among: commands).failure
            }
            known.append(word)
            commands = next.configuration.subcommands
        }
    }
}
