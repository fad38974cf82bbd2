import Formats
import Foundation
import Pipeline
import Yams

extension ColumnMap {
    /// The map in a YAML or JSON file that somebody wrote.
    /// - Throws: `PipelineError` when it cannot be read, or naming what in it is not known or makes no sense.
    init(reading path: String) throws {
        let text = try WrittenFile.text(of: URL(fileURLWithPath: path))
        if let problem = WrittenYAML.problem(of: text) { throw PipelineError("\(path): \(problem)") }
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
        self = try WrittenSettings.decoded(
            tree, like: WrittenColumns.complete, choices: WrittenColumns.choices(), file: path
        ) {
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
        if let problem = WrittenColumns.wrongCharacter(in: self) { throw PipelineError("\(path): \(problem)") }
    }
}
