import ArgumentParser
import Formats
import Foundation
import Signals
import Yams

/// How to read files that do not say everything about themselves.
struct InputOptions: ParsableArguments {
    @Option(help: "For delimited text without a time column: samples per second.")
    var textRate: Double?

    @Option(
        help: """
            For delimited text: a YAML or JSON file that says what its columns are, with the keys delimiter, \
            decimalMark, skipRows, commentPrefix, hasHeader, sampleRate, time (column, unit) and columns (column, kind, \
            unit, label); docs/recordings.md.
            """)
    var columns: String?

    /// The files that are read besides the recording.
    var files: [String] { [columns].compactMap(\.self) }

    /// Begins reading a recording.
    func open(_ url: URL) throws -> any RecordingReader {
        guard textRate != nil || columns != nil else { return try RecordingFile.open(url) }
        var map = try columns.map(Self.map) ?? ColumnMap()
        if let textRate {
            guard textRate > 0, textRate.isFinite else { throw Failure.misuse("--text-rate must be above 0") }
            map.sampleRate = textRate
        }
        return try RecordingFile.open(url, columns: map)
    }

    private static func map(_ path: String) throws -> ColumnMap {
        do {
            // JSON is YAML too.
            return try YAMLDecoder().decode(ColumnMap.self, from: String(contentsOfFile: path, encoding: .utf8))
        } catch {
            throw Failure.nothingDone("\(path): is not a map of columns: \(error)")
        }
    }
}
