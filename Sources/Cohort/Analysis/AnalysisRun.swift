import Cardiac
import Formats
public import Foundation
public import Pipeline
import Quality
import Reports
public import Signals

/// One recording from file to tables and report.
public struct AnalysisRun {
    /// The recording.
    public var input: URL
    /// Which of its sources are meant.
    public var request: SourceRequest
    /// How it is analyzed.
    public var parameters: Parameters
    /// Where the results go.
    public var results: ResultFolder
    /// What the report is called; nil: after its files.
    public var title: String?
    /// Where a person's edits to the beats are.
    public var edits: EditChoice
    /// The predictions that are told of it.
    public var predictions = PredictionRequest.none
    /// Whether a report is written beside the tables.
    public var writesReport = true
    /// Begins reading a recording.
    public var open: (URL) throws -> any RecordingReader = RecordingFile.open
    /// What can be done about streams of unclear kind where nothing else can be analyzed.
    var adviceOnKinds = "see marey info; a stream of unclear kind can be taken with --stream NAME --as ecg"
    /// What is known of the content of its files already, by their places.
    var hashes: [URL: InputHash] = [:]
    /// SHA-256 of the parameters, where it is known already.
    var parametersHash: String?
    /// Called with the share of the recording that has been read, 0…1.
    public var progress: (Double) -> Void = { _ in }
    /// Called with what puts the results in their place, when all is computed; where it throws without calling that,
    /// nothing is written, no folder either.
    var placing: (_ place: () throws -> Void) throws -> Void = { try $0() }

    /// The analysis of `input` into `results`.
    public init(
        input: URL, request: SourceRequest = SourceRequest(), parameters: Parameters, results: ResultFolder,
        edits: EditChoice = .none
    ) {
        self.input = input
        self.request = request
        self.parameters = parameters
        self.results = results
        self.edits = edits
    }

    /// The folder for the results of a file when none is named: `<name>_marey` in the current folder.
    public static func defaultFolder(for file: String) -> URL {
        URL(fileURLWithPath: stem(of: file) + "_marey", isDirectory: true)
    }

    /// What the names of a file's results begin with: its name without folder and extensions.
    public static func stem(of file: String) -> String {
        var name = URL(fileURLWithPath: file).standardizedFileURL.lastPathComponent
        func removeEnding(_ endings: Set<String>) {
            guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
                endings.contains(name[name.index(after: dot)...].lowercased())
            else { return }
            name = String(name[..<dot])
        }
        removeEnding(["gz"])
        removeEnding(ReadableFormat.endings)
        return name
    }

    /// Analyzes the recording and writes tables, provenance and report. Where that fails, the results of an earlier run stay
    /// as they were.
    /// - Returns: a few lines for people.
    /// - Throws: `FormatError`, `PipelineError` or what else keeps the recording from being analyzed.
    public func perform() throws -> String {
        let (analysis, provenance) = try analyze(forReport: writesReport)
        try placing { try place(analysis, provenance) }
        return summary(of: analysis)
    }

    private func place(_ analysis: RecordingAnalysis, _ provenance: Provenance) throws {
        try results.replace(provenance) {
            let tables = try results.write(analysis)
            let told = try writePredictions(of: analysis)
            if writesReport {
                var report = try self.report(of: analysis, provenance)
                if let told {
                    // Readers look for tables, not for what explains their columns.
                    let tables = told.files.filter { !$0.hasSuffix(".json") }
                    report.predictions = PredictionSection(told.found, files: tables)
                }
                try write(report, to: results.report)
            }
            return tables + (told?.files ?? [])
        }
    }

    /// The report alone, written to `url`.
    public func performReport(to url: URL) throws {
        let (analysis, provenance) = try analyze(forReport: true)
        try write(report(of: analysis, provenance), to: url)
    }

    private func analyze(forReport: Bool) throws -> (RecordingAnalysis, Provenance) {
        let reader = try open(input)
        // What only an option makes readable is one file.
        let files = (try? RecordingFile.inputs(of: input)) ?? [input]
        let editFile = edits.file(for: input)
        let read = files + (editFile.map { [$0] } ?? [])
        var provenance = try Provenance(
            inputs: read.map { try hashes[$0.absoluteURL.standardizedFileURL] ?? InputHash(of: $0) },
            parameters: parameters, hash: parametersHash)
        let analysis = try RecordingAnalysis(
            reader, request, parameters: parameters, edits: editFile.map(BeatEditsFile.read), file: input.relativePath,
            forReport: forReport, progress: progress)
        guard !analysis.isEmpty else { throw nothingToAnalyze(analysis) }
        if !analysis.remarks.isEmpty { provenance.remarks = analysis.remarks }
        let skipped = analysis.skipped.filter(\.isFault)
        if !skipped.isEmpty { provenance.skipped = skipped }
        provenance.sourceOrigin = analysis.header.sourceOrigin
        return (analysis, provenance)
    }

