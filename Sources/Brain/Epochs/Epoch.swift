public import Signals

/// A stretch of cleaned EEG of one contiguous run: what features are computed of.
public struct Epoch: Hashable, Sendable {
    /// What is known of one channel of an epoch.
    public struct ChannelState: Hashable, Codable, Sendable {
        /// Share of the channel's samples that are there, 0…1.
        public var coverage: Double
        /// Why the channel is not to be used, in the order of `EpochReason.allCases`; none when it may be.
        public var reasons: [EpochReason]
        /// Whether features may be computed of it.
        public var isUsable: Bool { reasons.isEmpty }

        /// Adds reasons, each once.
        mutating func add(_ others: Set<EpochReason>) {
            guard !others.isEmpty else { return }
            let all = others.union(reasons)
            reasons = EpochReason.allCases.filter(all.contains)
        }

        /// A channel with this coverage and these reasons against it.
        public init(coverage: Double = 1, reasons: [EpochReason] = []) {
            self.coverage = coverage
            self.reasons = reasons
        }
    }

    /// Seconds from the recording's start to its beginning.
    public var onset: Seconds
    /// Its length in seconds.
    public var duration: Seconds
    /// Samples per second.
    public var sampleRate: Double
    /// Samples of each channel; 0 where the epoch is incomplete, and then there are no samples at all.
    public var frameCount: Int
    /// `channels.count * frameCount` samples in µV, channel-major: all of channel 0, then all of channel 1, and so on.
    /// A sample that is missing is NaN, and its channel not usable.
    public var samples: [Float]
    /// A state per channel.
    public var channels: [ChannelState]
    /// Root mean square of each channel's raw signal from 35 to 95 Hz in µV, mains hum excluded, over the measured seconds that
    /// the epoch overlaps; nil where none was measured. Mostly muscle.
    public var fast: [Double?] = []
    /// The largest movement of the head in the seconds that the epoch overlaps, in g; nil without an accelerometer.
    public var movement: Double?

    /// An epoch with these samples.
    /// - Precondition: `samples` holds the same number of samples for each of `channels`.
    public init(
        onset: Seconds, duration: Seconds, sampleRate: Double, samples: [Float], channels: [ChannelState]
    ) {
        precondition(
            channels.isEmpty ? samples.isEmpty : samples.count % channels.count == 0, "as many samples per channel")
        self.onset = onset
        self.duration = duration
        self.sampleRate = sampleRate
        self.samples = samples
        self.channels = channels
        frameCount = channels.isEmpty ? 0 : samples.count / channels.count
    }

    /// How many channels it has.
    public var channelCount: Int { channels.count }

    /// Where `channel`'s samples lie in `samples`.
    public func range(ofChannel channel: Int) -> Range<Int> {
        channel * frameCount..<(channel + 1) * frameCount
    }

    /// A copy of one channel's samples in µV.
    public func channel(_ channel: Int) -> [Float] {
        Array(samples[range(ofChannel: channel)])
    }

    /// The channels that may be used, as indices.
    public var usableChannels: [Int] {
        frameCount == 0 ? [] : channels.indices.filter { channels[$0].isUsable }
    }
}
