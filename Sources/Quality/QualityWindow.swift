public import Signals

/// How good a signal is over a stretch of time.
public struct QualityWindow: Hashable, Codable, Sendable {
    /// Seconds from the recording's start.
    public var onset: Seconds
    /// Its length in seconds.
    public var duration: Seconds
    /// Share of the samples that are there, 0…1.
    public var coverage: Double
    /// From 0 (useless) to 1 (clean): the worst of the aspects looked at. Below 0.5 the window should not be used.
    public var quality: Double
    /// The aspects that are below 0.5, in the order of `QualityReason.allCases`, `gap` wherever more than 5 % of
    /// the samples are missing, and `unconfirmed` where nothing else is wrong with an EEG that no others bear out.
    public var reasons: [QualityReason]

    /// A judged stretch of time.
    public init(
        onset: Seconds, duration: Seconds, coverage: Double, quality: Double, reasons: [QualityReason] = []
    ) {
        self.onset = onset
        self.duration = duration
        self.coverage = coverage
        self.quality = quality
        self.reasons = reasons
    }

    /// The same, its list of reasons that of another where they are equal: days of windows have few different ones, and
    /// need not keep one each.
    public func sharing(reasonsOf other: QualityWindow?) -> QualityWindow {
        guard let other, !reasons.isEmpty, reasons == other.reasons else { return self }
        var shared = self
        shared.reasons = other.reasons
        return shared
    }

    /// Whether the window may be used.
    public var isGood: Bool { quality >= 0.5 }
}

extension QualityWindow {
    /// The columns of a table of windows.
    public static let columns = [
        Column("onset", unit: .seconds, "Start of the window, from the recording's start"),
        Column("duration", unit: .seconds, "Length of the window"),
        Column("coverage", unit: .dimensionless, "Share of the window's samples that are there, 0…1"),
        Column(
            "quality", unit: .dimensionless,
            "Signal quality from 0 (useless) to 1 (clean): the worst of the aspects looked at; below 0.5 do not use"),
        Column(
            "reasons",
            "The aspects whose quality is below 0.5, separated by commas; also gap where more than 5 % is missing, and "
                + "unconfirmed where an EEG has too few channels, or bipolar ones, to bear each other out"),
    ]

    /// A table of windows.
    public static func table(_ windows: [QualityWindow]) -> Table { Table(QualityRows(windows)) }
}

/// The table of windows, row by row: days of them need no room for its cells.
public struct QualityRows: TableContent {
    private let windows: [QualityWindow]

    /// The table of these windows.
    public init(_ windows: [QualityWindow]) { self.windows = windows }

    /// The declarations of the columns.
    public var columns: [Column] { QualityWindow.columns }
    /// One row per window.
    public var rowCount: Int { windows.count }

    /// Tells some of the rows.
    public func write<Sink: TableSink>(_ rows: Range<Int>, to sink: inout Sink) {
        for window in windows[rows] {
            sink.onset(window.onset)
            sink.onset(window.duration)
            sink.number(window.coverage)
            sink.number(window.quality)
            if window.reasons.isEmpty {
                sink.missing()
            } else {
                sink.text(window.reasons.map(\.rawValue).joined(separator: ","))
            }
            sink.endRow()
        }
    }
}
