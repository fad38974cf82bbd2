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
    /// The aspects that are below 0.5, in the order of `QualityReason.allCases`, and `gap` wherever more than 5 % of
    /// the samples are missing.
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
        Column("reasons", "The aspects whose quality is below 0.5, separated by commas"),
    ]

    /// A table of windows.
    public static func table(_ windows: [QualityWindow]) -> Table {
        Table(
            columns: columns,
            rows: windows.map { window in
                let reasons = window.reasons.map(\.rawValue).joined(separator: ",")
                return [
                    .onset(window.onset), .onset(window.duration), .number(window.coverage), .number(window.quality),
                    reasons.isEmpty ? .missing : .text(reasons),
                ]
            })
    }
}
