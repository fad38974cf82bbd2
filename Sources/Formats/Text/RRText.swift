public import Foundation
public import Signals

/// Reads RR intervals from text: one column of intervals, a column of times and one of intervals, intervals along
/// lines, Polar `.hrm` files, tables with named columns as Kubios and others export.
///
/// Rules:
/// - **Unit.** The median of the intervals decides: 0.2 to 5 are seconds, 200 to 5000 milliseconds. Anything else is
///   refused, since a column of heart rates or sample numbers would give plausible wrong numbers.
/// - **Missing.** `n/a`, `NA`, `NaN` and empty cells are breaks: the interval is left out and the next one follows a
///   break. Without a time column the time they took is unknown and counts as none; a note says so.
/// - **Wrong.** An interval that is not positive, of 1e12 s or more, or no number is an error that names the line.
/// - **Times** may be seconds, milliseconds, `h:mm:ss` or dates, of which the recording's start is taken. They may stand
///   for the beat that ends the interval or the one that begins it; whichever agrees with the intervals is taken. A pause
///   of more than 0.1 s between them is a break.
/// - **Decimal comma** is understood where no full stop is used and commas do not separate columns.
/// - Lines that begin with `#`, `%` or `//`, blank lines, and lines before the first number are passed over.
public final class RRText: RecordingReader {
    /// One stream of kind `ibi`.
    public let header: RecordingHeader
    private let series: RRSeries
    private var position = 0
    private static let valuesPerEvent = 4096

    /// Opens a text file of RR intervals.
    /// - Throws: `FormatError` when it cannot be read or understood.
    public convenience init(_ url: URL) throws {
        self.init(try Self.read(url))
    }

    /// Plays intervals that are in memory as if they were read from a file of this format.
    public init(_ series: RRSeries, format: String = "RR text") {
        self.series = series
        let stream = StreamHeader(
            name: "ibi", kind: .ibi, channels: [Channel(label: "RR", unit: .seconds)], sampleRate: 0)
        header = RecordingHeader(
            start: series.start, duration: series.onsets.last, streams: [stream], format: format, notes: series.notes,
            hasTimeZone: series.hasTimeZone)
    }

    /// The next values; nil at the end.
    public func next() -> RecordingEvent? {
        guard position < series.intervals.count else { return nil }
        let range = position..<min(position + Self.valuesPerEvent, series.intervals.count)
        position = range.upperBound
        var values: [TimedValue] = []
        values.reserveCapacity(range.count)
        for index in range {
            if isHiddenBreak(index) { values.append(TimedValue(onset: series.onsets[index - 1], values: [.nan])) }
            let label = series.symbols.isEmpty ? nil : series.symbols[index]
            values.append(TimedValue(onset: series.onsets[index], values: [series.intervals[index]], label: label))
        }
        return .values(stream: 0, values)
    }

    /// Whether something is missing before an interval that the times do not show: a value that is no number stands for
    /// it, so that nobody takes its neighbours for successive intervals.
    private func isHiddenBreak(_ index: Int) -> Bool {
        index > 0 && series.followsBreak[index]
            && series.onsets[index] - series.intervals[index] - series.onsets[index - 1] <= 0.1
    }

    /// The whole series in double precision.
    /// - Throws: `FormatError` when the file cannot be read or understood; it names the line.
    public static func read(_ url: URL) throws -> RRSeries {
        let input = try InputFile(url)
        guard input.size <= 64 << 20 else {
            throw FormatError(url, "has \(input.size) bytes, a file of RR intervals may have at most 64 MiB")
        }
        return try read(bytes: input.read(at: 0, count: input.size), file: url)
    }

    /// The whole series from bytes that came from `file`.
    public static func read(bytes: [UInt8], file: URL) throws -> RRSeries {
        let text = try RRTextLines(bytes, file: file)
        let series = try PolarHRM.recognizes(text) ? PolarHRM.read(text) : RRTextTable.read(text)
        if let end = series.onsets.last, !end.isPlaceable {
            throw FormatError(file, "its intervals end after \(end) s, which no recording lasts")
        }
        return series
    }

    /// Whether the first bytes of a file are RR intervals in one of the forms read here.
    ///
    /// Numbers of such size may also be a sampled signal. A file called `.rr`, `.rri`, `.ibi`, `.nn` or `.hrm` is taken
    /// for intervals; else a column called RR, IBI or NN, unless its rows come evenly while the intervals do not; else
    /// numbers that behave as intervals do, and as the times beside them say, unless their column is called something else
    /// (`IntervalHeading`, `IntervalSigns`).
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        var head = head
        // The last line may be cut off; where intervals follow each other along lines, the last interval.
        if head.count >= 4096 {
            let line = head.lastIndex { $0 == 0x0A || $0 == 0x0D } ?? 0
            if let end = line > head.count / 2 ? line : head.lastIndex(where: { $0 == 0x20 || $0 == 0x0A }) {
                head.removeSubrange(end...)
            }
        }
        guard let text = try? RRTextLines(head, file: url) else { return false }
        if PolarHRM.recognizes(text) { return true }
        guard let series = try? RRTextTable.read(text) else { return false }
        if ["rr", "rri", "ibi", "nn", "hrm"].contains(url.pathExtension.lowercased()) { return true }
        guard let (heading, isTimed) = try? RRTextTable.naming(text) else { return false }
        switch heading {
        case .intervals: return !isTimed || !IntervalSigns.areOnGrid(series, fewest: 32)
        case .otherSignal: return false
        case .possibly, .nothing, nil:
            guard series.intervals.count >= 3, !IntervalSigns.areSampled(series.intervals) else { return false }
            guard isTimed else { return true }
            // Beside times, a constant that is called something else is rather a signal that stands still.
            return !IntervalSigns.areOnGrid(series, fewest: 8)
                && IntervalSigns.areTimed(series) ?? (heading != .nothing)
        }
    }
}
