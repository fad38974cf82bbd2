import Foundation
import Signals

/// Gives the rows of a Mind Monitor file one after the other.
final class MindMonitorRows {
    struct Row {
        /// Seconds since 1970 by the phone's clock.
        var time: Seconds
        var isSample: Bool
        /// What happened, in an event's row.
        var event: String?
    }

    let file: URL
    private let lines: DelimitedLines
    private let firstSample: Int
    private let elements: Int?
    private let columnCount: Int
    /// For each column its stream and channel; nil where it is not read.
    private let targets: [(stream: Int, channel: Int)?]

    init(_ input: InputFile, _ dialect: DelimitedDialect, _ columns: MindMonitorColumns) {
        file = input.url
        lines = DelimitedLines(input, dialect)
        firstSample = columns.firstSample
        elements = columns.elements
        columnCount = dialect.columnCount
        var targets: [(stream: Int, channel: Int)?] = Array(repeating: nil, count: dialect.columnCount)
        for (stream, one) in columns.streams.enumerated() {
            for (channel, column) in one.columns.enumerated() where column < targets.count {
                targets[column] = (stream, channel)
            }
        }
        self.targets = targets
    }

    /// What is to be said of a last line that is cut off, once all rows were told; nil where none is.
    var cutNote: String? { lines.cutNote }

    /// The next row, its samples left out; nil at the end.
    func next() throws -> Row? {
        var none: [[Float]] = []
        return try next(into: &none, row: 0, of: 0)
    }

    /// The next row; a row of samples is put at place `row` of `count` rows, channel after channel.
    func next(into samples: inout [[Float]], row: Int, of count: Int) throws -> Row? {
        guard let line = try lines.next(), var cells = DelimitedCells(line, delimiter: 0x2C, mark: 0x2E) else {
            return nil
        }
        let stamp = cells.text()
        guard let time = ISODate.seconds(stamp) else {
            let found = String(decoding: stamp.prefix(40), as: UTF8.self)
            throw FormatError(file, at: "line \(lines.number)", "found \"\(found)\", expected a time")
        }
        var result = Row(time: time, isSample: false)
        var column = 1
        while !cells.isAtEnd, column < columnCount {
            if column == elements {
                let text = cells.text()
                if !text.isEmpty { result.event = Self.label(String(decoding: text.prefix(1_024), as: UTF8.self)) }
            } else if let number = cells.number() {
                if column == firstSample { result.isSample = true }
                if count > 0, row < count, let target = targets[column] {
                    samples[target.stream][target.channel * count + row] = number.float()
                }
            } else {
                try passMissing(&cells, column)
            }
            column += 1
        }
        return result
    }

    private func passMissing(_ cells: inout DelimitedCells, _ column: Int) throws {
        let cell = cells.text()
        guard targets[column] == nil || DelimitedCells.value(cell, mark: 0x2E)?.isNaN == true else {
            let found = String(decoding: cell.prefix(40), as: UTF8.self)
            throw FormatError(
                file, at: "line \(lines.number), column \(column + 1)", "found \"\(found)\", expected a number")
        }
    }

    /// `/muse/elements/blink` is a blink; other events keep their words.
    private static func label(_ text: String) -> String {
        for prefix in ["/muse/elements/", "/muse/event/", "/"] where text.hasPrefix(prefix) {
            return String(text.dropFirst(prefix.count))
        }
        return text
    }
}
