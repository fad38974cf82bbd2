import ArgumentParser
import Formats
import Foundation
import Pipeline
import Signals

struct BeatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beats", abstract: "Detect heart beats in ECG or BVP, or list those of recorded intervals.",
        discussion: """
            Example: marey beats 100.hea > beats.tsv

            Columns: onset (s), sample, kind, confidence, ibi (s; n/a where quality drops the signal), and foot (s) \
            of the pulses of a BVP. With --annotations the beats are also written as a WFDB annotation file, which \
            bxb and wfdb read.
            """)

    @Argument(help: "The recording.")
    var file: String

    @Option(help: SourceOptions.heartStreamHelp)
    var stream: String?

    @OptionGroup var source: SourceOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var edits: EditOptions
    @OptionGroup var parameters: StageParameterOptions
    @OptionGroup var output: OutputOptions

    @Option(help: "Also write a WFDB annotation file, such as 100.mry.")
    var annotations: String?

    @Flag(help: "Detect only: the signal's quality is not judged, and all intervals are told. Faster.")
    var unjudged = false

    func run() throws {
        let read = input.files + edits.files + parameters.files
        try output.demandPlace(beside: file, and: read)
        let url = URL(fileURLWithPath: file)
        if let annotations {
            let place = URL(fileURLWithPath: annotations)
            try OutputFiles.refuseInputs([place], of: url, and: read)
            try OutputFiles.refuseTwice(output.files + [place])
            try ResultPlace.demand([place], for: .annotations)
        }
        let bar = ProgressBar("beats")
        let result = try CardiacReading.result(
            of: url, source.request(of: stream), parameters: parameters.parameters(window: nil),
            computing: unjudged ? [] : .intervals,
            edits: edits.edits(for: url), opening: source.opening(input),
            progress: bar.show)
        bar.clear()
        result.notes.forEach { Terminal.note("note: \($0)") }
        if result.source.kind == .ibi {
            guard annotations == nil else {
                throw Failure.nothingDone("\(file): holds intervals without samples that annotations could point to")
            }
            try output.emit(CardiacTables.beats(between: result.intervals))
            return
        }
        if let annotations {
            try BeatAnnotations.write(
                result.beats, sampleRate: result.source.sampleRate, to: URL(fileURLWithPath: annotations))
        }
        try output.emit(CardiacTables.beats(of: result))
    }
}
