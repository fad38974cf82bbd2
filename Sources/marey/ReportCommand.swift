import ArgumentParser
import Cohort
import Foundation
import Pipeline

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "One self-contained HTML page about a recording.",
        discussion: "Example: marey report 100.hea --output 100.html")

    @Argument(help: "The recording.")
    var file: String

    @OptionGroup var source: SourceOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var edits: EditOptions
    @OptionGroup var parameters: ParameterOptions

    @Option(name: .shortAndLong, help: "The page to write (default: <name>_report.html).")
    var output: String?

    func run() throws {
        let stem = AnalysisRun.stem(of: file)
        let url = URL(fileURLWithPath: output ?? stem + "_report.html")
        var run = AnalysisRun(
            input: URL(fileURLWithPath: file), request: source.request, parameters: try parameters.parameters(),
            results: ResultFolder(url.deletingLastPathComponent(), stem: stem), edits: edits.choice)
        run.open = input.open
        let bar = ProgressBar("report")
        run.progress = bar.show
        defer { bar.clear() }
        try run.performReport(to: url)
        bar.clear()
        print("report: \(url.relativePath)")
    }
}
