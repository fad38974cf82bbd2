public import Foundation
public import Signals

/// Reads RR intervals from text: one column of intervals, a column of times and one of intervals, intervals along
/// lines, times of beats, Polar `.hrm` files, tables with named columns as Kubios and others export.
///
/// Rules:
/// - **Unit.** The heading, a row of units or a comment states it: `RR (ms)`, `ibi_s`, `RR [1/1024 s]`, `RR [samples]`
///   with a rate. Otherwise the median of the intervals decides: 0.2 to 5 are seconds, 200 to 5000 milliseconds; anything
///   else is refused, since a column of heart rates would give plausible wrong numbers. A warning names the likely unit
///   where the median is below 0.3 or above 2 s. Intervals of two sizes a thousand times apart are refused.
/// - **Beats.** Eight and more numbers that only rise, apart as beats are, are times or sample numbers of beats; their
///   differences are the intervals. Where nothing states their unit, whole numbers need a rate.
/// - **Missing.** `n/a`, `NA`, `NaN`, empty cells, and intervals of 0 or less are breaks: the interval is left out and the
///   next one follows a break. Without a time column the time they took is unknown and counts as none; a note says so. So
///   are intervals that a column called artifact, blocker or valid marks as bad.
/// - **Wrong.** An interval of 1e12 s or more, or no number is an error that names the line.
/// - **Times** may be seconds, milliseconds, `h:mm:ss` or dates, of which the recording's start is taken. They may stand
///   for the beat that ends the interval or the one that begins it; whichever agrees with the intervals is taken. A pause
///   of more than 0.1 s between them is a break. Times that are late, whole seconds or those of packets only anchor the
///   sums of the intervals, and a break raises them permanently (`IntervalChain`). Repeated rows count
///   once; rows with the newest first are put in order of time.
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

    /// Opens a text file of RR intervals or beats.
    /// - Parameters:
    ///   - sampleRate: samples per second, in Hz, where the numbers are samples.
    ///   - areBeats: whether its numbers are known to be times or sample numbers of beats.
    /// - Throws: `FormatError` when it cannot be read or understood.
    public convenience init(_ url: URL, sampleRate: Double?, areBeats: Bool = false) throws {
        self.init(try Self.read(url, sampleRate: sampleRate, areBeats: areBeats))
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
    /// - Parameters:
    ///   - sampleRate: samples per second, in Hz, where the numbers are samples.
    ///   - areBeats: whether its numbers are known to be times or sample numbers of beats.
    /// - Throws: `FormatError` when the file cannot be read or understood; it names the line.
    public static func read(_ url: URL, sampleRate: Double? = nil, areBeats: Bool = false) throws -> RRSeries {
        let input = try InputFile(url)
        guard input.size <= 64 << 20 else {
            throw FormatError(url, "has \(input.size) bytes, a file of RR intervals may have at most 64 MiB")
        }
        let bytes = try input.read(at: 0, count: input.size)
        return try read(bytes: bytes, file: url, sampleRate: sampleRate, areBeats: areBeats)
    }

    /// The whole series from bytes that came from `file`.
    /// - Parameters:
    ///   - sampleRate: samples per second, in Hz, where the numbers are samples.
    ///   - areBeats: whether its numbers are known to be times or sample numbers of beats.
    /// - Throws: `FormatError` when they cannot be understood; it names the line.
    public static func read(
        bytes: [UInt8], file: URL, sampleRate: Double? = nil, areBeats: Bool = false
    ) throws -> RRSeries {
        let text = try RRTextLines(bytes, file: file)
        let series =
            try PolarHRM.recognizes(text)
            ? PolarHRM.read(text) : RRTextTable.read(text, rate: sampleRate, asBeats: areBeats)
        if let end = series.onsets.last, !end.isPlaceable {
            throw FormatError(file, "its intervals end after \(end) s, which no recording lasts")
        }
        return series
    }

    /// True where the first bytes of a file are RR intervals in one of the forms read here, or times of beats.
    ///
    /// Numbers of such size may also be a sampled signal. A file called `.rr`, `.rri`, `.ibi`, `.nn` or `.hrm` is taken
    /// for intervals; else a column called RR, IBI or NN, unless its rows come evenly while the intervals do not; else
    /// numbers that behave as intervals do, and as their times say, unless their column is called something else
    /// (`IntervalHeading`, `IntervalSigns`). Numbers that only rise as beats do are beats, unless their name is that of another signal.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        guard let text = lines(head, url) else { return false }
        if PolarHRM.recognizes(text) { return true }
        guard let content = try? RRTextTable.content(of: text) else { return false }
        let isCalledSo = ["rr", "rri", "ibi", "nn", "hrm"].contains(url.pathExtension.lowercased())
        if content.choice.areBeats { return isCalledSo || content.heading != .otherSignal }
        if content.choice.unit == .samples, content.heading == .intervals { return true }
        guard let read = try? RRTextSeries(content, text, rate: nil) else { return false }
        if isCalledSo { return true }
        let series = read.stamped ?? read.series
        let isTimed = content.choice.time != nil
        switch content.heading {
        case .intervals: return !isTimed || !IntervalSigns.areOnGrid(series, fewest: 32, allowsSums: true)
        case .otherSignal: return false
        case .possibly, .nothing, nil:
            guard series.intervals.count >= 3, !IntervalSigns.areSampled(series.intervals) else { return false }
            guard isTimed else { return true }
            // Beside times, a constant that is called something else is rather a signal that stands still.
            return !IntervalSigns.areOnGrid(series, fewest: 8)
                && IntervalSigns.areTimed(series) ?? (content.heading != .nothing)
        }
    }

    /// True where the samples per second that are stated are those of beats or intervals in the file, rather than of a
    /// signal: its numbers only rise as beats do, or its heading says that intervals are in samples.
    static func takesRate(_ head: [UInt8], url: URL) -> Bool {
        guard let text = lines(head, url), !PolarHRM.recognizes(text),
            let content = try? RRTextTable.content(of: text)
        else { return false }
        return content.choice.areBeats || content.choice.unit == .samples
    }

    private static func lines(_ head: [UInt8], _ url: URL) -> RRTextLines? {
        var head = head
        // The last line may be cut off; where intervals follow each other along lines, the last interval.
        if head.count >= 4096 {
            let line = head.lastIndex { $0 == 0x0A || $0 == 0x0D } ?? 0
            if let end = line > head.count / 2 ? line : head.lastIndex(where: { $0 == 0x20 || $0 == 0x0A }) {
                head.removeSubrange(end...)
            }
        }
        return try? RRTextLines(head, file: url)
    }
}
