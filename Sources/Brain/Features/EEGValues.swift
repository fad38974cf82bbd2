public import Signals

/// What comes out of `EpochFeatures`.
public enum EEGValues: Sendable {
    /// The features of all channels of an epoch.
    case channels(ChannelValues)
    /// The connectivity of all pairs of channels over a window of epochs.
    case pairs(PairValues)
}

/// The features of all channels of an epoch.
public struct ChannelValues: Sendable {
    /// Seconds from the recording's start to the epoch's beginning.
    public var onset: Seconds
    /// The epoch's length in seconds.
    public var duration: Seconds
    /// A state per channel.
    public var channels: [Epoch.ChannelState]
    /// For each channel a value per feature, in the order of `EpochFeatures.features`; not a number where it has none.
    public var values: FeatureRows

    /// The features of an epoch.
    public init(onset: Seconds, duration: Seconds, channels: [Epoch.ChannelState], values: FeatureRows) {
        self.onset = onset
        self.duration = duration
        self.channels = channels
        self.values = values
    }
}

/// The connectivity of all pairs of channels over a window of epochs.
public struct PairValues: Sendable {
    /// Seconds from the recording's start to the beginning of the window's first epoch.
    public var onset: Seconds
    /// Seconds to the end of its last epoch.
    public var duration: Seconds
    /// The pairs, the first channel's index below the second's.
    public var pairs: [ChannelPair]
    /// For each pair how many epochs of the window both channels were usable in.
    public var epochs: [Int]
    /// For each pair a value per column, in the order of `EpochFeatures.pairColumns` after the pair's own columns.
    public var values: [[Double]]

    /// What is known of one pair.
    public struct Row: Sendable {
        /// As the window's.
        public var onset, duration: Seconds
        /// The channels.
        public var pair: ChannelPair
        /// How many epochs of the window both channels were usable in.
        public var epochs: Int
        /// A value per column after the pair's own.
        public var values: [Double]

        /// What is known of a pair.
        public init(onset: Seconds, duration: Seconds, pair: ChannelPair, epochs: Int, values: [Double]) {
            (self.onset, self.duration, self.pair, self.epochs) = (onset, duration, pair, epochs)
            self.values = values
        }
    }

    /// Each pair for itself.
    public var rows: some Collection<Row> {
        pairs.indices.lazy.map {
            Row(onset: onset, duration: duration, pair: pairs[$0], epochs: epochs[$0], values: values[$0])
        }
    }
}

/// Two channels, as indices.
public struct ChannelPair: Hashable, Sendable {
    /// The one with the lower index.
    public var first: Int
    /// The other one.
    public var second: Int

    /// The pair of the channels `first` and `second`.
    public init(first: Int, second: Int) {
        self.first = first
        self.second = second
    }
}

extension EpochFeatures {
    static func channelColumns(_ features: [EEGFeature], _ parameters: EEGFeatureParameters) -> [Column] {
        [
            Column("onset", unit: .seconds, "From the start of the recording to the beginning of the epoch."),
            Column("duration", unit: .seconds, "Length of the epoch."),
            Column("channel", "Label of the channel."),
            Column("coverage", unit: .dimensionless, "Share of the channel's samples that are there, 0 to 1."),
            Column("reasons", "Why the channel is not used in this epoch, separated by commas; n/a where it is."),
        ] + features.map { $0.column(parameters) }
    }

    static func pairColumns(_ parameters: EEGFeatureParameters) -> [Column] {
        [
            Column("onset", unit: .seconds, "From the start of the recording to the beginning of the window."),
            Column("duration", unit: .seconds, "From there to the end of the window's last epoch."),
            Column("channels", "Labels of the two channels, separated by a hyphen with spaces."),
            Column("epochs", unit: .dimensionless, "Epochs of the window in which both channels are usable."),
        ] + ConnectivityMeasure.columns(parameters)
    }

    /// Tells the rows of the table of channels for one epoch, those of the channels `channels`.
    public func write<Sink: TableSink>(_ values: ChannelValues, channels: Range<Int>, to sink: inout Sink) {
        for channel in channels {
            let state = values.channels[channel]
            sink.onset(values.onset)
            sink.number(values.duration)
            sink.text(labels[channel])
            sink.number(state.coverage)
            if state.reasons.isEmpty {
                sink.missing()
            } else {
                sink.text(state.reasons.map(\.rawValue).joined(separator: ","))
            }
            let rows = values.values
            if rows.features == features.count {
                sink.numbers(rows.numbers.span.extracting(rows.range(of: channel)))
            } else {
                for _ in features { sink.missing() }
            }
            sink.endRow()
        }
    }

    /// Tells the row of the table of pairs for one of them.
    public func write<Sink: TableSink>(_ row: PairValues.Row, to sink: inout Sink) {
        sink.onset(row.onset)
        sink.number(row.duration)
        sink.text("\(labels[row.pair.first]) - \(labels[row.pair.second])")
        sink.integer(row.epochs)
        sink.numbers(row.values.span)
        sink.endRow()
    }
}
