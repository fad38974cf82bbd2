import Foundation
import Testing

struct HelpTests {
    @Test func helpNamesEveryVerbAndTheExitCodes() throws {
        let outcome = try Program.run("help")
        #expect(outcome.status == 0)
        for verb in [
            "info", "beats", "hrv", "rhythm", "respiration", "eda", "motion", "sleep", "quality", "analyze", "report",
            "convert",
            "simulate",
            "validate", "study", "batch",
        ] {
            #expect(outcome.output.contains("  \(verb) "), "\(verb)")
        }
        #expect(outcome.output.contains("Exit codes"))
        #expect(outcome.output.contains("not a medical device"))
    }

    @Test(arguments: [
        "info", "beats", "hrv", "rhythm", "respiration", "eda", "motion", "sleep", "quality", "analyze", "report",
        "convert",
        "simulate",
        "validate", "study", "batch",
    ])
    func everyVerbHasHelpWithAnExample(verb: String) throws {
        let outcome = try Program.run(verb, "--help")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("Example: marey \(verb)"))
        #expect(outcome.messages.isEmpty)
    }

    @Test(arguments: [
        [], ["acquire"], ["serve"], ["beats"], ["hrv"], ["rhythm"], ["respiration"], ["eda"], ["motion"], ["sleep"],
        ["eeg"],
        ["quality"], ["analyze"], ["convert"], ["recover"], ["simulate"], ["simulate", "cohort"], ["validate"],
        ["study"],
        ["study", "erase"], ["batch"], ["batch", "run"], ["batch", "status"], ["batch", "export"], ["upload"],
        ["calibrate"],
        ["calibrate", "run"], ["calibrate", "fit"], ["predict"],
    ])
    func textFillsTheLinesOfATerminal(verb: [String]) throws {
        let outcome = try Program.run(["help"] + verb)
        #expect(outcome.status == 0)
        let lines = outcome.output.components(separatedBy: "\n").prefix { !$0.hasPrefix("USAGE") }
        for (line, next) in zip(lines, lines.dropFirst()) {
            guard let word = next.split(separator: " ").first, !line.isEmpty, !next.hasPrefix(" ") else { continue }
            #expect(!line.hasPrefix(" ") && !line.hasPrefix("Example"), "cut: \(line)")
            #expect(line.count + 1 + word.count >= 80, "\(line)")
        }
    }

    @Test func theVersionIsANumber() throws {
        let outcome = try Program.run("--version")
        #expect(outcome.status == 0)
        #expect(outcome.output.split(separator: ".").count == 3)
    }
}
