import ArgumentParser
import Cohort
import Foundation
import Signals

/// What results are exported as.
enum BatchExportFormat: String, ExpressibleByArgument, CaseIterable {
    case parquet, spss, bids
}

struct BatchExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write results of a batch for other programs.",
        discussion: """
            Example: marey batch export results tables --as parquet
                     marey batch export results for-spss --as spss
                     marey batch export results derivatives --as bids

            parquet: the group's tables for pandas, R's arrow, DuckDB and Polars. spss: the same as comma-separated text, \
            each with a syntax file that reads it and labels its variables. bids: the tables of every finished recording \
            as a BIDS derivatives data set whose names the BIDS validator knows.
            """)

    @Argument(help: "The output folder of the batch.")
    var folder: String

    @Argument(help: "The folder to write into.")
    var target: String

    @Option(name: .customLong("as"), help: "parquet, spss or bids.")
    var format: BatchExportFormat

    func run() throws {
        let batch = BatchFolder(URL(fileURLWithPath: folder, isDirectory: true))
        guard try batch.isBegun() else {
            throw Failure.nothingDone("\(folder): no batch was ever run into this folder")
        }
        let place = URL(fileURLWithPath: target, isDirectory: true)
        if let dataset = batch.stems().lazy.compactMap(batch.plan).first?.dataset {
            BatchTrace.note(place, of: URL(fileURLWithPath: dataset, isDirectory: true))
        }
        switch format {
        case .bids:
            let count = try BIDSExport(batch, to: place).write { Terminal.note("\(folder): \($0)") }
            StandardOutput.tell("\(target): \(count.counted("recording"))")
        case .parquet: try export(batch, .parquet, to: place)
        case .spss: try export(batch, .spss, to: place)
        }
    }

    private func export(_ batch: BatchFolder, _ format: GroupExport.Format, to place: URL) throws {
        let export = try GroupExport(batch)
        if !export.missing.isEmpty {
            Terminal.note(
                "\(folder): the group's tables were made without \(Listing.text(export.missing)): run marey batch DATASET "
                    + "OUTPUT group to take them up")
        }
        StandardOutput.tell("\(target): \(try export.write(format, to: place).count.counted("file"))")
    }
}
