/// Where a contiguous run of samples begins, and what was missing before it.
public struct SegmentStart: Hashable, Codable, Sendable {
    /// Seconds from the recording's start to the run's first sample.
    public var onset: Seconds
    /// Index of the run's first sample in its stream, 0-based, counted as the source's format counts samples.
    public var sample: Int
    /// Measured sample rate within the run, in Hz.
    public var sampleRate: Double
    /// What lies between the previous run and this one; nil for a stream's first run.
    public var gap: Gap?

    /// A run that begins `onset` seconds into the recording with the stream's sample `sample`.
    public init(onset: Seconds, sample: Int, sampleRate: Double, gap: Gap? = nil) {
        self.onset = onset
        self.sample = sample
        self.sampleRate = sampleRate
        self.gap = gap
    }

    /// Seconds from the recording's start to the sample `offset` samples into this run.
    public func onset(ofOffset offset: Int) -> Seconds {
        onset + Double(offset) / sampleRate
    }

    /// How many samples are missing between `count` samples of this run and the run that begins at `next`; nil where
    /// that has another rate or begins before these end.
    public func missing(after count: Int, before next: SegmentStart) -> Int? {
        let missing = (next.onset - onset(ofOffset: count)) * sampleRate
        // Rates that were measured are not the same to the bit, nor are times.
        guard missing >= -1, abs(next.sampleRate - sampleRate) <= 0.01 * sampleRate else { return nil }
        return Int(min(max(missing.rounded(), 0), 1e15))
    }
}

/// A contiguous run of regularly spaced samples of all channels of a stream.
public struct Segment: Sendable {
    /// Where the run begins.
    public var start: SegmentStart
    /// The samples. A sample the source marks as missing in one channel is NaN.
    public var block: SampleBlock

    /// A run that begins at `start` and holds `block`.
    public init(start: SegmentStart, block: SampleBlock) {
        self.start = start
        self.block = block
    }

    /// Seconds the run lasts.
    public var duration: Seconds { Double(block.frameCount) / start.sampleRate }
    /// Seconds from the recording's start to just after the last sample.
    public var end: Seconds { start.onset + duration }
}

/// Samples of `channelCount` channels over `frameCount` successive sampling moments, channel-major: all of channel
/// 0, then all of channel 1, and so on.
public struct SampleBlock: Hashable, Sendable {
    /// Number of channels.
    public let channelCount: Int
    /// Number of sampling moments.
    public let frameCount: Int
    /// `channelCount * frameCount` samples, channel-major.
    public var samples: [Float]

    /// A block of samples laid out channel-major.
    /// - Precondition: `samples.count` is a multiple of `channelCount`.
    public init(channelCount: Int, samples: [Float]) {
        precondition(channelCount > 0 && samples.count % channelCount == 0, "samples must fill whole channels")
        self.channelCount = channelCount
        self.frameCount = samples.count / channelCount
        self.samples = samples
    }

    /// A block of one channel.
    public init(_ samples: [Float]) {
        self.init(channelCount: 1, samples: samples)
    }

    /// Where `channel`'s samples lie in `samples`.
    public func range(ofChannel channel: Int) -> Range<Int> {
        precondition((0..<channelCount).contains(channel), "no such channel")
        return channel * frameCount..<(channel + 1) * frameCount
    }

    /// A copy of one channel's samples.
    public func channel(_ channel: Int) -> [Float] {
        Array(samples[range(ofChannel: channel)])
    }

    /// Some of the channels, in this order; the block itself where these are all of them.
    /// - Precondition: there is at least one, and none that the block does not have.
    public func channels(_ channels: [Int]) -> SampleBlock {
        if channels.elementsEqual(0..<channelCount) { return self }
        return SampleBlock(channelCount: channels.count, samples: channels.flatMap { samples[range(ofChannel: $0)] })
    }
}

/// A stretch without samples, and why there are none.
public struct Gap: Hashable, Codable, Sendable {
    /// Seconds from the recording's start to the first missing sample.
    public var onset: Seconds
    /// Seconds that are missing.
    public var duration: Seconds
    /// Why they are missing.
    public var reason: Reason

    /// Samples missing for `duration` seconds from `onset` on.
    public init(onset: Seconds, duration: Seconds, reason: Reason) {
        self.onset = onset
        self.duration = duration
        self.reason = reason
    }

    /// Why samples are missing.
    public enum Reason: String, Codable, CaseIterable, Sendable {
        /// The connection to the device was lost.
        case deviceLost
        /// Somebody disconnected the device, for as long as it pleased them.
        case disconnectedUponRequest
        /// Samples came faster than they could be taken.
        case bufferOverrun
        /// The sensor was not on the body.
        case offBody
        /// The file itself says that nothing was recorded there.
        case fileGap
        /// Recording stood still, or samples were cut out, and how many are missing is not known: the gap's length says
        /// nothing, and nothing is measured across it however short it is.
        case unknownLength
        /// The device clock jumped.
        case clockReset
    }
}
