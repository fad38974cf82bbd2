import Foundation
import Testing

struct HelpTests {
    @Test func helpNamesTheExitCodesAndTheUse() throws {
        let outcome = try Program.run("help")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("Exit codes"))
        #expect(outcome.output.contains("not a medical device"))
    }

    @Test func everyVerbHasHelpWithAnExample() throws {
        let verbs = try Self.verbs(below: []).filter { $0.count == 1 }.flatMap { $0 }
        #expect(verbs.count >= 24 && verbs.contains("predict"))
        for verb in verbs {
            let outcome = try Program.run(verb, "--help")
            #expect(outcome.status == 0 && outcome.messages.isEmpty, "\(verb)")
            #expect(outcome.output.contains("Example: marey \(verb)"), "\(verb)")
        }
    }

    @Test(arguments: [
        ("hrv", "(ecg, bvp, ibi)"), ("quality", "(ecg, bvp, ibi, eeg, eda, temperature, acceleration)"),
        ("respiration", "(respiration, ecg, bvp, ibi)"), ("analyze", "all streams of all kinds"),
    ])
    func everyVerbTellsWhichStreamsItTakes(verb: String, words: String) throws {
        let help = try Program.run(verb, "--help").output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(help.contains(words), "\(help)")
    }

    /// The verbs below one, and theirs.
    private static func verbs(below verb: [String]) throws -> [[String]] {
        let lines = try Program.run(["help"] + verb).output.components(separatedBy: "\n")
        let listed = lines.drop { !$0.hasPrefix("SUBCOMMANDS:") }.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
        return try listed.compactMap { $0.split(separator: " ").first }.filter { $0 != "See" }.flatMap { name in
            let one = verb + [String(name)]
            return [one] + (try verbs(below: one))
        }
    }

    @Test func textFillsTheLinesOfATerminalOnEveryPage() throws {
        let verbs = try [[]] + Self.verbs(below: [])
        #expect(verbs.count > 40)
        for verb in verbs {
            let lines = try Program.run(["help"] + verb).output.components(separatedBy: "\n")
            let text = lines.prefix { !$0.hasPrefix("USAGE") }
            for (line, next) in zip(text, text.dropFirst()) {
                guard let word = next.split(separator: " ").first, !line.isEmpty, !next.hasPrefix(" ") else { continue }
                #expect(!line.hasPrefix(" ") && !line.hasPrefix("Example"), "\(verb) cuts an example: \(line)")
                #expect(line.count + 1 + word.count >= 80, "\(verb): \(line)")
            }
        }
    }

    @Test(arguments: [
        (["nosuch"], "marey has no verb 'nosuch'"), (["study", "nosuch"], "marey study has no verb 'nosuch'"),
    ])
    func helpOnAVerbThatDoesNotExistIsMisuse(verb: [String], words: String) throws {
        let outcome = try Program.run(["help"] + verb)
        #expect(outcome.status == 2)
        #expect(outcome.messages.contains(words))
        #expect(outcome.output.isEmpty)
    }

    @Test func theVersionIsANumber() throws {
        let outcome = try Program.run("--version")
        #expect(outcome.status == 0)
        #expect(outcome.output.split(separator: ".").count == 3)
    }
}
