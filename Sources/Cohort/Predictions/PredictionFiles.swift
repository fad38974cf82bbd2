import Decoding
import Formats
public import Foundation
public import Pipeline
public import Signals

/// Writes the predictions of a session: tables of our own, which never clip, how far it lies from the calibrations, and
/// the compatibility folder.
public struct PredictionFiles {
    private let results: ResultFolder
    private let request: PredictionRequest

    /// The files of a session beside its other results.
    public init(_ results: ResultFolder, _ request: PredictionRequest) {
        (self.results, self.request) = (results, request)
    }

    /// The compatibility folder.
    public var compatibility: URL {
        results.folder.appendingPathComponent(results.stem + "_compatibility", isDirectory: true)
    }

    /// Writes them all.
    /// - Returns: their names within the folder of results.
    /// - Throws: `FormatError` when a file cannot be written.
    public func write(_ found: PredictionResults, start: Timestamp?, markers: [Marker]) throws -> [String] {
        var names: [String] = []
        for series in found.series {
            let smoothing = Prediction.models(of: series.prediction).compactMap { request.models[$0]?.smoothing }.max()
            let table = PredictionTables.table(series, smoothing: smoothing ?? 0)
            let url = file("_desc-\(series.prediction)_physio.tsv")
            try TSV.write(table, to: url)
            try writeAtomically(TableJSON.sidecar(table.columns), to: url.jsonSidecar)
            names += [url, url.jsonSidecar].map(\.lastPathComponent)
        }
        if !found.drift.isEmpty {
            let url = file("_desc-drift_predictions.tsv")
            try TSV.write(DriftTable.table(found.drift), to: url)
            try writeAtomically(TableJSON.sidecar(DriftTable.columns), to: url.jsonSidecar)
            names += [url, url.jsonSidecar].map(\.lastPathComponent)
        }
        let folder = CompatibilityFolder(stem: results.stem, start: start ?? Timestamp(secondsSince1970: 0))
        return names
            + (try folder.write(found, markers: markers, to: compatibility)).map {
                compatibility.lastPathComponent + "/" + $0
            }
    }

    private func file(_ ending: String) -> URL { results.folder.appendingPathComponent(results.stem + ending) }
}

/// How far a session lies from the calibrations, as a table.
enum DriftTable {
    static let columns = [
        Column("prediction", "The model's prediction."),
        Column(
            "shift", unit: .dimensionless,
            "The median over features of how far the session's median lies from the calibration's, in its spreads."),
        Column(
            "usualShift", unit: .dimensionless, "The shift that nine of ten blocks of the calibration do not exceed."),
        Column(
            "farShare", unit: .dimensionless,
            "The share of epochs whose features lie, in the median, more than two spreads away."),
        Column("decodableShare", unit: .dimensionless, "The share of epochs that could be decoded."),
        Column("needsCalibration", "yes where the calibration should be repeated, else no."),
    ]

    static func table(_ drift: [String: DriftReport]) -> Table {
        Table(
            columns: columns,
            rows: drift.sorted { $0.key < $1.key }.map { name, report in
                [
                    .text(name), .number(report.shift), .number(report.usualShift), .number(report.farShare),
                    .number(report.decodableShare), .text(report.needsCalibration ? "yes" : "no"),
                ]
            })
    }
}
