import Cardiac
import Formats
public import Signals

/// The table of beats, a row each.
public struct BeatRows: TableContent {
    private let beats: [Beat]
    private let pulses: Bool
    /// The labels of the leads that were looked at together; empty where there is one.
    private let leads: [String]
    /// From the start of the signal in which they were found to its end.
    private let extent: Range<Seconds>?

    init(_ beats: [Beat], pulses: Bool, leads: [String], extent: Range<Seconds>?) {
        self.extent = extent
        self.beats = beats
        self.pulses = pulses
        self.leads = leads
    }

    /// The declarations of the columns; pulses have their foot as well, beats of several leads the lead. The onsets' range is
    /// that of the signal.
    public var columns: [Column] {
        var columns = CardiacTables.beatColumns
        columns[0].range = extent.map { $0.lowerBound...$0.upperBound }
        return columns + (pulses ? [CardiacTables.footColumn] : [])
            + (leads.isEmpty ? [] : [CardiacTables.leadColumn])
    }

    /// One row per beat.
    public var rowCount: Int { beats.count }

    /// Tells some of the rows.
    @specialized(where Sink == TSVText)
    public func write<Sink: TableSink>(_ rows: Range<Int>, to sink: inout Sink) {
        for index in rows {
            let beat = beats[index]
            sink.onset(beat.onset)
            sink.integer(beat.sample)
            sink.text(beat.kind.rawValue)
            sink.number(Double(beat.confidence))
            sink.onset(beat.followsBreak || index == 0 ? nil : beat.onset - beats[index - 1].onset)
            if pulses { sink.onset(beat.foot) }
            if !leads.isEmpty {
                sink.text(beat.lead.flatMap { leads.indices.contains($0) ? leads[$0] : nil } ?? "")
            }
            sink.endRow()
        }
    }
}

/// The table of intervals after correction, a row each.
public struct IntervalRows: TableContent {
    private let intervals: [NN]

    init(_ intervals: [NN]) { self.intervals = intervals }

    /// The declarations of the columns.
    public var columns: [Column] { CardiacTables.intervalColumns }

    /// One row per interval.
    public var rowCount: Int { intervals.count }

    /// Tells some of the rows.
    @specialized(where Sink == TSVText)
    public func write<Sink: TableSink>(_ rows: Range<Int>, to sink: inout Sink) {
        for interval in intervals[rows] {
            sink.onset(interval.onset)
            sink.number(interval.duration)
            sink.text(interval.status.rawValue)
            sink.integer(interval.isContiguous ? 1 : 0)
            sink.endRow()
        }
    }
}
