import Foundation
import Signals

/// The blocks of a LabChart text: what its headers say, how many rows each has, and when it began.
struct LabChartBlocks {
    /// Rows between two headers.
    struct Block {
        var row: LabChartRow
        var start: SegmentStart
        var rowCount = 0
        /// The factor of each channel's values, which may come in another unit than in the first block.
        var factors: [Float?]
        fileprivate var date: Seconds?
        fileprivate var firstTime: Seconds?
        fileprivate var lastTime: Seconds?
    }

    private(set) var blocks: [Block] = []
    private(set) var channels: [Channel] = []
    private(set) var sampleRate = 0.0
    private(set) var notes: [String] = []
    private let file: URL
    private var header = LabChartHeader()
    private var isInHeader = false

    /// Goes through all lines of a file.
    /// - Throws: `FormatError` naming the line that cannot be right.
    init(_ lines: DelimitedLines, file: URL) throws {
        self.file = file
        while let line = try lines.next() {
            if LabChartHeader.isPart(line) {
                if !isInHeader { (header, isInHeader) = (LabChartHeader(), true) }
                do {
                    try header.take(MarkerColumn.text(line))
                } catch .interval(let text) {
                    throw FormatError(
                        file, at: "line \(lines.number)", "has the interval \"\(text)\", expected such as \"0.001 s\"")
                }
                continue
            }
            if isInHeader { try begin(line, at: lines.number) }
            guard let place = blocks.indices.last else {
                throw FormatError(file, at: "line \(lines.number)", "stands before the first header, Interval=")
            }
            let time = blocks[place].row.time(line)
            if blocks[place].rowCount == 0 { blocks[place].firstTime = time }
            if time != nil { blocks[place].lastTime = time }
            blocks[place].rowCount += 1
        }
        guard !blocks.isEmpty else { throw FormatError(file, "has no rows of samples") }
        place()
    }

    /// When the first block began.
    var start: Timestamp? { blocks.first?.date.map(Timestamp.init(secondsSince1970:)) }

    /// Rows of all blocks.
    var rowCount: Int { blocks.reduce(0) { $0 + $1.rowCount } }

    /// Seconds from the start to the end of the last block.
    var duration: Seconds { blocks.last.map { $0.start.onset(ofOffset: $0.rowCount) } ?? 0 }

    private mutating func begin(_ line: UnsafeBufferPointer<UInt8>, at number: Int) throws {
        isInHeader = false
        guard let interval = header.interval else {
            throw FormatError(file, at: "line \(number)", "has no Interval= above it")
        }
        let cells = MarkerColumn.text(line).split(separator: "\t", omittingEmptySubsequences: false)
            .map { RRTextLines.trim($0) }
        let count = header.titleCount > 0 ? header.titleCount : max(0, cells.prefix { !$0.hasPrefix("#") }.count - 1)
        guard let row = LabChartRow(cells, channelCount: count, mark: header.mark) else {
            throw FormatError(
                file, at: "line \(number)",
                "has \(cells.count) cells, expected one for each of \(count) \(count == 1 ? "channel" : "channels") "
                    + "beside the time")
        }
        let own = header.channels(count)
        if blocks.isEmpty { (channels, sampleRate) = (own, 1 / interval) }
        guard own.map(\.label) == channels.map(\.label), abs(interval * sampleRate - 1) < 1e-9 else {
            throw FormatError(
                file, at: "line \(number)", "begins a block of other channels or another interval than the first",
                advice: "export the blocks to files of their own")
        }
        let factors = try zip(own, channels).map { own, first in
            guard let factor = own.unit.factor(to: first.unit) else {
                throw FormatError(
                    file, at: "line \(number)",
                    "begins a block with channel \"\(own.label)\" in \(own.unit), before it is in \(first.unit)",
                    advice: "export the blocks to files of their own")
            }
            return factor == 1 ? nil : Float(factor)
        }
        blocks.append(
            Block(
                row: row, start: SegmentStart(onset: 0, sample: 0, sampleRate: sampleRate), factors: factors,
                date: header.date))
    }

    /// Places the blocks after each other: by the dates at which they began, else by times that go on, else as soon as
    /// can be, as nobody knows.
    private mutating func place() {
        var unknown = 0
        for index in blocks.indices.dropFirst() {
            let before = blocks[index - 1]
            let end = before.start.onset(ofOffset: before.rowCount)
            let passed = Self.both(blocks[index].date, before.date).map { before.start.onset + $0 - $1 }
            let counted = Self.both(blocks[index].firstTime, before.lastTime).flatMap {
                $0 > $1 ? end + $0 - $1 - 1 / sampleRate : nil
            }
            let latest = end + 366 * 86_400
            let told = [passed, counted].lazy.compactMap(\.self)
                .first { [sampleRate] in (end - 0.5 / sampleRate...latest).contains($0) }
            let onset = told.map { max($0, end) } ?? end + 1.5 / sampleRate
            if told == nil { unknown += 1 }
            blocks[index].start = SegmentStart(
                onset: onset, sample: before.start.sample + before.rowCount, sampleRate: sampleRate,
                gap: Gap(onset: end, duration: onset - end, reason: told == nil ? .unknownLength : .fileGap))
        }
        guard unknown > 0 else { return }
        notes.append(
            "the recording was paused at \(unknown) \(unknown == 1 ? "place" : "places"), for how long is not told: gaps of "
                + "\(NumberFormatting.text(1.5 / sampleRate)) s stand there")
    }

    private static func both(_ first: Seconds?, _ second: Seconds?) -> (Seconds, Seconds)? {
        first.flatMap { first in second.map { (first, $0) } }
    }
}
