import ArgumentParser
import Cohort
import Foundation
import Pipeline
import Reports

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "One self-contained HTML page about a recording, or its PDF.",
        discussion: """
            Example: marey report 100.hea --output 100.html
                     marey report 100.hea --pdf
                     marey report results/group/report.html --pdf
                     marey report results/group/report.html --pdf --output group.pdf
            """)

    @Argument(help: "The recording; with --pdf also a page that Marey wrote.")
    var file: String

    @Option(help: SourceOptions.everyStreamHelp)
    var stream: String?

    @OptionGroup var source: SourceOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var edits: EditOptions
    @OptionGroup var parameters: ParameterOptions

    @Option(
        name: .shortAndLong,
        help: "The page to write (default: <name>_report.html); of a page that is printed, the PDF.")
    var output: String?

    @Flag(help: "Print the page to a PDF (default: beside it), with the Chromium of this machine.")
    var pdf = false

    func run() throws {
        if file.lowercased().hasSuffix(".html") {
            if pdf { return try printGivenPage() }
            try refusePage()
        }
        if let output, output.lowercased().hasSuffix(".pdf") {
            throw Failure.misuse("-o \(output): the page is HTML; give it such a name, and --pdf prints it beside it")
        }
        let stem = AnalysisRun.stem(of: file)
        let url = URL(fileURLWithPath: output ?? stem + "_report.html")
        let written = [url] + (pdf ? [Self.printed(url)] : [])
        try OutputFiles.refuseInputs(
            written, of: URL(fileURLWithPath: file), and: input.files + edits.files + parameters.files)
        try ResultPlace.demand(written)
        var run = AnalysisRun(
            input: URL(fileURLWithPath: file), request: source.request(of: stream),
            parameters: try parameters.parameters(), results: ResultFolder(url.deletingLastPathComponent(), stem: stem),
            edits: edits.choice)
        run.open = source.opening(input)
        let bar = ProgressBar("report")
        run.progress = bar.show
        defer { bar.clear() }
        try run.performReport(to: url)
        bar.clear()
        StandardOutput.tell("report: \(url.relativePath)")
        if pdf { try printPage(url) }
    }

    /// - Throws: `Failure` where a page is there, since it is a report already: all that is left to do is to print it.
    private func refusePage() throws {
        guard FileManager.default.fileExists(atPath: file) else { return }
        throw Failure.misuse("\(file): a page is a report already; --pdf prints it to a PDF")
    }

    private static func printed(_ page: URL) -> URL {
        page.deletingPathExtension().appendingPathExtension("pdf")
    }

    /// Prints a page that is there already.
    private func printGivenPage() throws {
        let page = URL(fileURLWithPath: file)
        if let output, !output.lowercased().hasSuffix(".pdf") {
            throw Failure.misuse(
                "-o \(output): \(file) is a page already and is printed to a PDF; end the name with .pdf")
        }
        try printPage(page, to: output.map { URL(fileURLWithPath: $0) })
    }

    /// - Parameter pdf: nil for one beside the page.
    private func printPage(_ page: URL, to pdf: URL? = nil) throws {
        let url = pdf ?? Self.printed(page)
        try ResultPlace.demand([url])
        do { try PagePrinter().print(page, to: url) } catch {
            throw Failure.nothingDone(error.description)
        }
        StandardOutput.tell("report: \(url.relativePath)")
    }
}
