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

    @Test func theVersionIsANumber() throws {
        let outcome = try Program.run("--version")
        #expect(outcome.status == 0)
        #expect(outcome.output.split(separator: ".").count == 3)
    }
}
