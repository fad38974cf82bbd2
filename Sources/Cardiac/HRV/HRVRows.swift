public import Signals

/// The table of windows, whose rows are told when they are asked for.
public struct HRVRows: TableContent {
    /// The declarations of the columns.
    public let columns: [Column]
    private let windows: [HRVWindow]
    private let quality: [Double?]?

    /// The table of `windows`.
    /// - Parameters:
    ///   - windows: computed with `parameters`.
    ///   - quality: the quality of the signal in each window, 0…1; nil, or nil for a window, where it is not known.
    public init(_ windows: [HRVWindow], parameters: HRVParameters = HRVParameters(), quality: [Double?]? = nil) {
        columns = HRV.columns(parameters)
        self.windows = windows
        self.quality = quality
    }

    /// One row per window.
    public var rowCount: Int { windows.count }

    /// Tells some of the rows.
    public func write<Sink: TableSink>(_ rows: Range<Int>, to sink: inout Sink) {
        for number in rows {
            let window = windows[number]
            sink.onset(window.onset)
            sink.onset(window.duration)
            sink.number(window.coverage)
            sink.number(quality.flatMap { $0.indices.contains(number) ? $0[number] : nil })
            sink.integer(window.nBeats)
            sink.integer(window.nCorrected)
            sink.integer(window.nEstimated)
            if let doubt = window.spectrumDoubt { sink.text(doubt.rawValue) } else { sink.missing() }
            for value in window.values { sink.number(value) }
            sink.endRow()
        }
    }
}
