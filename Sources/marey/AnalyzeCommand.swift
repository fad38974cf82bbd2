import ArgumentParser
import Cohort
import Foundation
import Pipeline
import Signals
import Study

struct AnalyzeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyze", abstract: "All stages on recordings or on a whole study: tables, provenance, report.",
        discussion: """
            Example: marey analyze session.zip
                     marey analyze my-study

            For a recording the results go into a new folder beside you, <name>_marey, or into --output. For a study \
            folder every run is analyzed whose recording, parameters or version changed; its study.yaml holds the \
            parameters, and results go into derivatives/marey. \
            Beats that you added, moved or deleted are kept in <name>_desc-edits_beats.tsv beside the recording and made \
            again every time; an edit that fits no beat is an error that names its line.
            """)

    @Argument(help: "Recordings, or one study folder.")
    var files: [String] = []

    @Option(help: SourceOptions.everyStreamHelp)
    var stream: String?

    @OptionGroup var source: SourceOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var edits: EditOptions
    @OptionGroup var parameters: ParameterOptions

    @Option(name: .shortAndLong, help: "The folder for the results.")
    var output: String?

    @Flag(help: "Analyze runs of a study again even where nothing changed.")
    var force = false

    @Flag(help: "Print all parameters and their defaults as JSON, and do nothing else.")
    var showParameters = false

    func run() throws {
        let study =
            files.count == 1 ? try? StudyFolder(opening: URL(fileURLWithPath: files[0], isDirectory: true)) : nil
        let parameters = try parameters.parameters(standing: study?.parametersFile)
        if showParameters {
            StandardOutput.print(String(decoding: try parameters.json(pretty: true), as: UTF8.self))
            return
        }
        guard !files.isEmpty else {
            throw Failure.misuse("name a recording or a study folder; see marey analyze --help")
        }
        if let study {
            try refuseOptionsOfRecordings()
            return try StudyProgress.analyze(
                StudyAnalysis(study: study, parameters: parameters, edits: edits.choice, force: force))
        }
        if files.count == 1 { try refuseUnreadable(files[0]) }
        for file in files { try refuseDataset(file) }
        let places = files.map { file in
            let folder =
                output.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? AnalysisRun.defaultFolder(for: file)
            return ResultFolder(folder, stem: AnalysisRun.stem(of: file))
        }
        try demandOwnPlaces(places)
        for results in places { try ResultPlace.refuseRawData(results.provenance) }
        var failed = 0
        for (file, results) in zip(files, places) {
            do {
                var run = AnalysisRun(
                    input: URL(fileURLWithPath: file), request: source.request(of: stream), parameters: parameters,
                    results: results, edits: edits.choice)
                run.open = source.opening(input)
                let bar = ProgressBar(files.count == 1 ? "analyzing" : file)
                defer { bar.clear() }
                run.progress = bar.show
                let summary = try run.perform()
                bar.clear()
                StandardOutput.tell(summary)
            } catch {
                Terminal.complain("\(error)")
                failed += 1
            }
        }
        if let failure = Failure.inputs(failed: failed, of: files.count) {
            // A single failure has said what is wrong.
            throw files.count == 1 ? Failure(code: failure.code, message: "") : failure
        }
    }

    /// Refuses what says how one recording is read, or where its results go: for a study nothing would come of it.
    private func refuseOptionsOfRecordings() throws {
        guard edits.edits == nil || edits.edits == "none" else {
            throw Failure.misuse("--edits is for recordings; in a study edits lie beside each of them")
        }
        guard output == nil else {
            throw Failure.misuse("--output is for recordings; a study's results go into its derivatives/marey")
        }
        let given: [(name: String, isGiven: Bool)] = [
            ("--stream", stream != nil), ("--channel", source.channel != nil), ("--as", source.kind != nil),
            ("--text-rate", input.textRate != nil), ("--columns", input.columns != nil),
        ]
        guard let option = given.first(where: { $0.isGiven })?.name else { return }
        throw Failure.misuse(
            "\(option) is for recordings, and would change nothing in a study; analyze a recording of it by itself, with "
                + "an --output of its own")
    }

    /// Refuses a folder that nobody can look into, which may be a study: it would be taken for a recording that is damaged.
    private func refuseUnreadable(_ file: String) throws {
        let marker = URL(fileURLWithPath: file, isDirectory: true).appendingPathComponent("dataset_description.json")
        guard access(marker.path, F_OK) != 0, errno == EACCES else { return }
        throw Failure.nothingDone(
            "\(file): cannot be read: \(String(cString: strerror(EACCES))); ask whom it belongs to for the right to read it"
        )
    }

    /// Refuses a data set, which a batch analyzes.
    private func refuseDataset(_ file: String) throws {
        let description = URL(fileURLWithPath: file, isDirectory: true)
            .appendingPathComponent("dataset_description.json")
        guard FileManager.default.fileExists(atPath: description.path) else { return }
        throw Failure.nothingDone(
            "\(file): is a BIDS data set, no recording; all recordings in it are analyzed by: marey batch "
                + "\(ShellWord.quoted(file)) RESULTS participant")
    }

    /// Refuses, before any work, recordings whose results would have the same names: one's would replace the other's.
    private func demandOwnPlaces(_ places: [ResultFolder]) throws {
        var taken: [String: String] = [:]
        for (file, results) in zip(files, places) {
            guard let other = taken.updateValue(file, forKey: results.provenance.standardizedFileURL.path) else {
                continue
            }
            throw Failure.misuse(
                "\(other) and \(file): the results of both would be called \(results.stem)_… in "
                    + "\(results.folder.relativePath); analyze them one at a time, each with an --output of its own")
        }
    }
}
