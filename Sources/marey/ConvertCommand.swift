import ArgumentParser
import Formats
import Foundation
import Pipeline
import Signals

struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert", abstract: "Write a recording in another format.",
        discussion: """
            Example: marey convert 100.hea 100.edf
                     marey convert session.zip bvp.csv --stream bvp

            Gaps stay gaps: EDF and BDF become EDF+D and BDF+D where no stream has samples, and mark what is missing \
            with BAD_missing where another stream runs on; WFDB marks the samples as invalid, XDF and text jump in \
            time, BIDS has rows of n/a. Notes say what a format has no place for. A name that ends with \
            _physio.tsv.gz gives BIDS files: one for each stream with its JSON, and the markers as _events.tsv. \
            Inter-beat intervals, and those of a table of beats, become text for Kubios as .rr. A recording that tells no times becomes .csv or .tsv \
            alone, whose records are numbered.
            """)

    @Argument(help: "The recording to read.")
    var input: String

    @Argument(help: "The file to write: .edf .bdf .hea (WFDB) .xdf .csv .tsv .tsv.gz (BIDS) or .rr chooses the format.")
    var output: String

    @Option(help: "Write only this stream: its name, its kind or its number from 0.")
    var stream: String?

    @OptionGroup var options: InputOptions

    @Flag(help: "Replace a file that is there already.")
    var force = false

    func run() throws {
        let (source, url) = (URL(fileURLWithPath: input), URL(fileURLWithPath: output))
        let isTable = BeatsTable.recognizes(source)
        func opened() throws -> any RecordingReader {
            isTable ? try BeatsTable.recording(source) : try options.open(source)
        }
        let first = try opened()
        let chosen = try streams(in: first.header.streams.map { ($0.name, $0.kind.rawValue) })
        func selected(_ reader: any RecordingReader) -> any RecordingReader {
            chosen.map { SelectedStreams(reader, streams: $0) } ?? reader
        }
        let planned = try RecordingOutput.files(of: selected(first).header, at: url)
        try demandPlace(planned.streams + planned.markers, source)
        let outcome = try RecordingOutput.write(to: url, title: "converting") { selected(try opened()) }
        outcome.notes.forEach { Terminal.note("note: \($0)") }
        Terminal.note("wrote \(outcome.names)")
    }

    /// Nothing that is read is ever replaced, and other files only when that is wished.
    private func demandPlace(_ files: [URL], _ source: URL) throws {
        try OutputFiles.refuseInputs(files, of: source, and: options.files)
        try OutputFiles.refuseExisting(files, force: force)
        try OutputFiles.refuseWithin(source, files)
    }

    private func streams(in known: [(name: String, kind: String)]) throws -> Set<Int>? {
        guard let stream else { return nil }
        if let place = known.firstIndex(where: { $0.name == stream }) { return [place] }
        let ofKind = known.indices.filter { known[$0].kind == stream }
        if !ofKind.isEmpty { return Set(ofKind) }
        if let place = Int(stream), known.indices.contains(place) { return [place] }
        throw Failure.nothingDone("\(input): no stream \(stream); it has \(known.map(\.name).joined(separator: ", "))")
    }
}
