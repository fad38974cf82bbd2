public import Cardiac
public import Formats
import Quality
public import Signals

/// The heart-rate variability of the conditions of a recording, from the tables of its results: the intervals that count, and the
/// quality of their signal.
public struct ConditionVariability: Sendable {
    private let intervals: [NN]
    private let quality: QualityMeans
    private let parameters: Parameters

    /// The variability of a recording.
    /// - Parameters:
    ///   - intervals: its table of intervals after correction, `desc-nn`.
    ///   - quality: its table of windows of signal quality; nil without one.
    ///   - areMeasured: whether a device measured the intervals, whose quality is then how many stand.
    ///   - parameters: the parameters that the recording was analyzed with.
    /// - Throws: `FormatError` when a table lacks a column, or a cell is no number.
    public init(
        intervals: some ColumnReading, quality: (any ColumnReading)?, areMeasured: Bool, parameters: Parameters
    ) throws {
        let onsets = try intervals.numbers("onset")
        let (lengths, contiguous) = (try intervals.numbers("nn"), try intervals.numbers("contiguous"))
        let status = try intervals.words("status")
        let kinds = status.texts.map { $0.flatMap(NNStatus.init) ?? .kept }
        self.intervals = onsets.indices.filter { onsets[$0].isFinite && lengths[$0] > 0 }.map { row in
            NN(
                onset: onsets[row], duration: lengths[row], isContiguous: contiguous[row] > 0,
                status: kinds[status.rows[row]])
        }
        let windows =
            try quality.map(Self.windows)
            ?? (areMeasured
                ? IntervalQuality.windows(
                    of: self.intervals.last.map { [IBI(onset: $0.onset, duration: $0.duration, isContiguous: true)] }
                        ?? [],
                    self.intervals, parameters: parameters.quality)
                : [])
        self.quality = QualityMeans(windows, parameters.quality)
        self.parameters = parameters
    }

    private static func windows(_ table: any ColumnReading) throws -> [QualityWindow] {
        let (onsets, durations) = (try table.numbers("onset"), try table.numbers("duration"))
        let (coverage, quality) = (try table.numbers("coverage"), try table.numbers("quality"))
        return onsets.indices.filter { quality[$0].isFinite }.map {
            QualityWindow(
                onset: onsets[$0], duration: durations[$0], coverage: coverage[$0], quality: quality[$0])
        }
    }

    /// The windows of a part of a condition, from its onset on, as the recording's own table has them.
    /// - Parameter part: from its onset to its end, in seconds from the recording's start.
    /// - Throws: `InvalidParameter` when a parameter has no meaning.
    public func windows(within part: Range<Seconds>) throws -> HRVRows {
        var stage = try HRVStage(parameters.hrv, within: part)
        var windows: [HRVWindow] = []
        stage.push(AcceptedIntervals.intervals(intervals, within: part).span, into: &windows)
        stage.finish(into: &windows)
        let quality = windows.map {
            self.quality.mean(after: $0.onset - 1e-6, before: $0.onset + $0.duration + 1e-6)
        }
        return HRVRows(windows, parameters: parameters.hrv, quality: quality)
    }

    /// The accepted intervals of a condition.
    /// - Parameter parts: the parts of the condition, apart from each other and in order of time.
    public func accepted(within parts: [Range<Seconds>]) -> AcceptedIntervals {
        AcceptedIntervals(intervals, within: parts)
    }
}