    private func nothingToAnalyze(_ analysis: RecordingAnalysis) -> PipelineError {
        let doubts = analysis.brains.compactMap { brain in brain.doubt.map { "stream \(brain.source.name): \($0)" } }
        guard doubts.isEmpty else {
            return PipelineError(
                "\(input.relativePath): \(doubts.joined(separator: "; ")), so there is nothing to analyze",
                advice: "`marey eeg --unit` says what it is")
        }
        guard analysis.refused.isEmpty else {
            return PipelineError(
                "\(input.relativePath): "
                    + analysis.refused.map { "\($0.what) cannot be computed: \($0.why)" }.joined(separator: "; ")
                    + ", so there is nothing to analyze",
                advice: "parameters are those of --config, or of the study's study.yaml")
        }
        let refused = analysis.streamsOfForeignUnit
        guard refused.isEmpty else {
            return PipelineError(
                "\(input.relativePath): \(refused.joined(separator: "; ")), so there is nothing to analyze",
                advice: "tell the unit where the file tells it, such as EDA [uS] in the header of text, or Units in a "
                    + "BIDS sidecar")
        }
        let potentials = analysis.potentialsAlone
        guard potentials.isEmpty else {
            return PipelineError(
                "\(input.relativePath): holds potentials (\(potentials.joined(separator: ", "))), "
                    + "but neither a current nor an impedance, so there is nothing to analyze",
                advice: "let the script send the current too, as by pck_add c; marey convert writes the potentials")
        }
        let left = analysis.skipped.map { "stream \($0.stream): \($0.detail)" }
        guard left.isEmpty else {
            return PipelineError(
                "\(input.relativePath): nothing in it can be analyzed: \(left.joined(separator: "; "))",
                advice: adviceOnKinds)
        }
        return PipelineError(
            "\(input.relativePath): no ECG, BVP, IBI, respiration, EDA, EEG, acceleration, temperature or battery stream, "
                + "so there is nothing to analyze",
            advice: adviceOnKinds)
    }

    /// Writes the predictions that were asked for; nil where none were.
    private func writePredictions(of analysis: RecordingAnalysis) throws -> (found: PredictionResults, files: [String])?
    {
        guard !predictions.names.isEmpty else { return nil }
        let found = try PredictionReading.results(
            predictions, of: analysis, parameters: parameters, opening: { try open(input) })
        let files = try PredictionFiles(results, predictions).write(
            found, start: analysis.header.start, markers: analysis.inventory.markers)
        return (found, files)
    }

    private func report(of analysis: RecordingAnalysis, _ provenance: Provenance) throws -> RecordingReport {
        try RecordingReport(analysis, provenance: provenance, title: title ?? results.stem) {
            try open(input)
        }
    }

    private func write(_ report: RecordingReport, to url: URL) throws {
        try writeAtomically(Array(report.html().utf8), to: url)
    }

    private func summary(of analysis: RecordingAnalysis) -> String {
        let length = analysis.duration.map { TSV.text(.onset($0)) + " s" } ?? "length not known"
        var lines = ["\(input.relativePath): \(length), \(analysis.header.format)"]
        for result in analysis.results {
            let corrected = result.nn.count(where: \.isCorrected)
            var line = "  \(result.source.name): "
            line +=
                result.source.kind == .ibi
                ? result.intervals.count.counted("interval") : result.beats.count.counted("beat")
            line += ", \(corrected) of \(result.nn.count.counted("interval")) corrected"
            line += ", \(result.windows.count.counted("HRV window"))"
            if result.droppedIntervals > 0 {
                line += ", \(result.droppedIntervals.counted("interval")) dropped by quality"
            }
            if !result.quality.isEmpty {
                line += ", \(Percentage(result.quality.goodShare)) of the time of good quality"
            }
            lines.append(line)
            let byHand = result.edits.count
            if byHand > 0 { lines.append("    \(byHand.counted("beat edit")) made") }
            if let rhythm = rhythm(of: result) { lines.append("    " + rhythm) }
        }
        for belt in analysis.belts {
            lines.append("  \(belt.source.title): \(belt.windows.count.counted("window")) of respiration")
        }
        for result in analysis.electrodermal {
            lines.append("  \(result.source.name): \(result.responses.count.counted("skin conductance response"))")
        }
        for result in analysis.motion {
            let rows = result.table.rows.count.counted("row")
            lines.append("  \(result.source.name): \(rows) of \(result.source.kind.rawValue)")
        }
        lines += analysis.brains.map { "  " + $0.summary }
        if !analysis.verdict.streams.isEmpty { lines.append("  quality " + analysis.verdict.line) }
        lines += analysis.remarks.map { "  note: " + $0 }
        if writesReport { lines.append("  report: \(results.report.relativePath)") }
        return lines.joined(separator: "\n")
    }

    /// How long each rhythm lasted, the longest first; nil where nothing is known.
    private func rhythm(of result: CardiacResult) -> String? {
        guard !result.rhythm.isEmpty else { return nil }
        let total = result.rhythm.reduce(0) { $0 + $1.duration }
        let shares = RhythmKind.allCases.map { kind in
            (kind, result.rhythm.reduce(0) { $0 + ($1.kind == kind ? $1.duration : 0) })
        }
        let words = shares.filter { $0.1 > 0 }.sorted { $0.1 > $1.1 }.map { kind, length in
            let percent = length / total * 100
            let word = kind == .undetermined ? "too short to tell" : kind.rawValue
            return "\(word) " + (percent < 1 ? "<1 %" : "\(Int(percent.rounded())) %")
        }
        return "rhythm (no diagnosis): " + words.joined(separator: ", ")
    }
}
