import Foundation
import Signals

/// Takes a row of samples of a LabChart text apart: a date and a time or none, a cell for each channel, comments.
struct LabChartRow {
    /// Cells before the samples.
    let leading: Int
    let channelCount: Int
    let mark: UInt8

    /// What a row of this many channels is like whose cells are `cells`; nil where they do not fit.
    init?(_ cells: [Substring], channelCount: Int, mark: UInt8) {
        var cells = cells.prefix { !$0.hasPrefix("#") }
        while cells.count > channelCount, cells.last?.isEmpty == true { cells.removeLast() }
        guard channelCount > 0, (0...2).contains(cells.count - channelCount) else { return nil }
        leading = cells.count - channelCount
        (self.channelCount, self.mark) = (channelCount, mark)
    }

    /// Where a row is not as it should be.
    enum Fault: Error {
        case tooFew(Int)
        case noNumber(column: Int, text: String)
    }

    /// The time in a row, in seconds; nil where it has none.
    func time(_ line: UnsafeBufferPointer<UInt8>) -> Seconds? {
        guard leading > 0, var cells = DelimitedCells(line, delimiter: 0x09, mark: mark) else { return nil }
        if leading == 2 { cells.skip() }
        let cell = cells.text()
        return NumberParsing.double(cell, mark: mark) ?? DelimitedTime.timeOfDay(cell)
    }

    /// Puts a row's samples where `sample` says, and gives its comments.
    func read(
        _ line: UnsafeBufferPointer<UInt8>, sample: (_ channel: Int, _ value: Double) -> Void
    ) throws(Fault) -> [String] {
        guard var cells = DelimitedCells(line, delimiter: 0x09, mark: mark) else { throw .tooFew(0) }
        for _ in 0..<leading where !cells.isAtEnd { cells.skip() }
        for channel in 0..<channelCount {
            guard !cells.isAtEnd else { throw .tooFew(leading + channel) }
            if let number = cells.number() {
                sample(channel, number.double())
                continue
            }
            let cell = cells.text()
            guard let value = DelimitedCells.value(cell, mark: mark) else {
                throw .noNumber(column: leading + channel + 1, text: String(decoding: cell.prefix(40), as: UTF8.self))
            }
            sample(channel, value)
        }
        var comments: [String] = []
        while !cells.isAtEnd {
            let text = MarkerColumn.text(cells.text())
            if let comment = Self.comment(text) {
                comments.append(comment)
            } else if !text.isEmpty, let last = comments.indices.last {
                // A tab within a comment.
                comments[last] += " " + text
            }
        }
        return comments
    }

    /// `#* text` of all channels, `#2 text` of one.
    private static func comment(_ text: String) -> String? {
        guard text.hasPrefix("#") else { return nil }
        let comment = text.drop { !$0.isWhitespace }.drop(while: \.isWhitespace)
        return comment.isEmpty ? "n/a" : String(comment)
    }
}
