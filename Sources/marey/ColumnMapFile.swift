import Formats
import Foundation
import Pipeline
import Signals
import Yams

extension ColumnMap {
    /// The map in a YAML or JSON file that somebody wrote.
    /// - Throws: `PipelineError` when it cannot be read, or naming what in it is not known or makes no sense.
    init(reading path: String) throws {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw PipelineError("\(path): there is no such file, or it is not UTF-8 text")
        }
        if let excess = WrittenYAML.excess(of: text) { throw PipelineError("\(path): \(excess)") }
        let tree: Any?
        // JSON is YAML too.
        do { tree = try Yams.load(yaml: text) } catch {
            throw PipelineError("\(path): is neither YAML nor JSON: \(error)")
        }
        guard let tree = tree as? [String: Any] else {
            throw PipelineError(
                "\(path): expected a mapping of keys to values that says what the columns are",
                advice: "see “Columns of delimited text” in docs/recordings.md")
        }
        self = try WrittenSettings.decoded(tree, like: Self.complete, choices: Self.choices, file: path) {
            try YAMLDecoder().decode(ColumnMap.self, from: text)
        }
        if let sampleRate, !(sampleRate > 0 && sampleRate <= InputOptions.highestTextRate) {
            throw PipelineError(
                "\(path): sampleRate is \(sampleRate), but it is samples per second, above 0, at most "
                    + "\(InputOptions.highestTextRate)")
        }
        if let skipRows, skipRows < 0 {
            throw PipelineError("\(path): skipRows is \(skipRows), but it is a number of lines, from 0 on")
        }
    }

    private static let complete = ColumnMap(
        delimiter: ",", decimalMark: ".", skipRows: 0, commentPrefix: "#", sampleRate: 1,
        time: TimeColumn(column: "", unit: .seconds),
        columns: [MappedColumn(column: "", kind: .other, unit: "", label: "")], hasHeader: true)

    private static let choices = [
        "columns.kind": StreamKind.allCases.map(\.rawValue), "time.unit": TimeUnit.allCases.map(\.rawValue),
    ]
}
