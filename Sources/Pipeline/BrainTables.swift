import Brain
import Formats
public import Signals

/// The tables of one EEG stream.
public enum BrainTables {
    /// A row per epoch and channel: the features, or why there are none.
    public static func epochs(_ result: BrainResult, parameters: BrainParameters) throws -> BrainEpochRows {
        BrainEpochRows(result.epochs, try EpochFeatures(labels: result.labels, parameters: parameters.usedFeatures()))
    }

    /// A row per window of epochs and pair of channels.
    public static func pairs(_ result: BrainResult, parameters: BrainParameters) throws -> BrainPairRows {
        BrainPairRows(result.pairs, try EpochFeatures(labels: result.labels, parameters: parameters.usedFeatures()))
    }

    /// The columns of `blinks`.
    public static let blinkColumns = [
        Column("onset", unit: .seconds, "Start of the second, from the recording's start"),
        Column(
            "blink", unit: .dimensionless,
            "1 where the eyes blinked in the second, else 0; n/a where no channel that shows it could be used"),
    ]

    /// A row per second of the recording: whether the eyes blinked, where a channel that shows it could be used. A gap of
    /// more than `WindowGrid.mostEmpty` seconds is one row.
    public static func blinks(_ result: BrainResult) -> Table {
        var table = Table(columns: blinkColumns)
        for second in result.blinkSeconds {
            table.append([.onset(second.onset), second.blink.map { .integer($0) } ?? .missing])
        }
        return table
    }
}

extension BrainResult {
    /// Second by second of the recording whether the eyes blinked, 1 or 0; nil where no channel that shows it could be used.
    /// A gap of more than `WindowGrid.mostEmpty` seconds is one such second, its first: a wrong time stamp makes gaps of years.
    public var blinkSeconds: [(onset: Seconds, blink: Int?)] {
        var seconds: [(onset: Seconds, blink: Int?)] = []
        let blinks = EyeEvent.secondsOfBlinks(eyes)
        var next: Int?
        for run in runs where run.lowerBound.isPlaceable && run.upperBound.isPlaceable {
            let (begin, end) = (Int(run.lowerBound.rounded(.down)), Int(run.upperBound.rounded(.up)))
            let gap = min(next ?? begin, begin)..<begin
            let isLong = gap.count > WindowGrid.mostEmpty
            seconds += (isLong ? gap.prefix(1) : gap).map { (Double($0), nil) }
            for second in max(next ?? begin, begin)..<max(next ?? begin, end) {
                let middle = Double(second) + 0.5
                let isUnseen = unseen.byQuality.drops(middle) || unseen.bySamples.drops(middle)
                seconds.append((Double(second), isUnseen ? nil : blinks.contains(second) ? 1 : 0))
            }
            next = max(next ?? end, end)
        }
        return seconds
    }
}

/// The table of epochs, a row per epoch and channel.
public struct BrainEpochRows: TableContent {
    private let epochs: BrainEpochs
    private let features: EpochFeatures

    init(_ epochs: BrainEpochs, _ features: EpochFeatures) {
        (self.epochs, self.features) = (epochs, features)
    }

    /// The declarations of the columns.
    public var columns: [Column] { features.channelColumns }

    /// One row per epoch and channel.
    public var rowCount: Int { epochs.count * features.labels.count }

    /// Tells some of the rows.
    @specialized(where Sink == TSVText)
    public func write<Sink: TableSink>(_ rows: Range<Int>, to sink: inout Sink) {
        let channels = features.labels.count
        guard channels > 0, !rows.isEmpty else { return }
        for place in rows.lowerBound / channels...(rows.upperBound - 1) / channels {
            let own = place * channels..<(place + 1) * channels
            let wanted = own.clamped(to: rows)
            features.write(
                epochs[place], channels: wanted.lowerBound - own.lowerBound..<wanted.upperBound - own.lowerBound,
                to: &sink)
        }
    }
}

/// The table of pairs, a row per window and pair.
public struct BrainPairRows: TableContent {
    private let pairs: BrainPairs
    private let features: EpochFeatures

    init(_ pairs: BrainPairs, _ features: EpochFeatures) {
        (self.pairs, self.features) = (pairs, features)
    }

    /// The declarations of the columns.
    public var columns: [Column] { features.pairColumns }

    /// One row per window and pair.
    public var rowCount: Int { pairs.count }

    /// Tells some of the rows.
    @specialized(where Sink == TSVText)
    public func write<Sink: TableSink>(_ rows: Range<Int>, to sink: inout Sink) {
        for place in rows { features.write(pairs[place], to: &sink) }
    }
}
