import ArgumentParser
import Formats
import Foundation
import Signals

/// How to read files that do not say everything about themselves.
struct InputOptions: ParsableArguments {
    @Option(
        help: """
            For delimited text without a time column, and for sample numbers of beats: samples per second. Where there \
            are times, they hold.
            """)
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

    /// Samples per second that no text has more of.
    static let highestTextRate = 10_000_000.0

    /// Begins reading text whose numbers are those of beats.
    func openBeats(_ url: URL) throws -> any RecordingReader {
        try checkRate()
        guard columns == nil else {
            throw Failure.misuse("--columns says what columns are; leave it out, or --as beats")
        }
        return try RecordingFile.open(beats: url, textRate: textRate)
    }

    private func checkRate() throws {
        if let textRate, !(textRate > 0 && textRate <= Self.highestTextRate) {
            throw Failure.misuse(
                "--text-rate is \(textRate); it must be samples per second, above 0, at most \(Self.highestTextRate)")
        }
    }

    /// Begins reading a recording.
    func open(_ url: URL) throws -> any RecordingReader {
        try checkRate()
        guard let columns else {
            return try textRate.map { try RecordingFile.open(url, textRate: $0) } ?? RecordingFile.open(url)
        }
        var map = try ColumnMap(reading: columns)
        if let textRate { map.sampleRate = textRate }
        return try RecordingFile.open(url, columns: map)
    }
}
