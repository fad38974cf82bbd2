import ArgumentParser

struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Write recordings, or play devices, whose truth is known.",
        discussion: """
            Example: marey simulate demo.edf --duration 600
                     marey simulate cohort demo-cohort --seed 7
                     marey simulate --serve heart-rate

            Without a subcommand a recording is written; see marey simulate recording --help.
            """,
        subcommands: [SimulateCommand.self, SimulateCohort.self], defaultSubcommand: SimulateCommand.self)
}
