import ArgumentParser
import Cardiac
import Foundation
import Pipeline
import Signals

struct RhythmCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rhythm", abstract: "What the rhythm looks like, and when it changes. Not a diagnosis.",
        discussion: """
            Example: marey rhythm 201.hea

            One row per stretch of one rhythm: regular, ectopy, irregular, tachycardia, bradycardia, asystole (noBeats for \
            a pulse wave), unreadable where quality rejects the signal, or n/a where it is shorter than 30 s or 20 \
            intervals. Irregularity and rate have columns of their own: a fast irregular rhythm is both. \
            It is derived from the times of beats alone and describes a recording for research. It is not a diagnosis: an irregular rhythm may be atrial fibrillation, frequent \
            premature beats or noise, and a regular one excludes nothing.
            """)

    @Argument(help: "The recording, RR text file or beats table.")
    var file: String

    @Option(help: SourceOptions.heartStreamHelp)
    var stream: String?

    @OptionGroup var source: SourceOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var edits: EditOptions
    @OptionGroup var parameters: StageParameterOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.demandPlace(beside: file, and: input.files + edits.files + parameters.files)
        let bar = ProgressBar("rhythm")
        let result = try CardiacReading.result(
            of: URL(fileURLWithPath: file), source.request(of: stream), parameters: parameters.parameters(window: nil),
            computing: .rhythm,
            edits: edits.edits(for: URL(fileURLWithPath: file)), opening: source.opening(input), progress: bar.show)
        bar.clear()
        result.notes.forEach { Terminal.note("note: \($0)") }
        try output.emit(Rhythm.table(result.rhythm))
    }
}
